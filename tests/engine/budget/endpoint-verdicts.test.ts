import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Budget } from "../../../src/engine/budget/budget.ts";
import {
  matcherOf,
  type Requested,
  requestsVerdict,
  verdictsOf,
} from "../../../src/engine/budget/endpoint-verdicts.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { endpointStatsOf } from "../../../src/engine/session/lists/endpoint-lists.ts";
import { percentileOf } from "../../../src/engine/stats/percentile.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";

type Limits = Pick<Budget, "endpoints" | "findings">;

const NOTHING = { no: [] };

/** The requests of each path, with latencies `lengths` in ms. */
function requestedOf(lengths: Readonly<Record<string, readonly number[]>>): readonly Requested[] {
  let id = 0;
  const made = Object.entries(lengths).flatMap(([target, all]) =>
    all.map((end) => {
      id += 1;
      return exchange({ id, end, target });
    }),
  );
  return recorded(made)
    .tallies.counted()
    .map((tally) => {
      return { endpoint: tally.endpoint, requests: tally.requests, stats: endpointStatsOf(tally) };
    });
}

describe("budget verdicts", (test) => {
  test("given a percentile limit, judges it by the sorted latencies, and only from the minimum count on", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 40 });
    const shares = fc.constantFrom<["p50" | "p95" | "p99", number]>(["p50", 0.5], ["p95", 0.95], ["p99", 0.99]);
    fc.assert(
      fc.property(
        lengths,
        shares,
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 5, max: 12 }),
        (all, [what, share], limit, n) => {
          const budget: Limits = { endpoints: { "GET /orders": { [what]: limit, n } }, findings: NOTHING };
          const { verdicts, unjudged } = verdictsOf(budget, requestedOf({ "/orders": all }), []);
          const [verdict] = verdicts;
          const figure = percentileOf(Float64Array.from(all).sort(), share);
          assert.equal([verdicts.length, unjudged, verdict?.n], [1, 0, all.length]);
          const outcome = figure > limit ? "broken" : "kept";
          assert.is(verdict?.outcome, all.length < n ? "too-few" : outcome);
          assert.is(verdict?.measured, all.length < n ? null : figure);
        },
      ),
    );
  });

  test("given a pattern that some endpoints meet too rarely, judges the others and counts the rare ones", () => {
    const requested = requestedOf({ "/a": [1, 2, 3, 4, 5], "/b": [900], "/c": [900] });
    const limits: Limits = { endpoints: { "*": { p95: 100, count: 4 } }, findings: NOTHING };
    const { verdicts, unjudged } = verdictsOf(limits, requested, []);
    assert.equal(verdicts.map(({ subject, what, outcome }) => `${subject.slice(-2)} ${what} ${outcome}`).sort(), [
      "/a count broken",
      "/a p95 kept",
      "/b count kept",
      "/c count kept",
    ]);
    assert.is(unjudged, 2);
    const rare = verdictsOf({ endpoints: { "/b": { p95: 1 }, "/none": { p50: 1 } }, findings: NOTHING }, requested, []);
    assert.equal(
      rare.verdicts.map(({ subject, outcome, detail }) => [subject, outcome, detail]),
      [
        ["GET https://api.test/b", "too-few", "5 needed"],
        ["/none", "too-few", "no request matches"],
      ],
    );
  });

  test("given forbidden kinds of finding, each kind found is broken with its summary and the others are kept", () => {
    const found = [
      { kind: "retries", count: 3, summary: "Three." },
      { kind: "polling", count: 2, summary: "Two." },
    ] as const;
    const { verdicts } = verdictsOf({ endpoints: {}, findings: { no: ["retries", "n-plus-one"] } }, [], found);
    assert.equal(
      verdicts.map(({ subject, outcome, detail }) => [subject, outcome, detail]),
      [
        ["retries", "broken", "Three."],
        ["n-plus-one", "kept", ""],
      ],
    );
  });

  test("given fewer requests than are needed, the verdict is too-few; given enough, there is no verdict", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 }), (requests, min) => {
        const verdict = requestsVerdict(requests, { min }, "in the baseline");
        assert.is(verdict === null, requests >= min);
        if (verdict === null) return;
        assert.equal([verdict.outcome, verdict.what, verdict.limit, verdict.n], ["too-few", "requests", min, requests]);
      }),
    );
  });

  test("given findings that one endpoint must not have, judges those at the pattern's endpoints alone", () => {
    const requested = requestedOf({ "/a": [1], "/b": [2] });
    const at = (path: string) => ({ method: "GET", origin: "https://api.test", path, operation: null });
    const found = [
      { kind: "n-plus-one", count: 9, summary: "At a.", endpoint: at("/a"), time: 400 },
      { kind: "n-plus-one", count: 9, summary: "At b.", endpoint: at("/b"), time: 600 },
      { kind: "n-plus-one", count: 9, summary: "Nowhere.", endpoint: null, time: 900 },
    ] as const;
    const own = { no: [], "n-plus-one": { time: 500 } };
    const { verdicts } = verdictsOf(
      { endpoints: { "/a": { findings: own }, "/b": { findings: own }, "/c": { findings: own } }, findings: NOTHING },
      requested,
      found,
    );
    assert.equal(
      verdicts.map(({ detail, outcome, place }) => [detail, outcome, place?.join(" ")]),
      [
        ["At a.", "kept", "endpoints /a findings n-plus-one time"],
        ["At b.", "broken", "endpoints /b findings n-plus-one time"],
        ["no request matches", "too-few", "endpoints /c findings"],
      ],
    );
  });

  test("given patterns with a method, a path, a URL or *, matches exactly the endpoints they describe", () => {
    const orders = "GET https://api.test/v1/orders/{id}" as Endpoint;
    const graph = "POST https://api.test/graphql · GetUser" as Endpoint;
    const matching = (pattern: string) => [orders, graph].filter(matcherOf(pattern)).length;
    for (const [pattern, count] of [
      ["*", 2],
      ["GET *", 1],
      ["/v1/orders/{id}", 1],
      ["/v1/*", 1],
      ["/v1", 0],
      ["POST /graphql · Get*", 1],
      ["* https://api.test/*", 2],
      ["https://other.test/*", 0],
      ["get /v1/*", 0],
      ["*orders*", 1],
    ] as const)
      assert.is(matching(pattern), count, pattern);
  });

  test("given a pattern with many stars, matches the same paths as the equivalent regular expression", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), word, (pieces, text) => {
        const path = `/${text}`;
        const pattern = `/${pieces.join("*")}`;
        const plain = new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(path);
        assert.is(matcherOf(pattern)(`GET https://api.test${path}` as Endpoint), plain, `${pattern} ${path}`);
      }),
    );
  });
});
