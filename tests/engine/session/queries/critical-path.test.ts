import * as assert from "uvu/assert";
import { criticalPathsOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import type { CriticalPathRecord, TimeRange } from "../../../../src/engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { criticalPathOf } from "../../../../src/engine/session/queries/critical-path.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";
import { recorded } from "../../../support/recorded.ts";

const HTML = ["content-type: text/html"];
const BODY = "<script src=a.js></script>";

/** A long page and a shorter one, a request without a link after each, and a client without pages. */
const talks: Talk[] = [
  { client: "one", at: 0, target: "/long/", gives: HTML, answer: BODY },
  { client: "one", at: 60, lasts: 240, target: "/long/a.js" },
  { client: "one", at: 400, target: "/after/long" },
  { client: "one", at: 3_000, target: "/short/", gives: HTML, answer: BODY },
  { client: "one", at: 3_100, target: "/short/a.js" },
  { client: "one", at: 3_400, target: "/after/short", tags: ["event-stream"] },
  { client: "two", at: 5_000, target: "/old", status: 302, gives: ["location: /api/new"] },
  { client: "two", at: 5_051, lasts: 900, target: "/api/new" },
  { client: "two", at: 5_050, lasts: 900, target: "/beside" },
];
const facts = factsOf(talks).map((one) => one.facts);
const paths = criticalPathsOf(facts, foundIn(talks));
const session = recorded(facts.map(({ exchange }) => exchange));
const range = (from: number, to: number): TimeRange => ({ from: instant(from), to: instant(to) });
const ALL = range(0, 10_000);

/** The path; `rows`: as in `criticalPathOf`. */
function pathFor(
  between = ALL,
  exchange: number | null = null,
  rows: readonly number[] | null = null,
  progress = 1,
): CriticalPathRecord | null {
  const query = { view: "critical-path", filter: "", between, exchange: exchange as ExchangeId | null } as const;
  const found = rows === null ? null : Uint32Array.from(rows);
  return criticalPathOf(session, { paths, progress }, query, found);
}

function targetsOf(...query: Parameters<typeof pathFor>): readonly string[] | null {
  return pathFor(...query)?.parts.flatMap((part) => (part.kind === "exchange" ? [part.request.target] : [])) ?? null;
}

const LONG = ["/long/", "/long/a.js"];
const SHORT = ["/short/", "/short/a.js"];
const OF_CLIENT = ["/old", "/api/new"];

describe("critical path query", (test) => {
  test("given a time range, returns the path of the longest page load that began in it", () => {
    assert.equal(targetsOf(), LONG);
    assert.equal(targetsOf(range(10, 4_000)), SHORT);
    assert.is(targetsOf(range(10, 2_000)), null);
  });

  test("given several page loads in the range, says which one it is, and where the others begin", () => {
    const latest = 4;
    const first = { position: 1, count: 2, earlier: null, later: 4, latest, longestOf: "session" };
    const second = { position: 2, count: 2, earlier: 1, later: null, latest };
    assert.equal(pathFor()?.load, first);
    assert.equal(pathFor(ALL, 5)?.load, { ...second, longestOf: null });
    assert.equal(pathFor(range(0, 2_000))?.load, first);
    assert.equal(pathFor(range(10, 4_000), 2)?.load, first);
    assert.equal(pathFor(range(2_000, 10_000))?.load, { ...second, longestOf: "range" });
    assert.is(pathFor(ALL, 8)?.load, null);
  });

  test("given a chosen exchange, is the one around it, as long as it ran in the range", () => {
    assert.equal(targetsOf(ALL, 5), SHORT);
    assert.equal(targetsOf(ALL, 8), OF_CLIENT);
    assert.equal(targetsOf(range(2_000, 10_000), 2), SHORT);
  });

  test("given a chosen exchange without a proven link, is of the page that its client had loaded last", () => {
    assert.equal(targetsOf(ALL, 3), LONG);
    assert.equal(targetsOf(ALL, 6), SHORT);
    assert.equal(targetsOf(ALL, 9), LONG, "its client loaded no page");
  });

  test("given a filter, has both ends among its rows, and is a client's if they are of one client alone", () => {
    assert.equal(targetsOf(ALL, null, [0, 1]), LONG);
    assert.is(targetsOf(ALL, null, [0, 3]), null);
    assert.equal(targetsOf(ALL, null, [6, 8]), OF_CLIENT);
    assert.is(targetsOf(ALL, null, [0, 6, 8]), null);
    assert.is(targetsOf(ALL, null, []), null);
  });

  test("given another request in flight in a gap, has its method, target and endpoint", () => {
    const [gap] = pathFor(ALL, 8)?.parts.filter(({ kind }) => kind === "gap") ?? [];
    assert.equal(gap?.kind === "gap" && gap.longest, {
      id: 9,
      method: "GET",
      target: "/beside",
      endpoint: "GET https://api.test/beside",
    });
  });

  test("given a search that has not ended, is not determined", () => {
    assert.is(targetsOf(ALL, null, null, 0.9), null);
  });
});
