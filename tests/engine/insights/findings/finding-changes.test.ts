import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { findingChangesOf } from "../../../../src/engine/insights/findings/finding-changes.ts";
import type { CompareVerdict } from "../../../../src/engine/messages/compare-messages.ts";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import type { Finding, FindingKind } from "../../../../src/engine/model/finding.ts";
import { describe } from "../../../support/describe.ts";
import { findingOf } from "../../../support/found.ts";

const NO_VERDICTS: ReadonlyMap<Endpoint, CompareVerdict> = new Map();

const session = (exchanges: number, ...findings: readonly Finding[]) => ({ exchanges, findings, ungated: findings });

/** A finding whose fingerprint is its kind, if none is given. */
const changed = (kind: FindingKind, more: Partial<Finding>): Finding => {
  return { ...findingOf(kind, [1, 2, 3]), fingerprint: kind, ...more };
};

describe("finding changes between two sessions", (test) => {
  test("given any findings, tells each fingerprint once, with all its findings, and nothing changes against itself", () => {
    const finding = fc.record({
      kind: fc.constantFrom<FindingKind>("errors", "retries", "n-plus-one"),
      time: fc.option(fc.integer({ min: 1, max: 10_000 })),
      bytes: fc.option(fc.integer({ min: 1, max: 10_000 })),
      count: fc.integer({ min: 1, max: 300 }),
    });
    const drawn = fc.array(finding, { maxLength: 8 }).map((all) => all.map(({ kind, ...more }) => changed(kind, more)));
    fc.assert(
      fc.property(drawn, drawn, fc.integer({ min: 1, max: 400 }), (left, right, exchanges) => {
        const { added, gone, worse, better, same } = findingChangesOf(
          session(exchanges, ...left),
          session(200, ...right),
          NO_VERDICTS,
        );
        const both = [...worse, ...better, ...same];
        assert.equal(new Set([...gone, ...both.map(({ before }) => before)]), new Set(left));
        assert.equal(new Set([...added, ...both.map(({ now }) => now)]), new Set(right));
        const lists = [added, gone, ...[worse, better, same].map((pairs) => pairs.map(({ now }) => now))];
        const told = lists.flatMap((list) => [...new Set(list.map(({ fingerprint }) => fingerprint))]);
        assert.is(new Set(told).size, told.length, "a fingerprint is in one list");
        const itself = findingChangesOf(session(exchanges, ...left), session(exchanges, ...left), NO_VERDICTS);
        assert.is(itself.same.length, left.length);
      }),
    );
  });

  test("given an endpoint's failures as errors in one session and as retries in the other, they are known", () => {
    const kinds = fc.constantFrom<readonly [FindingKind, FindingKind]>(["errors", "retries"], ["retries", "errors"]);
    fc.assert(
      fc.property(kinds, fc.constantFrom("/a", "/b"), ([one, other], path) => {
        const at = (kind: FindingKind, own: string) => {
          const endpoint = { method: "GET", origin: "https://api.test", path: own, operation: null };
          return changed(kind, { endpoint, fingerprint: `${kind} ${own}` });
        };
        const [before, now] = [at(one, "/a"), at(other, path)];
        const { added, gone, same } = findingChangesOf(session(100, before), session(100, now), NO_VERDICTS);
        const isKnown = path === "/a";
        assert.equal([added, gone, same], isKnown ? [[], [], [{ before, now }]] : [[now], [before], []]);
        const both = [at("errors", "/a"), at("retries", "/a")];
        assert.equal(findingChangesOf(session(100, before), session(100, ...both), NO_VERDICTS).added.length, 1);
      }),
    );
  });

  test("given a finding that the other session holds too small to list, it is neither new nor gone", () => {
    const drawn = fc.record({ time: fc.integer({ min: 1, max: 10_000 }), small: fc.boolean(), isNow: fc.boolean() });
    fc.assert(
      fc.property(drawn, ({ time, small, isNow }) => {
        const listed = session(100, changed("unchanged-refetches", { time }));
        const other = { ...session(100), ungated: small ? [changed("unchanged-refetches", { time: 50 })] : [] };
        const { added, gone, same } = isNow
          ? findingChangesOf(other, listed, NO_VERDICTS)
          : findingChangesOf(listed, other, NO_VERDICTS);
        assert.equal([added.length + gone.length, same.length], small ? [0, 1] : [1, 0]);
        assert.is((isNow ? added : gone).length, small ? 0 : 1);
      }),
    );
  });

  test("given another fingerprint, calls it new; given other figures or another text, does not", () => {
    const before = changed("slow-when", {});
    const other = changed("slow-when", { fingerprint: "another" });
    const { added, gone } = findingChangesOf(session(100, before), session(100, other), NO_VERDICTS);
    assert.equal([added, gone], [[other], [before]]);
    const twin = { ...before, time: 110, summary: "Two.", attribute: { name: "query:page", value: "2" } };
    assert.equal(findingChangesOf(session(100, before), session(100, twin), NO_VERDICTS).same, [{ before, now: twin }]);
  });

  test("given two findings of one fingerprint, judges what they cost together", () => {
    const before = changed("errors", { count: 5, time: 100 });
    const now = [changed("errors", { count: 30, time: 600 }), changed("errors", { count: 30, time: 600 })];
    const { worse, added } = findingChangesOf(session(200, before), session(200, ...now), NO_VERDICTS);
    assert.equal([worse, added], [now.map((one) => ({ before, now: one })), []]);
  });

  test("given ten times the cost, calls it worse only if the endpoint is slower or it occurs in more of the requests", () => {
    const before = changed("slow-server", { count: 5, time: 100 });
    const now = changed("slow-server", { count: 5, time: 1_000 });
    const slower = new Map([["GET https://api.test/slow-server" as Endpoint, "slower" as const]]);
    const of = (finding: Finding, exchanges: number, verdicts = NO_VERDICTS) =>
      findingChangesOf(session(200, before), session(exchanges, finding), verdicts);
    assert.is(of(now, 200).same.length, 1);
    assert.is(of(now, 200, slower).worse.length, 1);
    assert.is(of({ ...now, count: 60 }, 200).worse.length, 1);
    // Ten times the requests with ten times the cost is the same.
    assert.is(of({ ...now, count: 50 }, 2_000, slower).same.length, 1);
  });

  test("given the reverse, calls it better", () => {
    const before = changed("errors", { count: 60, time: null });
    const now = changed("errors", { count: 5, time: null });
    assert.is(findingChangesOf(session(200, before), session(200, now), NO_VERDICTS).better.length, 1);
  });
});
