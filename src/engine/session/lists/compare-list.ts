import { shownGrowth } from "../../insights/change-evidence.ts";
import { type Band, SIGNIFICANT } from "../../insights/figure-change.ts";
import { overallChangeOf, timeLostIn } from "../../insights/overall-change.ts";
import { bandsOf, latencyTrendBetween, type SampledStats } from "../../insights/trends.ts";
import {
  COMPARE_VERDICTS,
  type CompareColumn,
  type CompareFigures,
  type CompareRecord,
  type CompareVerdict,
  type Comparison,
} from "../../messages/compare-messages.ts";
import type { Range, Sort } from "../../messages/list-messages.ts";
import { type Endpoint, partsOf } from "../../model/endpoint.ts";
import { NO_ALIASES } from "../../model/host-alias.ts";
import { type Result, success } from "../../model/result.ts";
import type { Settings } from "../../model/settings.ts";
import type { Trend } from "../../model/trend.ts";
import type { Milliseconds } from "../../model/units.ts";
import { sharedLevel } from "../../stats/holm.ts";
import { leastP } from "../../stats/ranks.ts";
import { Cached, cachedFor } from "../evaluation/cached.ts";
import type { Filter } from "../filter/term.ts";
import { distributionsOf } from "./distributions.ts";
import { endpointKeyOf, endpointTestOf } from "./endpoint-lists.ts";
import { figuresNamedAs, type SessionFigures } from "./figures.ts";
import { sortedWindow } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

/** Two sessions; the earlier one is on the left. An endpoint is the same by whatever scheme (`figuresNamedAs`). */
export interface Pair {
  readonly left: SessionFigures;
  readonly right: SessionFigures;
}

/** One endpoint's figures in both sessions. */
interface Compared {
  readonly endpoint: Endpoint;
  readonly left: SampledStats | null;
  readonly right: SampledStats | null;
  /** The trend of the latencies; `null` if `left` or `right` is `null`. */
  readonly trend: Trend | null;
  readonly verdict: CompareVerdict;
  /** As in `CompareRecord`. */
  readonly lost: Milliseconds | null;
}

/** The probability that any endpoint of two equal sessions is told as slower or faster. */
const FALSE_IN_ALL = 0.02;

/** The most endpoints with a verdict: the tests of one take some 0.2 ms, and all run at once on the engine's thread. */
const MOST_TESTED = 250;
const NOT_TESTED = `Only the ${MOST_TESTED} endpoints with the most requests are tested.`;

/** Compares two sessions: every endpoint with at least `MINIMUM_REQUESTS` requests in at least one of them. */
export function compareRows(
  pair: Pair,
  settings: Settings,
  filter: Filter,
  { column, descending }: Sort<CompareColumn>,
  range: Range,
): Result<Rows<CompareRecord>> {
  const compared = comparedIn(pair, settings, filter);
  if (!compared.ok) return compared;
  const { all, matched, significant } = compared.value;
  const listed = sortedWindow(matched, keyOf(matched, column), descending, range);
  const records = listed.map((one) => cachedFor(RECORDS, one, () => recordOf(one, significant)));
  return success({ total: all.length, matched: matched.length, records });
}

/** How many endpoints became slower, faster, and so on, and the whole; `null` if the filter does not apply. */
export function comparisonOf(pair: Pair, settings: Settings, filter: Filter): Comparison | null {
  const compared = comparedIn(pair, settings, filter);
  if (!compared.ok) return null;
  const { matched } = compared.value;
  const counts = Object.fromEntries(
    COMPARE_VERDICTS.map((verdict) => [verdict, matched.filter((one) => one.verdict === verdict).length]),
  ) as Comparison["counts"];
  const overall = overallChangeOf(
    matched.flatMap(({ endpoint, left, right, verdict }) => {
      const [before, now] = [left?.sampled.latencies ?? null, right?.sampled.latencies ?? null];
      if (before === null || now === null) return [];
      const isChanged = verdict === "unknown" ? null : verdict === "slower" || verdict === "faster";
      return [{ endpoint, before, now, requests: right?.samples ?? 0, isChanged }];
    }),
  );
  return Object.freeze({ counts, overall });
}

