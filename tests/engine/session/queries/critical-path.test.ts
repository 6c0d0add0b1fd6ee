import * as assert from "uvu/assert";
import { criticalPathsOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import type { CriticalPathPart, TimeRange } from "../../../../src/engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { criticalPathOf } from "../../../../src/engine/session/queries/critical-path.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";
import { recorded } from "../../../support/recorded.ts";
import { resultOf } from "../../../support/slices.ts";

const HTML = ["content-type: text/html"];
const BODY = "<script src=a.js></script>";

/** A short page, a longer one, and a client without pages whose path is the longest. */
const talks: Talk[] = [
  { client: "one", at: 0, target: "/short/", gives: HTML, answer: BODY },
  { client: "one", at: 60, target: "/short/a.js" },
  { client: "one", at: 3_000, target: "/long/", gives: HTML, answer: BODY },
  { client: "one", at: 3_100, lasts: 200, target: "/long/a.js" },
  { client: "two", at: 5_000, target: "/old", status: 302, gives: ["location: /api/new"] },
  { client: "two", at: 5_051, lasts: 900, target: "/api/new" },
  { client: "two", at: 5_050, lasts: 900, target: "/beside" },
];
const facts = factsOf(talks).map((one) => one.facts);
const paths = resultOf(criticalPathsOf(facts, foundIn(talks)));
const session = recorded(facts.map(({ exchange }) => exchange));
const range = (from: number, to: number): TimeRange => ({ from: instant(from), to: instant(to) });
const ALL = range(0, 10_000);

/** The path's parts; `rows`: as in `criticalPathOf`. */
function partsOf(
  between = ALL,
  exchange: number | null = null,
  rows: readonly number[] | null = null,
  progress = 1,
): readonly CriticalPathPart[] | null {
  const query = { view: "critical-path", filter: "", between, exchange: exchange as ExchangeId | null } as const;
  const found = rows === null ? null : Uint32Array.from(rows);
  return criticalPathOf(session, { paths, progress }, query, found)?.parts ?? null;
}

function targetsOf(...sought: Parameters<typeof partsOf>): readonly string[] | null {
  return partsOf(...sought)?.flatMap((part) => (part.kind === "exchange" ? [part.request.target] : [])) ?? null;
}

describe("the critical path of what is shown", (test) => {
  test("is that of the longest page that began in the range", () => {
    assert.equal(targetsOf(), ["/long/", "/long/a.js"]);
    assert.equal(targetsOf(range(0, 2_000)), ["/short/", "/short/a.js"]);
    assert.is(targetsOf(range(3_010, 9_000)), null);
  });

  test("given a chosen exchange, is the one around it, as long as it ran in the range", () => {
    assert.equal(targetsOf(ALL, 2), ["/short/", "/short/a.js"]);
    assert.equal(targetsOf(ALL, 6), ["/old", "/api/new"]);
    assert.equal(targetsOf(range(2_000, 10_000), 2), ["/long/", "/long/a.js"]);
  });

  test("given a filter, has both ends among its rows, and is a client's if they are of one client alone", () => {
    assert.equal(targetsOf(ALL, null, [0, 1]), ["/short/", "/short/a.js"]);
    assert.is(targetsOf(ALL, null, [0, 2]), null);
    assert.equal(targetsOf(ALL, null, [4, 6]), ["/old", "/api/new"]);
    assert.is(targetsOf(ALL, null, [0, 4, 6]), null);
    assert.is(targetsOf(ALL, null, []), null);
  });

  test("given another request in flight in a gap, has its method and target", () => {
    const [gap] = partsOf(ALL, 6)?.filter(({ kind }) => kind === "gap") ?? [];
    assert.equal(gap?.kind === "gap" && gap.mostly, { id: 7, method: "GET", target: "/beside" });
  });

  test("given a search that has not ended, is not determined", () => {
    assert.is(targetsOf(ALL, null, null, 0.9), null);
  });
});
