import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type ComparedUnit,
  type MarkMoment,
  markedChangeOf,
} from "../../../../src/engine/insights/experiment/marked-change.ts";
import { describe } from "../../../support/describe.ts";
import { seeded } from "../../../support/seeded.ts";
import { noise } from "../../../support/simulated-experiments.ts";

interface Run {
  readonly units: readonly ComparedUnit[];
  readonly moments: readonly MarkMoment[];
}

/** Loads of A and B in turns. B saves `saved` ms; each load is `drift` ms longer than the one before. */
function inTurns(random: () => number, saved: number, turns: number, each: number, deviation = 30, drift = 0): Run {
  const units: ComparedUnit[] = [];
  const moments: MarkMoment[] = [];
  let at = 1_000;
  for (let turn = 0; turn < turns; turn += 1) {
    const mark = turn % 2 === 0 ? "A" : "B";
    moments.push({ at, mark });
    for (let load = 0; load < each; load += 1) {
      const own = Math.max(1, 300 - (mark === "B" ? saved : 0) + noise(random, deviation));
      const duration = own + 400 + Math.abs(noise(random, 5)) + drift * units.length;
      units.push({
        start: at + 5,
        end: at + 5 + duration,
        latencies: new Map([
          ["GET /v1/prices", [own]],
          ["GET /v1/names", [200 + noise(random, deviation)]],
        ]),
      });
      at += 5_000;
    }
  }
  return { units, moments };
}

const changeOf = ({ units, moments }: Run, predicted: Parameters<typeof markedChangeOf>[2] = null) =>
  markedChangeOf(units, moments, predicted);

describe("A/B comparison", (test) => {
  test("given a change that saves time, B is faster, the gain holds what it saves, and the endpoint is named", () => {
    const random = seeded(31);
    let covered = 0;
    for (let run = 0; run < 60; run += 1) {
      const saved = 120 + 100 * random();
      const found = changeOf(inTurns(random, saved, 6, 5));
      assert.is(found.units.kind, "faster");
      assert.equal(found.units.counts, { A: 15, B: 15 });
      assert.is(found.turns, 6);
      const { gain } = found.units;
      if (gain !== null && gain.low <= saved && saved <= gain.high) covered += 1;
      assert.equal(
        found.endpoints.filter(({ kind }) => kind === "faster").map(({ endpoint }) => endpoint),
        ["GET /v1/prices"],
      );
    }
    assert.ok(covered >= 50, `${covered} of 60`);
  });

  test("given no change, also beside a drift, hardly any comparison is faster or slower", () => {
    const random = seeded(32);
    let changed = 0;
    for (let run = 0; run < 100; run += 1) {
      const { units } = changeOf(inTurns(random, 0, 6, 5, 60, run % 2 === 0 ? 0 : 8));
      if (units.kind === "faster" || units.kind === "slower") changed += 1;
    }
    assert.ok(changed <= 5, `${changed} of 100`);
  });

  test("given B before and A after, slower becomes faster, and the gain changes its sign", () => {
    const random = seeded(33);
    const { units, moments } = inTurns(random, 150, 6, 5);
    const turned = moments.map(({ at, mark }): MarkMoment => ({ at, mark: mark === "A" ? "B" : "A" }));
    const [one, other] = [changeOf({ units, moments }), changeOf({ units, moments: turned })];
    assert.is(one.units.kind, "faster");
    assert.is(other.units.kind, "slower");
    assert.ok(Math.abs((one.units.gain?.middle ?? 0) + (other.units.gain?.middle ?? 0)) < 1e-6);
  });

  test("given too few loads for the noise, it cannot tell, and says how many are needed", () => {
    const { units } = changeOf(inTurns(seeded(34), 20, 2, 4, 200));
    assert.is(units.kind, "unknown");
    assert.match(units.note ?? "", /^can't tell: n = 4, about \d+ needed/);
  });

  test("given a prediction, it says whether the gain is within it", () => {
    const found = (byLinks: number, atMost: number) =>
      changeOf(inTurns(seeded(35), 150, 6, 6), { byLinks, atMost }).prediction;
    assert.is(found(150, 150), "held");
    assert.is(found(20, 400), "held");
    assert.is(found(20, 60), "more");
    assert.is(found(260, 400), "less");
    assert.is(changeOf({ units: [], moments: [] }, { byLinks: 1, atMost: 2 }).prediction, "open");
  });

  test("given any moments, a unit counts for a mark only if that mark held from its start to its end", () => {
    const moment = fc.record({
      at: fc.integer({ min: 0, max: 100 }),
      mark: fc.constantFrom("A" as const, "B" as const, null),
    });
    const span = fc.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 30 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(moment, { selector: ({ at }) => at, maxLength: 6 }),
        fc.array(span, { maxLength: 12 }),
        (drawn, spans) => {
          const moments = drawn.toSorted((one, other) => one.at - other.at);
          const markAt = (time: number) => moments.findLast(({ at }) => at <= time)?.mark ?? null;
          const units = spans.map(([start, length]) => ({ start, end: start + length, latencies: new Map() }));
          const marks = units.map(({ start, end }) => {
            const all = new Set(Array.from({ length: end - start }, (_, index) => markAt(start + index)));
            return all.size === 1 ? markAt(start) : null;
          });
          const found = changeOf({ units, moments });
          for (const side of ["A", "B"] as const)
            assert.is(found.units.counts[side], marks.filter((mark) => mark === side).length);
          assert.is(found.leftOut, marks.filter((mark) => mark === null).length);
        },
      ),
    );
  });
});
