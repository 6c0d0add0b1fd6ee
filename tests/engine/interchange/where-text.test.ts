import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { whereTextsOf } from "../../../src/engine/interchange/where-text.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { NO_WAITING, WAIT_PHASES, type WaitPart, type Where } from "../../../src/engine/model/where.ts";
import { describe } from "../../support/describe.ts";

const endpoint = { method: "GET", origin: "https://shop.test", path: "/api/recommendations", operation: null };
const part = (time: number, share: number, path = endpoint.path): WaitPart => {
  return { endpoint: { ...endpoint, path }, phase: "ttfb", time, share, requests: 1 };
};
const where = (change: Partial<Where>): Where => ({ ...NO_WAITING, waiting: 12_400, ...change });
const partsOf = (one: Where, waiting = one.waiting) => whereTextsOf(one, waiting).parts.map(({ text }) => text);

describe("Where the time went, text", (test) => {
  test("given one request that took nearly all, says so first", () => {
    const parts = partsOf(where({ parts: [part(12_152, 0.98), part(248, 0.02, "/")] }));
    assert.equal(parts, [
      "98 % of 12.4 s: the server of GET /api/recommendations (12.2 s in 1 request)",
      "2 %: the server of GET / (248 ms in 1 request)",
    ]);
  });

  test("given several hosts, names them", () => {
    const other = { ...part(400, 0.03), endpoint: { ...endpoint, origin: "https://cdn.test", operation: "Get" } };
    assert.equal(partsOf(where({ parts: [part(12_000, 0.97), other] })), [
      "97 % of 12.4 s: the server of GET shop.test/api/recommendations (12.0 s in 1 request)",
      "3 %: the server of GET cdn.test/api/recommendations · Get (400 ms in 1 request)",
    ]);
  });

  test("given many parts, sums up the smaller ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (count) => {
        const parts = Array.from({ length: count }, () => part(12_400 / count, 1 / count));
        const texts = partsOf(where({ parts }));
        if (count <= 6) assert.is(texts.length, count);
        else assert.match(texts.at(-1) ?? "", `: ${count - 5} smaller parts (`);
        const shares = whereTextsOf(where({ parts }), 12_400).parts.reduce((sum, { share }) => sum + share, 0);
        assert.ok(Math.abs(shares - 1) < 1e-9);
      }),
    );
  });

  test("given shares near nothing and near all, does not round them to 0 or 100", () => {
    assert.equal(
      partsOf(where({ parts: [part(12_399, 0.9999), part(1, 0.0001)] })).map((text) => text.split(" %")[0]),
      ["> 99", "< 0.1"],
    );
  });

  test("given no waiting, says that; given streams, how long they took to begin", () => {
    assert.equal(partsOf(NO_WAITING), ["No client waited for a response that has an end."]);
    assert.equal(partsOf(NO_WAITING, 8_000), [
      "No client waited for a response that has an end.",
      "8.0 s more passed until streams began.",
    ]);
  });

  test("given any phase, names it", () => {
    for (const phase of WAIT_PHASES)
      assert.match(partsOf(where({ parts: [{ ...part(1, 1), phase }] }))[0] ?? "", /%.*: \w.* GET \/api/);
  });

  test("given slow requests, tells the largest phase beside the usual", () => {
    const times = { latency: 7_409, phase: "ttfb", phaseTime: 7_400 } as const;
    const slowest = [
      { exchange: 20 as ExchangeId, endpoint, ...times, usual: 44, usualOf: "endpoint" as const },
      { exchange: 21 as ExchangeId, endpoint, ...times, usual: null, usualOf: null },
    ];
    assert.equal(whereTextsOf(where({ slowest }), 0).lists, [
      {
        title: "The slowest requests",
        items: [
          "7,409 ms GET /api/recommendations (request 20): server 7,400 ms, usually 44 ms",
          "7,409 ms GET /api/recommendations (request 21): server 7,400 ms",
        ],
        note: "",
      },
    ]);
  });

  test("given page loads, tells the longest, their steps, and what is not proven", () => {
    const step = { exchange: 1 as ExchangeId, endpoint, phase: "ttfb" } as const;
    const path = [
      { ...step, gap: 0, meanwhile: null, time: 100 },
      { ...step, gap: 20, meanwhile: { ...endpoint, path: "/config.json" }, time: 190 },
      { ...step, gap: 0, meanwhile: null, isPossible: true as const, time: 10 },
    ];
    const loads = [{ start: 0 as Instant, duration: 400, path }];
    const { lists } = whereTextsOf(where({ loads }), 0);
    assert.is(lists[0]?.title, "Page load GET /api/recommendations, 400 ms");
    assert.equal(lists[0]?.items, [
      "100 ms GET /api/recommendations: mostly server",
      "20 ms until the next step began, meanwhile GET /config.json",
      "190 ms GET /api/recommendations: mostly server",
      "10 ms GET /api/recommendations, which possibly waited for the step before: mostly server",
      "80 ms more until the load ended: requests without a proven link to the document",
    ]);
    const whole = whereTextsOf(where({ loads: [{ start: 0 as Instant, duration: 320, path }] }), 0);
    assert.is(whole.lists[0]?.items.length, 4);
  });

  test("given loads alike, tells the longest of each kind at length, and the others by their times", () => {
    const kind = fc.record({ document: fc.constantFrom("/a", "/b", "/c"), costliest: fc.constantFrom("/x", "/y") });
    const drawn = fc.array(fc.tuple(kind, fc.integer({ min: 200, max: 900 })), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(drawn, (sketches) => {
        const stepOf = (path: string, time: number) => ({
          exchange: 1 as ExchangeId,
          endpoint: { ...endpoint, path },
          meanwhile: null,
          phase: "ttfb" as const,
          gap: 0,
          time,
        });
        const loads = sketches.map(([{ document, costliest }, duration], index) => ({
          start: index as Instant,
          duration,
          path: [stepOf(document, 50), stepOf(costliest, 100)],
        }));
        const durations = new Map<string, number[]>();
        for (const [one, duration] of sketches)
          durations.set(JSON.stringify(one), [...(durations.get(JSON.stringify(one)) ?? []), duration]);
        const kinds = [...durations.values()].map((times) => times.toSorted((one, other) => other - one));
        const { lists } = whereTextsOf(where({ loads }), 0);
        assert.is(lists.length, Math.min(3, kinds.length));
        const longest = kinds.map(([time = 0]) => time).toSorted((one, other) => other - one);
        const like = lists.map(({ note }) => Number(/^(\d+) more load/.exec(note)?.[1] ?? 0));
        const unlisted = loads.length - like.reduce((sum, count) => sum + 1 + count, 0);
        for (const [index, { title, items, bars, note }] of lists.entries()) {
          assert.match(title, `, ${longest[index]} ms`);
          assert.is(items.length, bars?.length, "each item is a step with a bar");
          const texts = kinds.map(([, ...rest]) => {
            if (rest.length === 0) return "";
            const times = rest.slice(0, 10).map((time) => `${time} ms`);
            const more = rest.length > 10 ? ", and the others less" : "";
            return `${rest.length} more ${rest.length === 1 ? "load" : "loads"} like this one: ${times.join(", ")}${more}`;
          });
          const others = index === 2 && unlisted > 0 ? othersText(unlisted, longest[3] ?? 0) : "";
          assert.ok(note.endsWith(others), note);
          assert.ok(texts.includes(note.slice(0, note.length - others.length).replace(/; $/, "")), note);
        }
      }),
    );
  });

  test("given a run of steps to one endpoint, tells it as one step with its count, and no step after it is cut", () => {
    const step = { exchange: 1 as ExchangeId, endpoint, meanwhile: null, phase: "ttfb" } as const;
    const gain = (atMost: number) => ({ byLinks: atMost, atMost });
    const item = { ...step, endpoint: { ...endpoint, path: "/api/item/{id}" } };
    const run = Array.from({ length: 30 }, (_, index) => ({
      ...item,
      gap: index === 0 ? 7 : 1,
      time: 33,
      ...(index > 27 ? { isPossible: true as const } : {}),
      ...(index === 0 ? { ifGone: gain(33), ifRunGone: gain(990) } : {}),
    }));
    const path = [{ ...step, gap: 0, time: 100 }, ...run, { ...step, gap: 0, time: 400, phase: "transfer" as const }];
    const duration = 100 + 7 + 29 + 990 + 400;
    const { lists } = whereTextsOf(where({ loads: [{ start: 0 as Instant, duration, path }] }), 0);
    assert.equal(lists[0]?.items, [
      "100 ms GET /api/recommendations: mostly server",
      "7 ms until the next step began",
      "990 ms 30 × GET /api/item/{id}, and 29 ms between them, 2 of which possibly waited for the step before: mostly server; without them, the load would end 990 ms sooner",
      "400 ms GET /api/recommendations: mostly body",
    ]);
    assert.is(lists[0]?.bars?.at(-1)?.to, 1);
  });

  test("given limits of a source, lists them in one line", () => {
    assert.is(whereTextsOf(where({ limits: ["No bodies.", "3 runs."] }), 0).limits, "No bodies. 3 runs.");
  });
});

function othersText(count: number, longest: number): string {
  return count === 1 ? `1 other load: ${longest} ms` : `${count} other loads: at most ${longest} ms each`;
}
