import * as assert from "uvu/assert";
import { exchangesOf } from "../../../../src/engine/interchange/report-text.ts";
import type { Tag } from "../../../../src/engine/model/exchange.ts";
import type { Finding } from "../../../../src/engine/model/finding.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { NO_WAITING } from "../../../../src/engine/model/where.ts";
import { numberedFinding, numberedWhere } from "../../../../src/engine/session/lists/row-numbers.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

/** What a report says of a finding's exchanges, in a session of these ids. */
function told(ids: readonly number[], named: readonly number[], tags: readonly Tag[] = [], rowCap?: number): string {
  const session = recorded(
    ids.map((id) => exchange({ id, tags })),
    rowCap,
  );
  return exchangesOf(numberedFinding({ exchanges: named } as unknown as Finding, session.table));
}

describe("numbers of a finding's exchanges", (test) => {
  test("given ids that go on over sessions, the numbers are those of the session; of a file's entries, the ids", () => {
    assert.is(told([501, 502, 503], [501, 503]), "Requests 1, 3");
    assert.is(told([1, 2, 3], [1, 3]), "Requests 1, 3");
    assert.is(told([2, 5, 9], [2, 9], ["imported"]), "Requests 2, 9");
  });

  test("given evicted exchanges, they have none", () => {
    assert.is(told([501, 502, 503], [501, 503], [], 2), "Requests 3");
    assert.is(told([501, 502, 503], [501], [], 2), "");
    assert.is(told([1, 2, 3], [1, 3], [], 2), "Requests 3");
  });
});

describe("numbers of the slowest requests", (test) => {
  test("given ids that go on over sessions, the numbers are those of the session; evicted ones keep their ids", () => {
    const session = recorded(
      [501, 502, 503].map((id) => exchange({ id })),
      2,
    );
    const endpoint = { method: "GET", origin: "https://a.test", path: "/", operation: null };
    const slowest = [501, 503].map((id) => {
      return {
        exchange: id as ExchangeId,
        endpoint,
        latency: 9,
        phase: "ttfb",
        phaseTime: 9,
        usual: null,
        usualOf: null,
      } as const;
    });
    assert.equal(
      numberedWhere({ ...NO_WAITING, slowest }, session.table).slowest.map(({ number }) => number),
      [undefined, 3],
    );
  });
});
