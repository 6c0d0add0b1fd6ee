import type { LatencyRecord } from "../../messages/latency-messages.ts";
import type { ListQuery, ListRecord, Query, ValueOf, ValueQuery } from "../../messages/messages.ts";
import type { PickedSums } from "../../messages/traffic-messages.ts";
import type { Settings } from "../../model/settings.ts";
import { FINDINGS_AWAITED } from "../evaluation/findings.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import {
  appliesToEndpoints,
  type Filter,
  type FilterProblem,
  filterOf,
  isNarrower,
  isProblem,
  namesFindings,
} from "../filter/filter.ts";
import { HeaderReading } from "../filter/header-reading.ts";
import { collectingRows, type EndpointTest, latencyRows } from "../lists/endpoint-lists.ts";
import { MatchingFigures } from "../lists/matching-figures.ts";
import { endpointsAt } from "../lists/matching-rows.ts";
import { SlowGroupList } from "../lists/slow-groups.ts";
import { slowRows } from "../lists/slow-list.ts";
import { type Rows, TrafficList } from "../lists/traffic-list.ts";
import { judgedSummaryOf, latencyRecordOf } from "../lists/trend-list.ts";
import type { Session } from "../session.ts";
import { Completions } from "./completions.ts";
import type { Context } from "./context.ts";
import { EndpointDetails } from "./endpoint-detail.ts";
import { exchangeDetailOf } from "./exchange-detail.ts";
import { findingDetailOf, findingsStateOf } from "./finding-state.ts";
import { InsightResults, type InsightSources } from "./insight-results.ts";
import { PathTree } from "./path-tree.ts";
import { summaryOf } from "./summary.ts";

export type QueryResult =
  | { readonly kind: "list"; readonly from: number; readonly rows: Rows<ListRecord> }
  | { readonly kind: "value"; readonly value: ValueOf[keyof ValueOf] }
  | { readonly kind: "refused"; readonly problem: string };

/** The list of one filter. Valid until the session is regrouped. */
interface CachedList {
  readonly endpoints: object;
  readonly text: string;
  readonly filter: Filter;
  readonly list: TrafficList;
}

/** The headers that a filter names, while they are read. */
interface CachedReading {
  readonly session: Session;
  readonly text: string;
  readonly reading: HeaderReading;
}

/** Figures for one revision of the session. They are used again for a short time, even if the session changes. */
interface CachedFigures {
  readonly list: TrafficList;
  readonly revision: number;
  /** The version of the findings for which this was computed. */
  readonly findings: number;
  readonly until: number;
  readonly figures: MatchingFigures;
}

type FiguresQuery = Extract<ValueQuery, { view: "figures" }>;

/**
 * Default; not from a specification: under traffic, how many rows per ms get their figures computed again: some 5 % of
 * the thread's time.
 */
const ROWS_PER_MS = 100;

/** Answers the query of one view. Caches costly results between answers. */
export class QueryRunner {
  #query: Query;
  readonly #endpoint = new EndpointDetails();
  readonly #completions = new Completions();
  readonly #insight = new InsightResults();
  readonly #slowGroups = new SlowGroupList();
  #traffic: CachedList | null = null;
  #reading: CachedReading | null = null;
  #judge: { readonly endpoints: object; readonly settings: Settings; readonly judge: InsightEvaluator } | null = null;
  #tree: { readonly endpoints: object; readonly tree: PathTree } | null = null;

  #figures: CachedFigures | null = null;

  constructor(query: Query) {
    this.#query = query;
  }

  get query(): Query {
    return this.#query;
  }

  /** Replaces the query by one of the same view with another window, order or filter. */
  setQuery(query: Query): void {
    this.#query = query;
  }

