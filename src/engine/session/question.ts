import type { LatencyRecord } from "../messages/latency-messages.ts";
import type { ListQuery, ListRecord, Query, ValueOf, ValueQuery } from "../messages/messages.ts";
import type { PickedSums } from "../messages/traffic-messages.ts";
import type { Settings } from "../model/settings.ts";
import type { Context } from "./context.ts";
import { EndpointDetails } from "./endpoint-detail.ts";
import { collectingRows, latencyRows } from "./endpoint-lists.ts";
import { exchangeDetailOf } from "./exchange-detail.ts";
import { type Filter, type FilterProblem, filterOf, isNarrower, isProblem } from "./filter.ts";
import { InsightAnswers, type InsightSources } from "./insight-answers.ts";
import { Judge } from "./judge.ts";
import { PathTree } from "./path-tree.ts";
import type { Session } from "./session.ts";
import { slowRows } from "./slow-list.ts";
import { summaryOf } from "./summary.ts";
import { type Rows, TrafficList } from "./traffic-list.ts";
import { judgedSummaryOf, latencyRecordOf } from "./trend-list.ts";

export type Answer =
  | { readonly kind: "list"; readonly from: number; readonly rows: Rows<ListRecord> }
  | { readonly kind: "value"; readonly value: ValueOf[keyof ValueOf] }
  | { readonly kind: "refused"; readonly problem: string };

/** The list of one filter, good while the session counts the same endpoints. */
interface Found {
  readonly endpoints: object;
  readonly text: string;
  readonly filter: Filter;
  readonly list: TrafficList;
}

/** One view's question; remembers between answers what is dear to find again. */
export class Question {
  #query: Query;
  readonly #endpoint = new EndpointDetails();
  readonly #insight = new InsightAnswers();
  #traffic: Found | null = null;
  #judge: { readonly endpoints: object; readonly settings: Settings; readonly judge: Judge } | null = null;
  #tree: { readonly endpoints: object; readonly tree: PathTree } | null = null;

  constructor(query: Query) {
    this.#query = query;
  }

  get query(): Query {
    return this.#query;
  }

  /** Asks differently from now on: another window, another order, another filter. */
  ask(query: Query): void {
    this.#query = query;
  }

  /** Does a part of the work that an answer needs; `false` while there is more of it. An answer does what is left. */
  prepare({ session }: Context): boolean {
    const query = this.#query;
    if (!isLookedThrough(query)) {
      return this.#insight.prepare(query, session);
    }
    const filter = filterOf(query.filter);
    return isProblem(filter) || this.#trafficList(session, query.filter, filter).advance();
  }

  answer(context: Context): Answer {
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
    const { session, archive, status, hub, sessions, now } = context;
    const judge = this.#judgeOf(context);
    switch (query.view) {
      case "status":
        return status;
      case "summary": {
        const summary = summaryOf(session, judge, now, context.history.baseline);
        return judgedSummaryOf(summary, status.settings);
      }
      case "picked":
        return this.#pickedSums(query, session, judge);
      case "place":
        return this.#placeOf(query, session, judge);
      case "paths":
        return this.#pathTree(session).branches(query.open);
      case "endpoint":
        return this.#endpoint.of(session, query.endpoint, judge);
      case "exchange":
        return exchangeDetailOf(session, archive, query.exchange, judge);
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
        return slowRows(session, filter, query, judge);
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
    const records = rows.records.map((stats) => latencyRecordOf(stats, history.baseline, status.settings));
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

  #judgeOf({ session, status: { settings } }: Context): Judge {
    const { endpoints } = session.table;
    const known = this.#judge;
    if (known?.endpoints === endpoints && known.settings === settings) return known.judge;
    const judge = new Judge(session, settings);
    this.#judge = { endpoints, settings, judge };
    return judge;
  }

  /** Of a filter that says something, which `answer` has made sure of. */
  #pickedSums(query: Extract<ValueQuery, { view: "picked" }>, session: Session, judge: Judge): PickedSums {
    const filter = filterOf(query.filter);
    const list = this.#trafficList(session, query.filter, isProblem(filter) ? [] : filter);
    return list.sums(query.sort, query.stretches, judge);
  }

  /** Of a filter that says something, likewise. */
  #placeOf(query: Extract<ValueQuery, { view: "place" }>, session: Session, judge: Judge): ValueOf["place"] {
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
  "picked",
  "place",
  "paths",
  "endpoint",
  "exchange",
  "hub",
  "target",
  "payload-endpoint",
  "density",
  "chains",
  "baseline",
  "grouping",
  "sessions",
  "shown",
];

/** Their answers need every row of the session to be looked at. */
function isLookedThrough(
  query: Query,
): query is Extract<Query, { view: "traffic" | "timeline" | "density" | "picked" | "place" }> {
  return ["traffic", "timeline", "density", "picked", "place"].includes(query.view);
}

function isValueQuery(query: Query): query is ValueQuery {
  return VALUE_VIEWS.includes(query.view);
}
