import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { exchangeComparisonOf } from "../../../extensions/proxy/analysis-thread/exchange-comparison.ts";
import { trafficOf } from "../../../src/engine/insights/findings/traffic.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { type Said, type Stored, withStored } from "../../support/stored.ts";

const id = (number: number) => number as ExchangeId;

async function comparisonIn({ session, reader }: Stored, exchange: number, other: number | "twin") {
  const { facts, links } = await linkedFactsOf(session, reader, 300);
  const source = { session, reader, traffic: trafficOf(facts, links) };
  return exchangeComparisonOf(source, { exchange: id(exchange), other: other === "twin" ? other : id(other) });
}

/** Twenty-four requests to one endpoint, of which every fourth is slow and says so in a header. */
const CONVERSATION: readonly Said[] = Array.from({ length: 24 }, (_, index) => {
  const start = index * 1_000;
  const isSlow = index % 4 === 0;
  const at = { requestStart: start, requestEnd: start, responseStart: start + (isSlow ? 400 : 20) };
  const end = at.responseStart + 1;
  return {
    sketch: {
      id: index + 1,
      target: "/a?page=1",
      start,
      end,
      contentEncoding: "gzip",
      contentType: "application/json",
      instants: { ...at, responseForwarded: at.responseStart, responseEnd: end },
      ...(index === 23 ? { tags: ["resent"] as const } : {}),
    },
    responseHeaders: [`x-cache: ${isSlow ? "MISS" : "HIT"}`],
    responseBody: gzipSync(JSON.stringify({ rows: [index], isSlow })),
  };
});

describe("comparison of two recorded exchanges", (test) => {
  test("given a slow request and its twin, tells headers, decoded bodies and what slow requests share", () =>
    withStored(CONVERSATION, async (stored) => {
      const found = await comparisonIn(stored, 5, "twin");
      assert.ok(found.ok);
      const { one, other, rows, responseBody, requestBody } = found.value;
      assert.is(one.id, id(5));
      assert.is.not(other.id % 4, 1);
      assert.equal(
        rows.filter(({ isTelling }) => isTelling).map(({ name, shared }) => [name, shared]),
        [["x-cache", { slowWith: 6, slow: 6, othersWith: 0, others: 17 }]],
      );
      assert.equal(responseBody, {
        kind: "json",
        differences: [
          { path: "rows[0]", one: "4", other: String(other.id - 1) },
          { path: "isSlow", one: "true", other: "false" },
        ],
        more: 0,
      });
      assert.equal(requestBody, { kind: "same", size: 0 });
    }));

  test("given a request that was sent again, compares it although no statistic counts it", () =>
    withStored(CONVERSATION, async (stored) => {
      const found = await comparisonIn(stored, 24, 2);
      assert.ok(found.ok);
      const { rows, slowFrom } = found.value;
      assert.ok(slowFrom !== null && slowFrom > 21 && slowFrom < 400);
      const names = new Set(rows.map(({ name }) => name));
      assert.not.ok(names.has("in-flight") || names.has("status"), [...names].join());
    }));

  test("given an exchange in flight or one that is gone, refuses with what to do", () =>
    withStored([...CONVERSATION, { sketch: { id: 30, start: 90_000, end: null } }], async (stored) => {
      for (const [one, other] of [
        [30, 1],
        [1, 30],
        [1, 99],
      ] as const) {
        const found = await comparisonIn(stored, one, other);
        assert.match(found.ok ? "" : found.problem, /Choose another one/);
      }
    }));

  test("given a body above a MiB, compares its beginning and says so", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2_000_000 }), async (at) => {
        const body = Buffer.alloc(2_100_000, "a");
        const changed = Buffer.from(body);
        changed[at] = 98;
        const said = [body, changed].map((responseBody, index) => ({ sketch: { id: index + 1 }, responseBody }));
        await withStored(said, async (stored) => {
          const found = await comparisonIn(stored, 1, 2);
          assert.ok(found.ok && found.value.isCut);
          assert.is(found.value.responseBody.kind, at < 1_048_576 ? "text" : "same");
        });
      }),
      { numRuns: rounds(4) },
    ));
});
