import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Tag } from "../../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { recordedBeside } from "../../../../src/engine/session/lists/recorded-beside.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { rounds } from "../../../support/rounds.ts";

const TAGS: Readonly<Record<string, readonly Tag[]>> = { resent: ["resent"], stream: ["event-stream"] };

const drawn = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 60 }),
    length: fc.integer({ min: 1, max: 30 }),
    kind: fc.constantFrom("own", "own", "sibling", "elsewhere", "resent", "stream", "in-flight"),
  }),
  { minLength: 1, maxLength: 40 },
);

describe("latencies of overlapping requests", (test) => {
  test("given any requests, those are beside others that began while a counted one to the same server was in flight", () => {
    fc.assert(
      fc.property(drawn, (requests) => {
        const session = new Session();
        const all = requests.map(({ start, length, kind }, index) => ({
          start,
          kind,
          end: kind === "in-flight" ? null : start + length,
          made: exchange({
            id: index + 1,
            start,
            end: kind === "in-flight" ? null : start + length,
            target: kind === "sibling" ? "/other" : "/own",
            origin: kind === "elsewhere" ? "https://elsewhere.test" : "https://api.test",
            tags: TAGS[kind] ?? [],
          }),
        }));
        for (const { made } of all) session.add(made);
        const counted = all.filter(({ kind }) => ["own", "sibling", "in-flight"].includes(kind));
        const othersOf = (own: (typeof all)[number]) =>
          counted.filter((one) => one !== own && one.start <= own.start && (one.end ?? 1e9) > own.start).length;
        for (const [row, own] of all.entries()) {
          if (own.kind !== "own") continue;
          const { beside, latencies } = recordedBeside(session.table, row);
          assert.is(beside, othersOf(own));
          const timed = counted.filter(({ kind }) => kind === "own");
          const lengths = (isBeside: boolean) =>
            timed.filter((one) => othersOf(one) > 0 === isBeside).map(({ start, end }) => (end ?? 0) - start);
          assert.equal(latencies, { alone: lengths(false), beside: lengths(true) });
        }
      }),
    );
  });

  test("given more rows than it reads, counts earlier requests in flight; after an eviction, they are unknown", () => {
    const total = 25_000;
    const made = exchange();
    const recordedWith = (others: number, rowCap?: number) => {
      const session = new Session(rowCap);
      for (let start = 0; start < total; start += 1) {
        const endTime = (start + others + 0.5) as Instant;
        const instants = { ...made.instants, startTime: start as Instant, responseEnd: endTime };
        session.add({ ...made, id: (start + 1) as typeof made.id, instants, endTime });
      }
      return session.table;
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 20, max: total - 1 })),
        (others, drawn) => {
          const table = recordedWith(others);
          for (const row of [100, 4_000, 5_001, ...drawn]) {
            const { beside, latencies } = recordedBeside(table, row);
            assert.is(beside, others, `row ${row}`);
            assert.ok(latencies.beside.length >= 10_000);
            assert.ok(latencies.alone.length <= 1, "only the first request of the session started alone");
          }
        },
      ),
      { numRuns: rounds(5) },
    );
    const evicted = recordedWith(9, 12_000);
    assert.equal(
      [0, 4_999, 5_000, 11_999].map((position) => recordedBeside(evicted, evicted.firstRow + position).beside),
      [null, null, 9, 9],
    );
    assert.is(recordedBeside(evicted, evicted.firstRow).latencies.alone.length, 0);
  });
});
