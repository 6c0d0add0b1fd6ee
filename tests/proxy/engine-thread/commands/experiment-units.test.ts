import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ExperimentUnits } from "../../../../extensions/proxy/engine-thread/commands/experiment-units.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import type { ErrorType } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

interface Part {
  readonly path: string;
  readonly at: number;
  readonly took: number;
  /** The level; absent for requests of other endpoints. */
  readonly level?: number;
  readonly isHeld?: boolean;
  readonly failed?: ErrorType;
}

let ids = 0;

/** The events of a unit's exchanges, and one map of their paths. */
function eventsIn(unit: number, parts: readonly Part[], paths: Map<ExchangeId, string>, client = "10.0.0.1 a/1") {
  return parts.flatMap(({ path, at, took, level, isHeld = true, failed }): CaptureEvent[] => {
    ids += 1;
    const outcome = { kind: "failed", errorType: failed ?? "server-reset", detail: "", status: null } as const;
    const made = exchange({
      id: ids,
      target: path,
      client,
      start: at,
      end: at + took,
      tags: ["unit"],
      ...(failed === undefined ? {} : { outcome, instants: { responseEnd: null } }),
    });
    paths.set(made.id, path);
    const [started, ...rest] = eventsOf(made) as [CaptureEvent, ...CaptureEvent[]];
    const isTarget = level !== undefined;
    const joined = {
      type: "unit-joined",
      id: made.id,
      unit,
      block: isTarget ? 3 : null,
      level: level ?? null,
    } as const;
    const held = { type: "response-held", id: made.id, at: made.instants.startTime, level: level ?? 0 } as const;
    return [started, joined, ...(isTarget && isHeld ? [held] : []), ...rest];
  });
}

function unitsOf(units: readonly (readonly Part[])[], now: number, client?: string) {
  const paths = new Map<ExchangeId, string>();
  const collected = new ExperimentUnits((id) => paths.get(id) ?? null);
  for (const [index, parts] of units.entries()) collected.add(eventsIn(index + 1, parts, paths, client));
  return collected.takeEnded(now as Instant);
}

const time = fc.nat(900);
const LATE = 60_000;

describe("experiment units", (test) => {
  test("given a page load, it lasts from its document to its last response, and later endpoints have their starts", () =>
    fc.assert(
      fc.property(time, time, time, fc.constantFrom(0, 100, 300), (document, wait, later, level) => {
        const [held, next] = [document + 5, document + wait + 10];
        const load = [
          { path: "/", at: 0, took: document },
          { path: "/early", at: document + 1, took: 20 },
          { path: "/held", at: held, took: level + wait, level },
          { path: "/next", at: next, took: later },
          { path: "/next", at: next + 1, took: later },
        ];
        const [unit, ...others] = unitsOf([load], LATE);
        const duration = Math.max(document + 21, held + level + wait, next + 1 + later);
        const starts = new Map([["/next", next]]);
        assert.equal(unit, { unit: { block: 3, level, leftOut: null, duration, starts }, isLoad: true });
        assert.is(others.length, 0);
      }),
    ));

  test("given another client, its span ends with what followed the target, and not with the target itself", () =>
    fc.assert(
      fc.property(time, time, fc.constantFrom(0, 100, 300), (gap, took, level) => {
        const at = gap + 1;
        const walk = [
          { path: "/held", at: 0, took: 5_000, level },
          { path: "/next", at, took },
        ];
        const [unit] = unitsOf([walk], LATE);
        assert.equal(unit?.unit, {
          block: 3,
          level,
          leftOut: null,
          duration: at + took,
          starts: new Map([["/next", at]]),
        });
        assert.not(unit?.isLoad);
      }),
    ));

  const next = { path: "/next", at: 400, took: 10 };
  const leftOut: readonly [string, readonly Part[], string | null][] = [
    ["nothing follows the target", [{ path: "/held", at: 0, took: 5, level: 0 }], "failed"],
    ["the target fails", [{ path: "/held", at: 0, took: 5, level: 100, failed: "server-reset" }, next], "failed"],
    ["the target could not be held", [{ path: "/held", at: 0, took: 5, level: 100, isHeld: false }, next], "failed"],
    [
      "the client left",
      [
        { path: "/held", at: 0, took: 5, level: 0 },
        { ...next, failed: "client-aborted" },
      ],
      "reloaded",
    ],
    [
      "another request fails",
      [{ path: "/held", at: 0, took: 5, level: 0 }, next, { ...next, failed: "server-reset" }],
      null,
    ],
  ];
  for (const [title, parts, reason] of leftOut)
    test(`given a unit in which ${title}, it is ${reason === null ? "counted" : `left out: ${reason}`}`, () => {
      assert.is(unitsOf([parts], LATE)[0]?.unit.leftOut, reason);
    });

  test("given a load without the target, it is no unit", () => {
    assert.equal(unitsOf([[{ path: "/", at: 0, took: 5 }]], LATE), []);
  });

  test("given requests in flight or a recent one, the unit is not over yet; a later unit of the client ends it", () => {
    const unit = [
      { path: "/held", at: 0, took: 5, level: 0 },
      { ...next, at: 10 },
    ];
    assert.is(unitsOf([unit], 2_000).length, 0);
    assert.is(unitsOf([unit], 3_000).length, 1);
    const later = unit.map((part) => ({ ...part, at: part.at + 100 }));
    assert.is(unitsOf([unit, later], 200).length, 1);
  });

  test("given two units of one client at the same time, both are left out; those of two clients count", () => {
    for (const isSame of [true, false]) {
      const paths = new Map<ExchangeId, string>();
      const units = new ExperimentUnits((id) => paths.get(id) ?? null);
      const parts = [
        { path: "/", at: 0, took: 500 },
        { path: "/held", at: 5, took: 5, level: 0 },
      ];
      const [first, second] = [eventsIn(1, parts, paths), eventsIn(2, parts, paths, isSame ? undefined : "10.0.0.2")];
      const ends = (events: readonly CaptureEvent[]) => events.filter(({ type }) => type === "exchange-ended");
      const others = (events: readonly CaptureEvent[]) => events.filter(({ type }) => type !== "exchange-ended");
      units.add([...others(first), ...others(second), ...ends(first), ...ends(second)]);
      const reason = isSame ? "other-traffic" : null;
      assert.equal(
        units.takeEnded(LATE as Instant).map(({ unit }) => unit.leftOut),
        [reason, reason],
      );
    }
  });
});
