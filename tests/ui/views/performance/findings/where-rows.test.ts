import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { soonerText } from "../../../../../src/engine/insights/what-if/gain-text.ts";
import type { WhereFound } from "../../../../../src/engine/messages/finding-messages.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import { NO_WAITING, WAIT_PHASES, type WaitPart, type Where } from "../../../../../src/engine/model/where.ts";
import { whereRecordOf } from "../../../../../src/engine/session/evaluation/where-record.ts";
import { percentText } from "../../../../../src/ui/format/percent.ts";
import { loadTextsOf, whereTextsOf } from "../../../../../src/ui/views/performance/findings/where-rows.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";

const endpoint = { method: "GET", origin: "https://shop.test", path: "/v1/prices", operation: null };
const part = (share: number, change: Partial<WaitPart> = {}): WaitPart => {
  return { endpoint, phase: "ttfb", time: 12_400 * share, share, requests: 2, ...change };
};
const step = (gap: number, time: number) => {
  return { exchange: 7 as ExchangeId, endpoint, gap, meanwhile: null, time, phase: "transfer" } as const;
};

function found(where: Partial<Where>, change: Partial<WhereFound> = {}): WhereFound {
  const whole = { ...NO_WAITING, waiting: 12_400, ...where };
  return {
    exchanges: 184,
    clients: 1,
    waiting: whole.waiting,
    where: whereRecordOf(whole),
    ...change,
  };
}

describe("Where the time went, rows", (test) => {
  test("given a gap in which another request ran, the step after it names the request", () => {
    const path = [
      step(0, 100),
      { ...step(1_216, 905), meanwhile: { ...endpoint, path: "/api/orders/{id}" } },
      { ...step(0, 9), isPossible: true as const },
    ];
    const loads = [{ start: 0 as Instant, duration: 2_230, path }];
    const texts = loadTextsOf(whereRecordOf({ ...NO_WAITING, loads }), null);
    assert.equal(
      texts?.rows.map(({ name }) => name),
      ["document", "body; in the gap GET /api/orders/{id}", "body; possible wait"],
    );
    assert.match(texts?.rows[2]?.title ?? "", /\nPossibly waited for the step before, not proven$/);
  });

  test("given waiting, says how long, and how much of it is Weir's own time", () => {
    const parts = [part(0.96), part(0.04, { phase: "weir" })];
    const texts = whereTextsOf(found({ parts }, { clients: 2 }));
    assert.is(texts?.waited, "2 clients waited 12.4 s in 184 requests");
    assert.is(texts?.weir, "Weir's own time 4.0 %");
    assert.is(
      texts?.description,
      "96.0 % GET https://shop.test/v1/prices, server; 4.0 % GET https://shop.test/v1/prices, Weir",
    );
    assert.is(whereTextsOf(found({ parts: [part(1)] }))?.weir, "");
  });

  test("given streams, tells apart how long they took to begin", () => {
    const texts = whereTextsOf(found({ parts: [part(1)] }, { waiting: 13_400 }));
    assert.is(texts?.waited, "The client waited 12.4 s in 184 requests; 1.0 s more until streams began");
  });

  test("given no waiting, says so; given no exchange, there is nothing to show", () => {
    const none = whereTextsOf(found({ waiting: 0 }, { waiting: 8_000 }));
    assert.is(none?.waited, "No client waited for a response that has an end; 8.0 s more until streams began");
    assert.equal([none?.bar, none?.rest], [[], ""]);
    assert.is(whereTextsOf(found({ waiting: 0 }, { exchanges: 0 })), null);
  });

  test("given several endpoints in one phase, the second is lighter, and further ones have no hue", () => {
    const parts = [0.4, 0.3, 0.2, 0.1].map((share, index) => {
      return part(share, { endpoint: { ...endpoint, path: `/${index}` } });
    });
    assert.equal(
      whereTextsOf(found({ parts }))?.bar.map(({ hue }) => hue),
      ["is-ttfb", "is-ttfb is-second", "is-rest", "is-rest"],
    );
  });

  test("given any parts, the bar is as wide as they are, and four are named", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (count) => {
        const parts = Array.from({ length: count }, (_, index) =>
          part(1 / count, { phase: WAIT_PHASES[index % WAIT_PHASES.length] ?? "other" }),
        );
        const texts = whereTextsOf(found({ parts }));
        const widths = (texts?.bar ?? []).map(({ style }) => Number.parseFloat(style.width));
        assert.is(widths.length, Math.min(count, 10));
        assert.ok(widths.every((width) => Math.abs(width - 100 / count) < 0.01));
        assert.is(texts?.named.length, Math.min(count, 4));
        assert.is(texts?.rest === "", count <= 4);
        if (count > 4) assert.match(texts?.rest ?? "", ` % in ${count - 4} other part`);
      }),
    );
  });

  test("given slow requests, shows the phase that took the longest beside the usual", () => {
    const times = { latency: 7_409, phase: "ttfb", phaseTime: 7_400 } as const;
    const slowest = [
      { exchange: 20 as ExchangeId, endpoint, ...times, usual: 44, usualOf: "endpoint" as const },
      { exchange: 21 as ExchangeId, endpoint, ...times, usual: null, usualOf: null },
    ];
    assert.equal(
      whereTextsOf(found({ parts: [part(1)], slowest }))?.slowest.map((row) => [
        row.key,
        row.latency,
        row.phase,
        row.phaseTime,
        row.usual,
      ]),
      [
        [20, "7,409", "server", "7,400", "44"],
        [21, "7,409", "server", "7,400", "–"],
      ],
    );
  });
});

