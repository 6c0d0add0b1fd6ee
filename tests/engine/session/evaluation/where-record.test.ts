import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { NO_WAITING, type WaitPart } from "../../../../src/engine/model/where.ts";
import { whereRecordOf } from "../../../../src/engine/session/evaluation/where-record.ts";
import { describe } from "../../../support/describe.ts";

const endpoint = { method: "GET", origin: "https://a.test", path: "/", operation: null };
const part = (time: number, phase: WaitPart["phase"] = "ttfb"): WaitPart => {
  return { endpoint, phase, time, share: 0.1, requests: 1 };
};
const step = { exchange: 1 as ExchangeId, endpoint, gap: 0, meanwhile: endpoint, time: 1, phase: "ttfb" } as const;

describe("Where the time went, record", (test) => {
  test("given any number of parts, holds the ten largest, their number, and all of Weir's own time", () => {
    fc.assert(
      fc.property(fc.nat(40), (count) => {
        const parts = Array.from({ length: count }, (_, index) => part(100 - index, index % 2 === 0 ? "weir" : "ttfb"));
        const record = whereRecordOf({ ...NO_WAITING, parts });
        assert.equal(record.parts, parts.slice(0, 10));
        assert.is(record.partCount, count);
        assert.is(
          record.weir,
          parts.filter(({ phase }) => phase === "weir").reduce((sum, { time }) => sum + time, 0),
        );
      }),
    );
  });

  test("given many and long page loads, holds the ten longest by start, each with 50 steps", () => {
    const loads = Array.from({ length: 30 }, (_, index) => {
      return { start: index as Instant, duration: (index * 7) % 30, path: Array(60).fill(step) };
    });
    const record = whereRecordOf({ ...NO_WAITING, loads });
    assert.equal(
      record.loads.map(({ start }) => start),
      [3, 4, 8, 12, 16, 17, 20, 21, 25, 29],
    );
    assert.ok(record.loads.every(({ path, steps }) => path.length === 50 && steps === 60));
  });

  test("given a path as long as a head, cuts it", () => {
    const long = { ...part(1), endpoint: { ...endpoint, path: `/${"a".repeat(60_000)}` } };
    assert.is(whereRecordOf({ ...NO_WAITING, parts: [long] }).parts[0]?.endpoint.path.length, 513);
  });
});