function comparedIn(
  pair: Pair,
  settings: Settings,
  filter: Filter,
): Result<Tested & { readonly matched: readonly Compared[] }> {
  const holds = endpointTestOf(filter);
  if (!holds.ok) return holds;
  const tested = testsOf(pair, settings);
  return success({ ...tested, matched: tested.all.filter(({ endpoint }) => holds.value(endpoint)) });
}

/** All endpoints of a pair, and the p below which they count as changed. */
interface Tested {
  readonly all: readonly Compared[];
  readonly significant: number;
}

/** The latest tests with each session on the right: the views of a comparison ask for the same ones again and again. */
const LATEST = new WeakMap<SessionFigures, Cached<Tested>>();

/** The records of tested endpoints: what the data could show of one takes a millisecond. */
const RECORDS = new WeakMap<Compared, CompareRecord>();

function testsOf(pair: Pair, settings: Settings): Tested {
  const latest = cachedFor(LATEST, pair.right, () => new Cached<Tested>());
  return latest.of([pair.left, settings], () => testedIn(pair, settings));
}

function testedIn({ left, right }: Pair, settings: Settings): Tested {
  const [lefts, rights] = [byEndpoint(figuresNamedAs(right, left, NO_ALIASES)), byEndpoint(right)];
  const endpoints = [...new Set([...lefts.keys(), ...rights.keys()])];
  const band = bandsOf(settings).latency;
  const requestsOf = (endpoint: Endpoint) =>
    Math.min(lefts.get(endpoint)?.requests ?? 0, rights.get(endpoint)?.requests ?? 0);
  const both = endpoints.flatMap((endpoint) => testOf(endpoint, lefts.get(endpoint), rights.get(endpoint)) ?? []);
  const tests = both.toSorted(
    (one, other) => requestsOf(other.endpoint) - requestsOf(one.endpoint) || (one.endpoint < other.endpoint ? -1 : 1),
  );
  const untested = new Set(tests.splice(MOST_TESTED).map(({ endpoint }) => endpoint));
  const significant = levelOf(tests, band);
  const all = endpoints.map((endpoint): Compared => {
    const [before, after] = [lefts.get(endpoint) ?? null, rights.get(endpoint) ?? null];
    const sides = { endpoint, left: before, right: after, lost: lostIn(before, after) };
    if (before === null || after === null) return { ...sides, trend: null, verdict: "absent" };
    if (untested.has(endpoint)) return { ...sides, trend: null, verdict: "unknown" };
    const trend = latencyTrendBetween(before, after, band, significant);
    return { ...sides, trend, verdict: verdictOf(trend) };
  });
  return { all, significant };
}

function lostIn(left: SampledStats | null, right: SampledStats | null): Milliseconds | null {
  const [before, now] = [left?.sampled.latencies ?? null, right?.sampled.latencies ?? null];
  return before === null || now === null ? null : timeLostIn({ before, now, requests: right?.samples ?? 0 });
}

/** An endpoint with latencies in both sessions. */
interface EndpointTest {
  readonly endpoint: Endpoint;
  readonly before: SampledStats;
  readonly after: SampledStats;
  readonly least: number;
}

function testOf(endpoint: Endpoint, before?: SampledStats, after?: SampledStats): EndpointTest | null {
  const [earlier, later] = [before?.sampled.latencies ?? null, after?.sampled.latencies ?? null];
  if (before === undefined || after === undefined || earlier === null || later === null) return null;
  return { endpoint, before, after, least: leastP(earlier, later) };
}

/**
 * The p below which an endpoint counts as changed: `FALSE_IN_ALL` shared out over the endpoints, so that many give no
 * more false verdicts than few. Those that changed take no further part (Holm, 1979).
 */
