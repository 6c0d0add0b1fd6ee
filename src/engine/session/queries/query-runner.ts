import type { LatencyRecord } from "../../messages/latency-messages.ts";
import type { ListQuery, ListRecord, Query, ValueOf, ValueQuery } from "../../messages/messages.ts";
import type { PickedSums } from "../../messages/traffic-messages.ts";
import type { Settings } from "../../model/settings.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { type Filter, type FilterProblem, filterOf, isNarrower, isProblem } from "../filter/filter.ts";
import { collectingRows, latencyRows } from "../lists/endpoint-lists.ts";
import { MatchingFigures } from "../lists/matching-figures.ts";
import { occurringValuesOf } from "../lists/occurring-values.ts";
import { SlowGroupList } from "../lists/slow-groups.ts";
import { slowRows } from "../lists/slow-list.ts";
import { type Rows, TrafficList } from "../lists/traffic-list.ts";
import { judgedSummaryOf, latencyRecordOf } from "../lists/trend-list.ts";
import type { Session } from "../session.ts";
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

/** The list of one filter, valid until the session is regrouped. */
interface CachedList {
  readonly endpoints: object;
  readonly text: string;
  readonly filter: Filter;
  readonly list: TrafficList;
}

/** Figures of one revision of the session, reused for a short time although the session changes. */
interface CachedFigures {
  readonly list: TrafficList;
  readonly revision: number;
  readonly until: number;
  readonly figures: MatchingFigures;
}

type FiguresQuery = Extract<ValueQuery, { view: "figures" }>;

/** Rows whose figures are computed again per millisecond under traffic, some 5 % of the thread. Default; not from a specification. */
const ROWS_PER_MS = 100;

/** Answers the query of one view; caches costly results between answers. */
export class QueryRunner {
  #query: Query;
  readonly #endpoint = new EndpointDetails();
  readonly #insight = new InsightResults();
  readonly #slowGroups = new SlowGroupList();
  #traffic: CachedList | null = null;
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

  /** Runs one slice of the work an answer needs; `false` while there is more. An answer does the rest. */
  prepare(context: Context): boolean {
    const query = this.#query;
    const { session } = context;
    if (!isLookedThrough(query)) {
      return this.#insight.prepare(query, session);
    }
    const filter = filterOf(query.filter);
    if (isProblem(filter)) return true;
    const isListed = this.#trafficList(session, query.filter, filter).advance();
    return isListed && (query.view !== "figures" || this.#figuresOf(query, context).advance());
  }

  answer(context: Context): QueryResult {
    const query = this.#query;
    if (isValueQuery(query)) {
      const filter = filterOf("filter" in query ? query.filter : "");
      if (isProblem(filter)) return { kind: "refused", problem: filter.problem };
      return { kind: "value", value: this.#value(query, context) };
    }
    const rows = this.#rows(query, context);
    if ("problem" in rows) return { kind: "refused", problem: rows.problem };
    return { kind: "list", from: rows.from ?? query.range.from, rows };
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
        return occurringValuesOf(session);
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
        return findingsStateOf(findings.ranked());
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
        return collectingRows(session, filter, query.range);
      case "slow":
        return slowRows(session, filter, query, judge, () => context.findings.slowCauses());
      case "slow-groups":
        return this.#slowGroups.read(session, filter, query, judge, context.findings.slowCauses());
      default:
        return this.#insight.rows(query, this.#sources(context));
    }
  }

  #latencyRows(
    { sort, range }: Extract<ListQuery, { view: "latency" }>,
    filter: Filter,
    { session, status, history }: Context,
  ): Rows<LatencyRecord> | FilterProblem {
    const rows = latencyRows(session, filter, sort, range);
    if ("problem" in rows) return rows;
    const records = rows.records.map((stats) => latencyRecordOf(session, stats, history.baseline, status.settings));
    return { ...rows, records };
  }

  #sources(context: Context): InsightSources {
    const { session, status, findings, history } = context;
    const judge = this.#judgeOf(context);
    const matching = (text: string) => {
      const filter = filterOf(text);
      return isProblem(filter) ? filter : this.#trafficList(session, text, filter).rows(judge);
    };
    return { session, settings: status.settings, judge, findings, history, matching };
  }

  #judgeOf({ session, status: { settings } }: Context): InsightEvaluator {
    const { endpoints } = session.table;
    const known = this.#judge;
    if (known?.endpoints === endpoints && known.settings === settings) return known.judge;
    const judge = new InsightEvaluator(session, settings);
    this.#judge = { endpoints, settings, judge };
    return judge;
  }

  /** `answer` has checked that the filter is valid. */
  #figuresOf(query: FiguresQuery, context: Context): MatchingFigures {
    const { session, now } = context;
    const { revision } = session;
    const filter = filterOf(query.filter);
    const list = this.#trafficList(session, query.filter, isProblem(filter) ? [] : filter);
    const known = this.#figures;
    if (known?.list === list && (known.revision === revision || now < known.until)) return known.figures;
    const rows = list.rows(this.#judgeOf(context)).slice();
    const figures = new MatchingFigures(session, rows);
    this.#figures = { list, revision, until: now + rows.length / ROWS_PER_MS, figures };
    return figures;
  }

  /** `answer` has checked that the filter is valid. */
  #pickedSums(query: Extract<ValueQuery, { view: "picked" }>, session: Session, judge: InsightEvaluator): PickedSums {
    const filter = filterOf(query.filter);
    const list = this.#trafficList(session, query.filter, isProblem(filter) ? [] : filter);
    return list.sums(query.sort, query.stretches, judge);
  }

  /** `answer` has checked that the filter is valid. */
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

const VALUE_VIEWS: readonly Query["view"][] = [
  "status",
  "summary",
  "figures",
  "occurring",
  "picked",
  "place",
  "paths",
  "endpoint",
  "exchange",
  "findings",
  "finding",
  "hub",
  "target",
  "payload-endpoint",
  "density",
  "chains",
  "comparison",
  "baseline",
  "grouping",
  "sessions",
  "shown",
];

/** Whether the answer requires a scan of all rows. */
function isLookedThrough(
  query: Query,
): query is Extract<Query, { view: "traffic" | "timeline" | "density" | "figures" | "picked" | "place" }> {
  return ["traffic", "timeline", "density", "figures", "picked", "place"].includes(query.view);
}

function isValueQuery(query: Query): query is ValueQuery {
  return VALUE_VIEWS.includes(query.view);
}
