import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { findingVerdict } from "../../../src/engine/budget/finding-verdicts.ts";
import { regressionsOf } from "../../../src/engine/budget/regressions.ts";
import type { Verdict } from "../../../src/engine/budget/verdict.ts";
import { type ComparedSides, withChanges } from "../../../src/engine/budget/verdict-changes.ts";
import { findingChangesOf } from "../../../src/engine/insights/findings/finding-changes.ts";
import { bandsOf } from "../../../src/engine/insights/trends.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import type { Finding } from "../../../src/engine/model/finding.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { compareRows } from "../../../src/engine/session/lists/compare-list.ts";
import { figuresOf, type SessionFigures } from "../../../src/engine/session/lists/figures.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { findingOf } from "../../support/found.ts";
import { recorded } from "../../support/recorded.ts";
import { rounds } from "../../support/rounds.ts";
import { times } from "../../support/scene.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

/** The requests of one path; a size in bytes, and how many of the requests fail. */
interface Drawn {
  readonly median: number;
  readonly requests?: number;
  readonly size?: number;
  readonly failed?: number;
}

/** The figures of a run: 60 requests to each path, with a log standard deviation of 0.25. */
function run(random: () => number, paths: Readonly<Record<string, Drawn>>): SessionFigures {
  const all = Object.entries(paths).flatMap(([target, { median, requests = 60, size = 100, failed = 0 }], position) =>
    times(requests).map((index) =>
      exchange({
        id: position * 1_000 + index + 1,
        target,
        end: lognormal(random, median, 0.25),
        encodedBodySize: size + (index % 7),
        status: index < failed ? 500 : 200,
      }),
    ),
  );
  return figuresOf(recorded(all));
}

const sidesOf = (
  left: SessionFigures,
  right: SessionFigures,
  findings: readonly (readonly Finding[])[] = [],
): ComparedSides => {
  const sort = { column: "verdict", descending: true } as const;
  const range = { from: 0, count: 100 };
  return {
    before: { endpoints: left.endpoints, loads: [] },
    now: { endpoints: right.endpoints, loads: [] },
    findings: findingChangesOf(
      { exchanges: left.counted, findings: findings[0] ?? [], ungated: findings[0] ?? [] },
      { exchanges: right.counted, findings: findings[1] ?? [], ungated: findings[1] ?? [] },
      new Map(),
    ),
    compared: unwrap(compareRows({ left, right }, DEFAULT_SETTINGS, [], sort, range)).records,
    bands: bandsOf(DEFAULT_SETTINGS),
  };
};

const limit = (what: "p50" | "p95" | "size" | "errors" | "count", path: string, n = 60): Verdict => ({
  outcome: "broken",
  subject: `GET https://api.test${path}`,
  what,
  place: ["endpoints", path, what],
  limit: 1,
  measured: 2,
  time: null,
  n,
  detail: "",
  fingerprint: null,
  change: null,
  acceptance: null,
  evidence: [],
});

const found = (digit: string, count: number): Finding => {
  return { ...findingOf("n-plus-one", [1]), count, time: count * 10, fingerprint: digit.repeat(16) };
};

const KNOWN = { reason: "Later.", until: "2020-01-01", expired: false, grew: null };

const SIX = { "/a": { median: 20 }, "/b": { median: 45 }, "/c": { median: 80 }, "/d": { median: 120 } };
const ALL = { ...SIX, "/e": { median: 200 }, "/f": { median: 400 } };

