import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ROW_KEYS } from "../../../../src/engine/messages/traffic-messages.ts";
import { hostOf } from "../../../../src/engine/model/endpoint.ts";
import { type Exchange, statusOf } from "../../../../src/engine/model/exchange.ts";
import { occurringValuesOf } from "../../../../src/engine/session/lists/occurring-values.ts";
import { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { contextOf, recorded } from "../../../support/recorded.ts";

describe("occurring values", (test) => {
  test("given any exchanges, returns each value with its number of exchanges, most frequent first", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const session = recorded(exchanges);
        const counted = (of: (made: Exchange) => string | null) => {
          const counts = new Map<string, number>();
          for (const made of exchanges) {
            const value = of(made);
            if (value !== null && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
          }
          return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
        };
        const told = (key: (typeof ROW_KEYS)[number]) =>
          new Map(
            occurringValuesOf(session, key)
              .map(({ value, exchanges: count }) => [value, count] as const)
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          );
        assert.equal(
          told("method"),
          counted(({ method }) => method),
        );
        assert.equal(
          told("protocol"),
          counted(({ protocol }) => protocol),
        );
        assert.equal(
          told("host"),
          counted(({ origin }) => hostOf(origin)),
        );
        assert.equal(
          told("type"),
          counted(({ contentType }) => contentType?.split(";")[0] ?? null),
        );
        assert.equal(
          told("status"),
          counted(({ outcome }) => statusOf(outcome)?.toString() ?? null),
        );
        for (const key of ROW_KEYS) {
          const counts = occurringValuesOf(session, key).map(({ exchanges: count }) => count);
          assert.equal(
            counts,
            counts.toSorted((a, b) => b - a),
          );
        }
      }),
    );
  });

  test("given more than 200 values, returns the 200 most frequent", () => {
    const session = recorded(
      Array.from({ length: 300 }, (_, index) => exchange({ id: index + 1, status: 200 + (index % 250) })),
    );
    const answer = new QueryRunner({ view: "occurring", key: "status" }).answer(contextOf(session));
    const statuses = occurringValuesOf(session, "status");
    assert.equal(answer, { kind: "value", value: statuses });
    assert.is(statuses.length, 200);
    assert.is(statuses[0]?.exchanges, 2);
  });
});