function levelOf(tests: readonly EndpointTest[], band: Band): number {
  const shared = sharedLevel(
    tests.map(({ least }) => least),
    FALSE_IN_ALL,
  );
  const level = Math.min(SIGNIFICANT, shared);
  const isOpen = ({ before, after }: EndpointTest) =>
    latencyTrendBetween(before, after, band, level)?.direction === "stable";
  const open = tests.filter(isOpen);
  return open.length === 0 || open.length === tests.length ? level : levelOf(open, band);
}

/** The verdict of a trend; "same" only if the data suffice for p50 and for p95. */
function verdictOf(trend: Trend | null): CompareVerdict {
  if (trend === null || trend.percentiles === null) return "absent";
  if (trend.direction === "up") return "slower";
  if (trend.direction === "down") return "faster";
  if (trend.percentiles.p50.note !== null) return "unknown";
  return trend.percentiles.p95.note === null ? "same" : "same-median";
}

/** Above any time lost, so that the verdict decides first: 30 years. */
const VERDICT_STEP: Milliseconds = 1e12;

/**
 * The sort key of an endpoint for a column. For the column of verdicts, endpoints that became slower have the greatest
 * keys, then those that became faster; among equal verdicts, those with more time lost, or saved.
 */
function keyOf(all: readonly Compared[], column: CompareColumn): (one: Compared, index: number) => number {
  if (column === "endpoint") return endpointKeyOf(all);
  if (column === "lost") return ({ lost }) => lost ?? Number.NaN;
  if (column !== "verdict") return (one) => changeOf(one, column) ?? Number.NaN;
  return ({ verdict, lost }) => {
    const isFaster = verdict === "faster";
    const rank = isFaster ? COMPARE_VERDICTS.indexOf("slower") + 0.5 : COMPARE_VERDICTS.indexOf(verdict);
    return (isFaster ? -1 : 1) * (lost ?? 0) - rank * VERDICT_STEP;
  };
}

const FIGURES = ["requests", "p50", "p95", "p99", "avgSize", "errorRate"] as const;

function recordOf(compared: Compared, significant: number): CompareRecord {
  const { endpoint, left, right, trend, verdict, lost } = compared;
  const [before, after] = [left?.sampled.latencies ?? null, right?.sampled.latencies ?? null];
  const change = Object.fromEntries(
    FIGURES.map((figure) => [figure, changeOf(compared, figure)]),
  ) as CompareRecord["change"];
  return Object.freeze({
    endpoint,
    ...partsOf(endpoint),
    left: left === null ? null : figuresOf(left),
    right: right === null ? null : figuresOf(right),
    verdict,
    note: trend === null && verdict === "unknown" ? NOT_TESTED : (trend?.note ?? null),
    shown: before === null || after === null ? null : shownGrowth(before, after.count, significant),
    samples: { left: before?.count ?? 0, right: after?.count ?? 0 },
    uncertain: { left: uncertainIn(left), right: uncertainIn(right) },
    distributions: before === null || after === null ? null : distributionsOf(before, after),
    change,
    lost,
    protocols: { left: left?.protocols ?? [], right: right?.protocols ?? [] },
  });
}

function uncertainIn(stats: SampledStats | null): number {
  return stats === null ? 0 : stats.samples - (stats.sampled.latencies?.count ?? 0);
}

function changeOf({ left, right }: Compared, figure: keyof CompareFigures): number | null {
  const from = left === null ? null : figuresOf(left)[figure];
  const to = right === null ? null : figuresOf(right)[figure];
  return from === null || to === null ? null : to - from;
}

/**
 * The endpoint's figures. Its p50 and p95 are computed without latencies that are too uncertain, as for the verdict.
 */
function figuresOf({ requests, p99, avgSize, errorRate, sampled }: SampledStats): CompareFigures {
  const { p50, p95 } = sampled.latencies ?? { p50: null, p95: null };
  return Object.freeze({ requests, p50, p95, p99, avgSize, errorRate });
}

function byEndpoint({ endpoints }: SessionFigures): ReadonlyMap<Endpoint, SampledStats> {
  return new Map(endpoints.map((stats) => [stats.endpoint, stats]));
}