describe("verdicts on changes against a baseline", (test) => {
  test("given 50 branches that change nothing, at most one fails; given 50 that slow an endpoint by 1.5x, each names it alone", () => {
    const random = seeded(47);
    let wrong = 0;
    for (const _ of times(rounds(50))) {
      const before = run(random, ALL);
      const broken = (sides: ComparedSides) =>
        withChanges(regressionsOf(sides.compared, () => "").verdicts, sides, true)
          .filter(({ outcome }) => outcome === "broken")
          .map(({ subject }) => subject);
      if (broken(sidesOf(before, run(random, ALL))).length > 0) wrong += 1;
      const slowed = broken(sidesOf(before, run(random, { ...ALL, "/c": { median: 120 } })));
      assert.ok(slowed.includes("GET https://api.test/c"));
      if (slowed.length > 1) wrong += 1;
    }
    assert.ok(wrong <= 1, `${wrong} of 100`);
  });

  test("given a limit that is not kept, fails only if the test finds its figure worse, or its endpoint is new", () => {
    const random = seeded(5);
    const before = run(random, { ...SIX, "/busy": { median: 20, requests: 70 } });
    const after = run(random, {
      "/a": { median: 40 },
      "/b": { median: 45, size: 300_000 },
      "/c": { median: 80, failed: 30 },
      "/d": { median: 120, failed: 1 },
      "/busy": { median: 20, requests: 140 },
      "/new": { median: 20 },
    });
    const verdicts = [
      ...[limit("p95", "/a"), limit("p95", "/b"), limit("size", "/b"), limit("size", "/a"), limit("errors", "/c")],
      ...[limit("errors", "/d"), limit("count", "/busy", 140), limit("count", "/busy", 72), limit("p50", "/new")],
    ];
    const told = withChanges(verdicts, sidesOf(before, after), true);
    assert.equal(
      told.map(({ what, subject, change, outcome }) => `${what} ${subject.slice(21)} ${change} ${outcome}`),
      [
        ...["p95 a worse broken", "p95 b known known", "size b worse broken", "size a known known"],
        ...["errors c worse broken", "errors d known known", "count busy worse broken", "count busy known known"],
        "p50 new new broken",
      ],
    );
    const lenient = withChanges(verdicts, sidesOf(before, after), false);
    assert.ok(
      lenient.every(({ outcome }) => outcome === "broken"),
      "without --new all of them fail",
    );
    assert.equal(
      lenient.map(({ change }) => change),
      told.map(({ change }) => change),
    );
  });

  test("given findings, tells new, known and grown ones; an expired acceptance fails though it is known", () => {
    const random = seeded(6);
    const [before, after] = [run(random, SIX), run(random, SIX)];
    const [known, grown, fresh] = [found("a", 20), found("b", 60), found("c", 9)];
    const earlier = [known, found("b", 20), found("d", 9)];
    const now = [found("a", 22), grown, fresh];
    const sides = sidesOf(before, after, [earlier, now]);
    const verdicts = now.map((one) => findingVerdict(one));
    const expired = verdicts.map((one) => ({ ...one, acceptance: { ...KNOWN, expired: true } }));
    assert.equal(
      withChanges(verdicts, sides, true).map(({ change, outcome }) => [change, outcome]),
      [
        ["known", "known"],
        ["worse", "broken"],
        ["new", "broken"],
      ],
    );
    assert.ok(withChanges(expired, sides, true).every(({ outcome }) => outcome === "broken"));

    // An accepted one fails if it grew, and is worse than in the baseline.
    const grew = { from: "1 ms in 9 requests", to: "2 ms in 9 requests" };
    const accepted = verdicts.map((one): Verdict => ({ ...one, outcome: "accepted", acceptance: { ...KNOWN, grew } }));
    const outcomes = (all: readonly Verdict[], isOnlyNew: boolean) =>
      withChanges(all, sides, isOnlyNew).map(({ outcome }) => outcome);
    assert.equal(outcomes(accepted, true), ["accepted", "broken", "accepted"]);
    assert.equal(outcomes(accepted, false), ["accepted", "accepted", "accepted"]);
    assert.equal(
      outcomes(
        accepted.map((one) => ({ ...one, acceptance: KNOWN })),
        true,
      ),
      ["accepted", "accepted", "accepted"],
    );
  });

  test("given a page's loads, fails only if the test finds them worse, or the page is new", () => {
    const random = seeded(8);
    const loads = (page: string, median: number, requests: number) =>
      times(30).map(() => ({ page: page as Endpoint, duration: lognormal(random, median, 0.25), requests, bytes: 9 }));
    const sides = sidesOf(run(random, SIX), run(random, SIX));
    const before = { ...sides.before, loads: [...loads("GET /a", 900, 12), ...loads("GET /b", 900, 12)] };
    const now = {
      ...sides.now,
      loads: [...loads("GET /a", 1_500, 12), ...loads("GET /b", 900, 20), ...loads("GET /c", 9, 1)],
    };
    const verdict = (what: Verdict["what"], subject: string): Verdict => ({ ...limit("p95", ""), what, subject });
    const verdicts = [
      ...[verdict("load p95", "GET /a"), verdict("load requests", "GET /a"), verdict("load p95", "GET /b")],
      ...[verdict("load requests", "GET /b"), verdict("load bytes", "GET /b"), verdict("load p95", "GET /c")],
    ];
    assert.equal(
      withChanges(verdicts, { ...sides, before, now }, true).map(({ change }) => change),
      ["worse", "known", "known", "worse", "known", "new"],
    );
  });

  test("given verdicts that are not broken, leaves them as they are", () => {
    const random = seeded(7);
    const sides = sidesOf(run(random, SIX), run(random, SIX));
    const outcomes = fc.constantFrom("kept", "too-few");
    fc.assert(
      fc.property(fc.array(outcomes), fc.boolean(), (all, isOnlyNew) => {
        const verdicts = all.map((outcome): Verdict => ({ ...limit("p95", "/a"), outcome }));
        assert.equal(withChanges(verdicts, sides, isOnlyNew), verdicts);
      }),
      { numRuns: rounds(20) },
    );
  });
});
