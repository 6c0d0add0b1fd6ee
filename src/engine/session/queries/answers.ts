import type { Range } from "../../messages/list-messages.ts";
import type { Query, RecordOf, ValueOf } from "../../messages/messages.ts";
import { failure, type Result, success } from "../../model/result.ts";
import type { Settings } from "../../model/settings.ts";
import type { Instant } from "../../model/units.ts";
import { Cached } from "../evaluation/cached.ts";
import { GroupingFinder } from "../evaluation/grouping.ts";
import { type InsightEvaluator, OversizedCounter } from "../evaluation/insight-evaluator.ts";
import type { Filter } from "../filter/term.ts";
import { chainsOf, groupRows, repeatRows } from "../lists/chain-lists.ts";
import { compareRows, comparisonOf, type Pair } from "../lists/compare-list.ts";
import { densityOf } from "../lists/density.ts";
import { collectingRows, type EndpointTest, latencyRows } from "../lists/endpoint-lists.ts";
import type { History } from "../lists/history.ts";
import type { MatchingFigures } from "../lists/matching-figures.ts";
import { payloadRows } from "../lists/payload-list.ts";
import type { PickedRows } from "../lists/picked-rows.ts";
import { SlowGroupList } from "../lists/slow-groups.ts";
import { slowRows } from "../lists/slow-list.ts";
import { timelineRows } from "../lists/timeline-list.ts";
import type { Rows, TrafficList } from "../lists/traffic-list.ts";
import { baselineOf, judgedSummaryOf, latencyRecordOf, trendRows } from "../lists/trend-list.ts";
import { Completions } from "./completions.ts";
import type { Context } from "./context.ts";
import { criticalPathOf } from "./critical-path.ts";
import { EndpointDetails } from "./endpoint-detail.ts";
import { exchangeDetailOf } from "./exchange-detail.ts";
import { findingDetailOf, findingsStateOf } from "./finding-state.ts";
import { PathTree } from "./path-tree.ts";
import { PayloadDetails } from "./payload-detail.ts";
import { summaryOf } from "./summary.ts";

/** Results that later answers to the same query reuse. */
export class AnswerCaches {
  readonly endpoint = new EndpointDetails();
  readonly completions = new Completions();
  readonly oversized = new OversizedCounter();
  readonly payload = new PayloadDetails();
  readonly grouping = new GroupingFinder();
  readonly slowGroups = new SlowGroupList();
  readonly tree = new Cached<PathTree>();
}

export type PickedQuery = Extract<Query, { view: "picked" }>;

/** What an answer is made from. `filter`: the query's filter, which is valid. */
export interface QueryContext extends Context {
  readonly settings: Settings;
  readonly evaluator: InsightEvaluator;
  readonly filter: Filter;
  readonly caches: AnswerCaches;
  /** The exchanges that match the filter. */
  list(): TrafficList;
  /** The rows of the matching exchanges, ascending. Valid until the session changes. */
  matching(): Uint32Array;
  /** As `matching`; `null` without a filter. */
  narrowed(): Uint32Array | null;
  /** A test for whether an endpoint has a matching row; `null` if the filter can be decided without rows. */
  holdsEndpoint(): EndpointTest | null;
  figures(): MatchingFigures;
  picked(query: PickedQuery): PickedRows;
}

/** The index of the first message in a range of so many messages. */
export function firstMessage({ from, count }: Range, total: number): number {
  return Math.min(from, Math.max(0, total - count));
}

type Answer<View extends Query["view"]> = View extends keyof RecordOf
  ? Result<Rows<RecordOf[View]>>
  : ValueOf[View & keyof ValueOf];