  /** Does one slice of the work that an answer needs; returns `false` if there is more. `answer` does what is left. */
  prepare(context: Context): boolean {
    const query = this.#query;
    const { session, archive } = context;
    if (query.view === "occurring") return this.#completions.prepare(query.key, context);
    if (!("filter" in query)) return this.#insight.prepare(query, session);
    const filter = filterOf(query.filter);
    if (isProblem(filter)) return true;
    if (!this.#readingOf(session, query.filter, filter).advance(archive.headReader())) return false;
    if (!isLookedThrough(query, filter)) return true;
    const isListed = this.#trafficList(session, query.filter, filter).advance();
    return isListed && (query.view !== "figures" || this.#figuresOf(query, context).advance());
  }

  answer(context: Context): QueryResult {
    const query = this.#query;
    const problem = "filter" in query ? this.#problemOf(query.filter, context) : null;
    if (problem !== null) return { kind: "refused", problem };
    if (!("range" in query)) return { kind: "value", value: this.#value(query, context) };
    const rows = this.#rows(query, context);
    if ("problem" in rows) return { kind: "refused", problem: rows.problem };
    return { kind: "list", from: rows.from ?? query.range.from, rows };
  }

  /** Why the filter is refused; `null` if it is not. Reads the headers that the filter names first. */
  #problemOf(text: string, { session, archive, findings }: Context): string | null {
    const filter = filterOf(text);
    if (isProblem(filter)) return filter.problem;
    const reading = this.#readingOf(session, text, filter);
    reading.advance(archive.headReader(), Number.POSITIVE_INFINITY);
    if (reading.problem !== null) return reading.problem;
    return namesFindings(filter) && findings.ranked().found === null ? FINDINGS_AWAITED : null;
  }

  #readingOf(session: Session, text: string, filter: Filter): HeaderReading {
    if (this.#reading?.session !== session || this.#reading.text !== text)
      this.#reading = { session, text, reading: new HeaderReading(session.table, filter) };
    return this.#reading.reading;
  }

  #value(query: ValueQuery, context: Context): ValueOf[keyof ValueOf] {
    const { session, archive, status, hub, sessions, findings, now } = context;
    const judge = this.#judgeOf(context);
    switch (query.view) {
      case "status":
        return status;
      case "summary": {
        const { baseline } = context.history;
        const summary = summaryOf(session, judge, now, baseline);
        return judgedSummaryOf(summary, session.summary.latencies, baseline, status.settings);
      }
      case "figures":
        return this.#figuresOf(query, context).at(now);
      case "occurring":
        return this.#completions.of(query.key, context);
      case "picked":
        return this.#pickedSums(query, session, judge);
      case "place":
        return this.#placeOf(query, session, judge);
      case "paths":
        return this.#pathTree(session).branches(query.open);
      case "endpoint":
        return this.#endpoint.of(session, query.endpoint, judge, findings.ranked().found);
      case "exchange":
        return exchangeDetailOf(session, archive, query.exchange, judge, findings.ranked().found);
      case "findings":
        return findingsStateOf(
          session,
          findings.ranked(),
          query.filter === "" ? null : this.#matching(query.filter, context),
        );
      case "finding":
        return findingDetailOf(session, findings.ranked(), query.key);
      case "hub":
        return hub.state();
      case "target":
        return hub.target(query.slug);
      case "sessions":
        return sessions.state();
      case "shown":
        return sessions.shown();
      default:
        return this.#insight.value(query, this.#sources(context));
    }
  }

  #rows(query: ListQuery, context: Context): Rows<ListRecord> | FilterProblem {
    const { session, archive } = context;
    if (query.view === "messages") {
      const total = archive.messageCount(query.exchange);
      const { count } = query.range;
      const from = Math.min(query.range.from, Math.max(0, total - count));
      return { from, total, matched: total, records: archive.messagesOf(query.exchange, from, count) };
    }
    const filter = filterOf("filter" in query ? query.filter : "");
    if (isProblem(filter)) return filter;
    const judge = this.#judgeOf(context);
    switch (query.view) {
      case "traffic":
        return this.#trafficList(session, query.filter, filter).read(query.sort, query.range, judge);
      case "latency":
        return this.#latencyRows(query, filter, context);
      case "collecting":
        return collectingRows(session, filter, query.range, this.#endpointsOf(filter, query.filter, context));
      case "slow":
        return slowRows(session, filter, query, judge, () => context.findings.slowCauses());
      case "slow-groups":
        return this.#slowGroups.read(session, filter, query, judge, context.findings.slowCauses());
      default:
        return this.#insight.rows(query, this.#sources(context));
    }
  }

  #latencyRows(
    { sort, range, filter: text }: Extract<ListQuery, { view: "latency" }>,
    filter: Filter,
    context: Context,
  ): Rows<LatencyRecord> | FilterProblem {
    const { session, status, history } = context;
    const rows = latencyRows(session, filter, sort, range, this.#endpointsOf(filter, text, context));
    if ("problem" in rows) return rows;
    const records = rows.records.map((stats) => latencyRecordOf(session, stats, history.baseline, status.settings));
    return { ...rows, records };
  }

  #sources(context: Context): InsightSources {
    const { session, status, findings, history } = context;
    const judge = this.#judgeOf(context);
    const query = this.#query;
    const text = "filter" in query ? query.filter : "";
    const holdsEndpoint = ["payload", "trends"].includes(query.view)
      ? this.#endpointsOf(filterOf(text), text, context)
      : null;
    const matching = () => this.#matching(text, context);
    return { session, settings: status.settings, judge, findings, history, matching, holdsEndpoint };
  }