describe("page load rows", (test) => {
  const load = (start: number, duration: number) => {
    return { start: start as Instant, duration, path: [step(0, 100), step(20, 180)] };
  };
  const where = (...loads: ReturnType<typeof load>[]) => whereRecordOf({ ...NO_WAITING, loads });

  test("given steps, tells each with the gap before it, and what no link proves", () => {
    const texts = loadTextsOf(where(load(0, 400)), null);
    assert.equal(
      texts?.rows.map(({ name, gap, gapShare, time, share, bars }) => [
        name,
        gap,
        gapShare,
        time,
        share,
        bars[0]?.left,
      ]),
      [
        ["document", "–", "", "100", "25.0 %", "0.00%"],
        ["body", "20", "5.0 %", "180", "45.0 %", "30.00%"],
        ["requests without a proven link to the document", "–", "", "100", "25.0 %", undefined],
      ],
    );
    assert.equal(
      [texts?.subject, texts?.host, texts?.duration, texts?.position],
      ["/v1/prices", "shop.test", "400", ""],
    );
    assert.is(loadTextsOf(where(load(0, 300)), null)?.rows.length, 2);
  });

  test("given steps, an experiment can be started on each but the rest, for its client", () => {
    const { rows = [] } = loadTextsOf(where(load(0, 400)), null) ?? {};
    assert.equal(
      rows.map(({ experiment }) => experiment?.wish),
      [7, 7, undefined].map((exchange) => exchange && { endpoint: "GET https://shop.test/v1/prices", exchange }),
    );
  });

  test("given several loads, shows the longest, or the chosen one, between its neighbours", () => {
    const record = where(load(1_000, 400), load(5_000, 900), load(9_000, 500));
    const longest = loadTextsOf(record, null);
    assert.equal([longest?.start, longest?.earlier, longest?.later], [5_000, 1_000, 9_000]);
    assert.match(longest?.position ?? "", /^, load 2 of 3, the slowest, began \d\d:\d\d:\d\d$/);
    const last = loadTextsOf(record, 9_000 as Instant);
    assert.match(last?.position ?? "", /^, load 3 of 3, began \d\d:\d\d:\d\d$/);
    assert.equal([last?.start, last?.earlier, last?.later], [9_000, 5_000, null]);
  });

  test("given any gains, the costliest step is the one that gains the most; of equal or unknown ones the longest", () => {
    const sketch = fc.record({ time: fc.nat(900), gain: fc.option(fc.nat(3), { nil: null }) });
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 1, maxLength: 12 }), (sketches) => {
        const path = sketches.map(({ time, gain }, index) => ({
          ...step(0, time),
          exchange: index as ExchangeId,
          endpoint: { ...endpoint, path: `/${index}` },
          ...(gain === null ? {} : { ifGone: { byLinks: gain, atMost: gain } }),
        }));
        const record = whereRecordOf({ ...NO_WAITING, loads: [{ start: 0 as Instant, duration: 20_000, path }] });
        const most = Math.max(...sketches.map(({ gain }) => gain ?? 0));
        const longest = Math.max(...sketches.filter(({ gain }) => (gain ?? 0) === most).map(({ time }) => time));
        const chosen = sketches[loadTextsOf(record, null)?.costliest?.exchange ?? -1];
        assert.equal([chosen?.gain ?? 0, chosen?.time], [most, longest]);
      }),
    );
  });

  test("given four and more steps to one endpoint, shows them as one row, which opens to them", () => {
    const main = { ...step(5, 400), exchange: 9 as ExchangeId, endpoint: { ...endpoint, path: "/main" } };
    const path = [main, step(20, 50), step(1, 60), step(1, 70), step(1, 80), main];
    const record = whereRecordOf({ ...NO_WAITING, loads: [{ start: 0 as Instant, duration: 1_093, path }] });
    const rowsOf = (...opened: ExchangeId[]) => loadTextsOf(record, null, new Set(opened))?.rows ?? [];
    const textsOf = (rows: ReturnType<typeof rowsOf>) =>
      rows.map(({ times, path: at, gap, time, share }) => [times, at, gap, time, share]);
    const closed = rowsOf();
    assert.equal(textsOf(closed), [
      ["", "/main", "5.0", "400", "36.6 %"],
      ["4 ×", "/v1/prices", "20 + 3.0", "260", "23.8 %"],
      ["", "/main", "5.0", "400", "36.6 %"],
    ]);
    const [, run] = closed;
    assert.equal(
      [run?.exchange, run?.run, run?.expanded, run?.gapShare, run?.title.split("\n"), run?.gapTitle],
      [
        null,
        7,
        "false",
        percentText((100 * 23) / 1_093),
        ["4 × GET https://shop.test/v1/prices", "Can't tell when the load would end without it"],
        "20 ms before the first, 3.0 ms between them",
      ],
    );
    const open = rowsOf(7 as ExchangeId);
    assert.equal(textsOf(open.toSpliced(2, 4)), textsOf(closed));
    assert.equal(
      run?.bars,
      open.slice(2, 6).flatMap(({ bars }) => bars),
    );
    assert.equal(
      open.map(({ isInRun }) => isInRun),
      [false, false, true, true, true, true, false],
    );
    const { steps, costliest } = loadTextsOf(record, null) ?? {};
    assert.equal([steps?.length, costliest?.path], [7, "/main"]);
    assert.equal(run?.exchanges, [7, 7, 7, 7]);
  });

  test("given what a run's steps save together, its row says so; its steps say what each saves alone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 20 }), fc.integer({ min: 1, max: 900 }), (count, gain) => {
        const gainOf = (atMost: number) => ({ byLinks: 0, atMost });
        const first = { ...step(5, 60), ifGone: gainOf(gain), ifRunGone: gainOf(gain * count) };
        const path = [first, ...Array.from({ length: count - 1 }, () => ({ ...step(5, 60), ifGone: gainOf(gain) }))];
        const record = whereRecordOf({ ...NO_WAITING, loads: [{ start: 0 as Instant, duration: 65 * count, path }] });
        const [run, ...own] = loadTextsOf(record, null, new Set([7 as ExchangeId]))?.rows ?? [];
        assert.equal([run?.run, run?.ifGone], [7, soonerText(gainOf(gain * count))]);
        assert.is(loadTextsOf(record, null)?.costliest?.key, run?.key, "the run is asked about first");
        assert.equal(new Set(own.map(({ ifGone }) => ifGone)), new Set([soonerText(gainOf(gain))]));
        assert.not.match(run?.title ?? "", /tell/);
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given no load, there is nothing to show", () => {
    assert.is(loadTextsOf(where(), null), null);
  });

  test("given any load, its steps and gaps stay within it", () => {
    const lengths = fc.array(fc.tuple(fc.nat(500), fc.nat(2_000)), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(lengths, fc.nat(3_000), (list, rest) => {
        const path = list.map(([gap, time]) => step(gap, time));
        const duration = 1 + rest + list.reduce((sum, [gap, time]) => sum + gap + time, 0);
        const texts = loadTextsOf(
          whereRecordOf({ ...NO_WAITING, loads: [{ start: 0 as Instant, duration, path }] }),
          null,
          new Set([7 as ExchangeId]),
        );
        for (const { gapStyle, bars } of texts?.rows ?? [])
          for (const { left, width } of [gapStyle, ...bars])
            assert.ok(Number.parseFloat(left) + Number.parseFloat(width) <= 100.01);
        assert.is(texts?.more === "", list.length <= 50);
      }),
    );
  });
});
