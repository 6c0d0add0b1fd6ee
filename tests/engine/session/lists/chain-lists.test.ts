import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NO_PATHS } from "../../../../src/engine/insights/links/critical-paths.ts";
import type { WalkPosition } from "../../../../src/engine/insights/links/walks.ts";
import type { Repeat } from "../../../../src/engine/model/repeat.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { chainsOf, groupRows, repeatRows } from "../../../../src/engine/session/lists/chain-lists.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const session = recorded([1, 2, 3, 4, 5].map((id) => exchange({ id, end: 5 })));
const idsOf = (...ids: readonly number[]) => ids.map((id) => id as ExchangeId);

/** A chain of two exchanges, and further occurrences that are not shown. */
function walkOf(first: number, second: number) {
  const { endpoint: _, ...rest } = exchange();
  const endpoint = { method: rest.method, origin: rest.origin, path: "/", operation: null };
  const steps = idsOf(first, second).map((id) => ({ id, endpoint, start: 0 as Instant, end: 5 as Instant }));
  const [from, to] = idsOf(first, second) as [ExchangeId, ExchangeId];
  const evidence = { source: "order", name: null, value: "1 of 1" };
  const links = [{ from, to, kind: "sequential", basis: "order", gap: 0, evidence }] as const;
  const longest = { client: "c", duration: 5, clientTime: 0, retryAfterTime: 0, steps, links };
  return { count: 3, median: 5, longest, first: from, isProven: false, couldSave: null };
}

function repeatOf(exchanges: readonly ExchangeId[]): Repeat {
  return {
    kind: "polling",
    template: `GET https://api.test/${exchanges.join("-")}`,
    exchanges,
    time: 5,
    isUpTo: false,
    bytes: null,
    summary: "was polled.",
  };
}

describe("finding records", (test) => {
  test("given matching rows, list the chains that one is part of, in any occurrence, and count all", () => {
    const positions = new Map<number, WalkPosition>(
      [1, 2, 5].map((id) => [id, { walk: id === 5 ? 1 : 0, link: null }]),
    );
    const found = {
      walks: [walkOf(1, 2), walkOf(3, 4)],
      paths: NO_PATHS,
      chainGap: 300,
      progress: 1,
      leftOut: 0,
      positionOf: (id: ExchangeId) => positions.get(id) ?? null,
    };
    const keysOf = (rows: readonly number[] | null) => {
      const { chains, total } = chainsOf(session, found, rows === null ? null : Uint32Array.from(rows));
      return [chains.map(({ key }) => Number(key)), total];
    };
    assert.equal(keysOf(null), [[1, 3], 2]);
    assert.equal(keysOf([0]), [[1], 2]);
    assert.equal(keysOf([4]), [[3], 2], "by an occurrence that is not the longest");
    assert.equal(keysOf([]), [[], 2]);
  });

  test("given matching rows, list the repeats that one is part of", () => {
    const found = { repeats: [repeatOf(idsOf(1, 2)), repeatOf(idsOf(3, 4, 5))], progress: 1, leftOut: 0 };
    const range = { from: 0, count: 9 };
    const { records, matched, total } = repeatRows(session, found, range, Uint32Array.of(3));
    assert.equal([records.map(({ exchanges }) => exchanges), matched, total], [[3], 1, 2]);
    assert.is(repeatRows(session, found, range).matched, 2);
  });

  test("given any evicted exchanges, windows of groups and of repeats hold as many records as their totals promise", () => {
    const drawn = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 2 }), { maxLength: 12 });
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5 }), (sets, rowCap, count) => {
        const made = Array.from({ length: 60 }, (_, start) => exchange({ id: start + 1, start, end: start + 5 }));
        const evicting = recorded(made, rowCap);
        const all = sets.map((ids) => idsOf(...ids.toSorted((one, other) => one - other)));
        const groups = all.map((exchanges) => ({ client: "c", exchanges, start: 0 as Instant, end: 9 as Instant }));
        const repeats = all.map((exchanges) => repeatOf(exchanges));
        const sort = { column: "exchanges", descending: true } as const;
        const lists = {
          groups: (from: number) => groupRows(evicting, { groups, groupOf: () => null }, sort, { from, count }),
          repeats: (from: number) => repeatRows(evicting, { repeats, progress: 1, leftOut: 0 }, { from, count }),
        };
        const isKept = (id: ExchangeId | undefined) => id !== undefined && id > 60 - rowCap;
        const listed = {
          groups: all.filter((exchanges) => exchanges.slice(0, 50).some(isKept)),
          repeats: all.filter((exchanges) => isKept(exchanges[0])),
        };
        for (const name of ["groups", "repeats"] as const) {
          const keys: string[] = [];
          const { total } = lists[name](0);
          for (let from = 0; from < total; from += count) {
            const window = lists[name](from);
            assert.equal([window.total, window.matched], [listed[name].length, listed[name].length]);
            assert.is(window.records.length, Math.min(count, total - from));
            keys.push(...window.records.map(({ key }) => key.replace(/\D+/, "")));
          }
          assert.equal(keys.toSorted(), listed[name].map(([first]) => String(first)).toSorted());
        }
      }),
    );
  });
});