  /** The rows that match, ascending. The filter must be valid. */
  #matching(text: string, context: Context): Uint32Array {
    const filter = filterOf(text);
    return this.#trafficList(context.session, text, isProblem(filter) ? [] : filter).rows(this.#judgeOf(context));
  }

  /** Whether an endpoint has a row that matches; `null` if the endpoints' names decide. */
  #endpointsOf(filter: Filter | FilterProblem, text: string, context: Context): EndpointTest | null {
    if (isProblem(filter) || filter.every(appliesToEndpoints)) return null;
    return endpointsAt(context.session.table, this.#matching(text, context));
  }

  #judgeOf({ session, findings, status: { settings } }: Context): InsightEvaluator {
    const { endpoints } = session.table;
    const known = this.#judge;
    if (known?.endpoints === endpoints && known.settings === settings) return known.judge;
    const judge = new InsightEvaluator(session, settings, findings);
    this.#judge = { endpoints, settings, judge };
    return judge;
  }

  /** The filter must be valid, which `answer` has checked. */
  #figuresOf(query: FiguresQuery, context: Context): MatchingFigures {
    const { session, now } = context;
    const { revision } = session;
    const { version } = context.findings;
    const filter = filterOf(query.filter);
    const list = this.#trafficList(session, query.filter, isProblem(filter) ? [] : filter);
    const known = this.#figures;
    if (known?.list === list && ((known.revision === revision && known.findings === version) || now < known.until))
      return known.figures;
    const rows = list.rows(this.#judgeOf(context)).slice();
    const figures = new MatchingFigures(session, rows);
    this.#figures = { list, revision, findings: version, until: now + rows.length / ROWS_PER_MS, figures };
    return figures;
  }

  /** The filter must be valid, which `answer` has checked. */
  #pickedSums(query: Extract<ValueQuery, { view: "picked" }>, session: Session, judge: InsightEvaluator): PickedSums {
    const filter = filterOf(query.filter);
    const list = this.#trafficList(session, query.filter, isProblem(filter) ? [] : filter);
    return list.sums(query.sort, query.stretches, judge);
  }

  /** The filter must be valid, which `answer` has checked. */
  #placeOf(query: Extract<ValueQuery, { view: "place" }>, session: Session, judge: InsightEvaluator): ValueOf["place"] {
    const filter = filterOf(query.filter);
    const list = this.#trafficList(session, query.filter, isProblem(filter) ? [] : filter);
    return Object.freeze({ index: list.placeOf(query.exchange, query.sort, judge) });
  }

  #trafficList(session: Session, text: string, filter: Filter): TrafficList {
    const { endpoints } = session.table;
    const before = this.#traffic?.endpoints === endpoints ? this.#traffic : null;
    if (before?.text === text) return before.list;
    const wider = before !== null && isNarrower(filter, before.filter) ? before.list : null;
    const list = new TrafficList(session, filter, wider);
    this.#traffic = { endpoints, text, filter, list };
    return list;
  }

  #pathTree(session: Session): PathTree {
    const { endpoints } = session.table;
    if (this.#tree?.endpoints !== endpoints) this.#tree = { endpoints, tree: new PathTree(session) };
    return this.#tree.tree;
  }
}

/** Whether the answer needs all rows to be read. */
function isLookedThrough({ view }: Query, filter: Filter): boolean {
  if (["findings", "chains", "critical-path", "repeats"].includes(view)) return filter.length > 0;
  if (["latency", "collecting", "payload", "trends"].includes(view)) return !filter.every(appliesToEndpoints);
  return ["traffic", "timeline", "density", "figures", "picked", "place"].includes(view);
}