/** The function that answers each query. */
export const ANSWERS: {
  readonly [View in Query["view"]]: (query: Extract<Query, { view: View }>, context: QueryContext) => Answer<View>;
} = {
  traffic: ({ sort, range }, { list, evaluator }) => success(list().read(sort, range, evaluator)),
  latency: ({ sort, range }, { session, filter, settings, history, holdsEndpoint }) => {
    const rows = latencyRows(session, filter, sort, range, holdsEndpoint());
    if (!rows.ok) return rows;
    const records = rows.value.records.map((one) => latencyRecordOf(session, one, history.baseline, settings));
    return success({ ...rows.value, records });
  },
  collecting: ({ range }, { session, filter, holdsEndpoint }) =>
    collectingRows(session, filter, range, holdsEndpoint()),
  slow: (query, { session, filter, evaluator, insights }) =>
    success(slowRows(session, filter, query, evaluator, () => insights.slowCauses())),
  "slow-groups": (query, { session, filter, evaluator, insights, caches }) =>
    success(caches.slowGroups.read(session, filter, query, evaluator, insights.slowCauses())),
  messages: ({ exchange, range }, { archive }) => {
    const total = archive.messageCount(exchange);
    const from = firstMessage(range, total);
    return success({ from, total, matched: total, records: archive.messagesOf(exchange, from, range.count) });
  },
  payload: ({ sort, range }, { session, filter, settings, evaluator, caches, holdsEndpoint }) =>
    payloadRows(session, filter, sort, range, caches.oversized.counts(session, settings, evaluator), holdsEndpoint()),
  timeline: ({ between, range }, { session, matching, evaluator, insights }) =>
    success(timelineRows(session, matching(), between, range, evaluator, insights)),
  groups: ({ sort, range }, { session, insights }) => success(groupRows(session, insights.groups(), sort, range)),
  repeats: ({ range }, { session, insights, narrowed }) =>
    success(repeatRows(session, insights.repeats(), range, narrowed())),
  trends: (query, { session, history, settings, filter, holdsEndpoint }) =>
    trendRows(session, history.baseline, settings, filter, query, holdsEndpoint()),
  compare: (query, { settings, filter, history, now }) => {
    const pair = pairOf(query, history, now);
    if (pair === null) return failure("The figures of one of these sessions are no longer kept.");
    return compareRows(pair, settings, filter, query.sort, query.range);
  },
  status: (_, { status }) => status,
  summary: (_, { session, evaluator, now, history: { baseline }, settings }) =>
    judgedSummaryOf(
      summaryOf(session, evaluator, now, baseline, settings),
      session.summary.latencies,
      baseline,
      settings,
    ),
  figures: (_, { figures, now }) => figures().at(now),
  occurring: ({ key }, context) => context.caches.completions.of(key, context),
  picked: (query, { picked }) => picked(query).sums(),
  position: ({ exchange, sort }, { list, evaluator }) =>
    Object.freeze({ index: list().positionOf(exchange, sort, evaluator) }),
  paths: ({ open }, { session, caches }) =>
    caches.tree.of([session, session.table.endpoints], () => new PathTree(session)).branches(open),
  endpoint: ({ endpoint }, { session, evaluator, insights, caches }) =>
    caches.endpoint.of(session, endpoint, evaluator, insights.ranked().found),
  exchange: ({ exchange }, { session, archive, evaluator, insights }) =>
    exchangeDetailOf(session, archive, exchange, evaluator, insights.ranked().found),
  findings: (_, { session, insights, narrowed }) =>
    findingsStateOf(session, insights.where(), insights.ranked(), narrowed()),
  finding: ({ key }, { session, insights }) => findingDetailOf(session, insights.ranked(), key),
  hub: (_, { hub }) => hub.state(),
  target: ({ slug }, { hub }) => hub.target(slug),
  sessions: (_, { sessions }) => sessions.state(),
  shown: (_, { sessions }) => sessions.shown(),
  "payload-endpoint": ({ endpoint }, { session, settings, evaluator, caches }) =>
    caches.payload.of(session, endpoint, evaluator, caches.oversized.counts(session, settings, evaluator)),
  density: ({ between, slices }, { session, matching }) => densityOf(session, matching(), between, slices),
  comparison: (query, { settings, filter, history, now }) => {
    const pair = pairOf(query, history, now);
    return pair === null ? null : comparisonOf(pair, settings, filter);
  },
  chains: (_, { session, insights, narrowed }) => chainsOf(session, insights.chains(), narrowed()),
  "critical-path": (query, { session, insights, narrowed }) =>
    criticalPathOf(session, insights.chains(), query, narrowed()),
  "what-if": ({ exchanges, endpoint, to }, { insights }) => insights.gains({ exchanges, endpoint, to }),
  "marked-changes": (_, { session, insights }) =>
    Object.freeze({ mark: session.changeMarks.at(-1)?.mark ?? null, changes: insights.marked() }),
  baseline: (_, { session, history, settings }) => baselineOf(session, history.baseline, settings),
  grouping: (_, { session, caches }) => caches.grouping.of(session),
};

function pairOf(
  { left, right }: { readonly left: string | null; readonly right: string | null },
  history: History,
  now: Instant,
): Pair | null {
  const of = (id: string | null) => (id === null ? history.current(now) : history.figuresOf(id));
  const [before, after] = [of(left), of(right)];
  return before === null || after === null ? null : { left: before, right: after };
}
