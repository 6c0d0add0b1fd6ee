import type { ListRecord, Query, ValueOf } from "../../messages/messages.ts";
import type { Problem, Result } from "../../model/result.ts";
import { Cached } from "../evaluation/cached.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { FINDINGS_AWAITED } from "../evaluation/insights.ts";
import { filterOf, hiddenHostsOf, withoutHosts } from "../filter/filter.ts";
import { HeaderReading } from "../filter/header-reading.ts";
import { appliesToEndpoints, bodyTextsOf, type Filter, namesFindings, namesSlow } from "../filter/term.ts";
import { endpointsAt } from "../lists/matched-rows.ts";
import { MatchingFigures } from "../lists/matching-figures.ts";
import type { PickedRows } from "../lists/picked-rows.ts";
import { type Rows, TrafficList } from "../lists/traffic-list.ts";
import type { Session } from "../session.ts";
import { ANSWERS, AnswerCaches, firstMessage, type PickedQuery, type QueryContext } from "./answers.ts";
import type { Context } from "./context.ts";

export type QueryResult =
  | { readonly kind: "list"; readonly from: number; readonly rows: Rows<ListRecord>; readonly searched?: number }
  | { readonly kind: "value"; readonly value: ValueOf[keyof ValueOf] }
  | { readonly kind: "refused"; readonly problem: string };

/** The list of one filter. Valid until endpoints get other numbers (`Session.regroup`, `learn`). */
interface CachedList {
  readonly session: Session;
  readonly endpoints: object;
  readonly text: string;
  /** The hosts that it leaves out. */
  readonly hidden: string;
  readonly list: TrafficList;
}

/** Work on the rows of one revision of the session. It is used again for a short time, even if the session changes. */
interface CachedWork<Work> {
  readonly query: Query;
  readonly list: TrafficList;
  readonly revision: number;
  /** The version of the findings with which the rows were found. */
  readonly insights: number;
  readonly until: number;
  readonly work: Work;
}

/**
 * While traffic arrives, such work is done again for at most this many rows per ms. This takes some 5 % of the thread's
 * time.
 */
const ROWS_PER_MS = 100;

/** Answers the query of one view. Caches costly results between answers. */
export class QueryRunner {
  #query: Query;
  readonly #caches = new AnswerCaches();
  #traffic: CachedList | null = null;
  readonly #reading = new Cached<HeaderReading>();
  readonly #evaluator = new Cached<InsightEvaluator>();
  #figures: CachedWork<MatchingFigures> | null = null;
  #picked: CachedWork<PickedRows> | null = null;

  constructor(query: Query) {
    this.#query = query;
  }

  get query(): Query {
    return this.#query;
  }

  /** Replaces the query by one of the same view with another range, order or filter. */
  setQuery(query: Query): void {
    this.#query = query;
  }

  /**
   * Does one slice of the work that an answer needs; returns `false` if there is more. If `answer` is called while
   * there is more, it does the remaining work.
   */
  prepare(context: Context): boolean {
    const query = this.#query;
    const { session, archive } = context;
    if (query.view === "occurring") return this.#caches.completions.prepare(query.key, context);
    if (query.view === "grouping") return this.#caches.grouping.advance(session);
    if (query.view === "messages") {
      const from = firstMessage(query.range, archive.messageCount(query.exchange));
      return archive.prepareMessages(query.exchange, from, query.range.count);
    }
    if (!("filter" in query)) return true;
    const parsed = filterOf(query.filter);
    if (!parsed.ok) return true;
    const filter = withoutHosts(parsed.value, hiddenHostsOf(context.status.settings));
    if (!this.#readingOf(session, query.filter, filter).advance(archive.headReader())) return false;
    if (!isLookedThrough(query, filter)) return true;
    const list = this.#trafficList(context, query.filter, filter);
    if (!list.advance() || (namesSlow(filter) && !this.#judgeOf(context).advanceSlowCounts())) return false;
    if (query.view === "picked") return this.#pickedOf(query, list, context).advance();
    return query.view !== "figures" || this.#figuresOf(list, context).advance();
  }

  answer(context: Context): QueryResult {
    const query = this.#query;
    const problem = "filter" in query ? this.#problemOf(query.filter, context) : null;
    if (problem !== null) return { kind: "refused", problem };
    // The compiler does not know that each view's function takes the query of its own view.
    const answer = ANSWERS[query.view] as (query: Query, queryContext: QueryContext) => unknown;
    const result = answer(query, this.#contextOf(context));
    if (!("range" in query)) return { kind: "value", value: result as ValueOf[keyof ValueOf] };
    const rows = result as Result<Rows<ListRecord>>;
    if (!rows.ok) return { kind: "refused", problem: rows.problem };
    const searched = this.#searchedShare(context);
    const from = rows.value.from ?? query.range.from;
    return { kind: "list", from, rows: rows.value, ...(searched === 1 ? {} : { searched }) };
  }

  /** The share of the exchanges whose bodies were searched for all texts that the filter looks for. */
  #searchedShare({ insights }: Context): number {
    const filter = "filter" in this.#query ? filterOf(this.#query.filter) : null;
    const texts = filter?.ok === true ? bodyTextsOf(filter.value) : [];
    return Math.min(1, ...texts.map((text) => insights.bodies(text).progress));
  }

  /** Why the filter is refused; `null` if it is accepted. Reads all headers that the filter names. */
  #problemOf(text: string, { session, archive, insights }: Context): Problem | null {
    const parsed = filterOf(text);
    if (!parsed.ok) return parsed.problem;
    const filter = parsed.value;
    const reading = this.#readingOf(session, text, filter);
    reading.advance(archive.headReader(), Number.POSITIVE_INFINITY);
    if (reading.problem !== null) return reading.problem;
    return namesFindings(filter) && insights.ranked().found === null ? FINDINGS_AWAITED : null;
  }

  #readingOf(session: Session, text: string, filter: Filter): HeaderReading {
    return this.#reading.of([session, text], () => new HeaderReading(session.table, filter));
  }

  /** Requires a valid filter; `answer` checks the filter first. */
  #contextOf(context: Context): QueryContext {
    const { session, status } = context;
    const text = "filter" in this.#query ? this.#query.filter : "";
    const known = filterOf(text);
    const filter = withoutHosts(known.ok ? known.value : [], hiddenHostsOf(status.settings));
    const evaluator = this.#judgeOf(context);
    const list = () => this.#trafficList(context, text, filter);
    const matching = () => list().rows(evaluator);
    return {
      ...context,
      settings: status.settings,
      evaluator,
      filter,
      caches: this.#caches,
      list,
      matching,
      narrowed: () => (filter.length === 0 ? null : matching()),
      holdsEndpoint: () => (filter.every(appliesToEndpoints) ? null : endpointsAt(session.table, matching())),
      figures: () => this.#figuresOf(list(), context),
      picked: (query) => this.#pickedOf(query, list(), context),
    };
  }

  #judgeOf({ session, insights, status: { settings } }: Context): InsightEvaluator {
    const from = [session, session.table.endpoints, settings];
    return this.#evaluator.of(from, () => new InsightEvaluator(session, settings, insights));
  }

  #figuresOf(list: TrafficList, context: Context): MatchingFigures {
    this.#figures = this.#workOn(this.#figures, list, context, (rows) => new MatchingFigures(context.session, rows));
    return this.#figures.work;
  }

  #pickedOf({ sort, stretches }: PickedQuery, list: TrafficList, context: Context): PickedRows {
    const make = (rows: Uint32Array) => list.picked(rows, sort, stretches);
    this.#picked = this.#workOn(this.#picked, list, context, make, stretches.length);
    return this.#picked.work;
  }

  /**
   * The known work on the rows of the list if that can be used again, else what `make` returns. `looks`: at each row.
   */
  #workOn<Work>(
    known: CachedWork<Work> | null,
    list: TrafficList,
    context: Context,
    make: (rows: Uint32Array) => Work,
    looks = 1,
  ): CachedWork<Work> {
    const query = this.#query;
    const { now, session, insights } = context;
    const [revision, version] = [session.revision, insights.version];
    const isSame = known?.query === query && known.list === list;
    if (isSame && ((known.revision === revision && known.insights === version) || now < known.until)) return known;
    const rows = list.rows(this.#judgeOf(context)).slice();
    const until = now + (rows.length * looks) / ROWS_PER_MS;
    return { query, list, revision, insights: version, until, work: make(rows) };
  }

  #trafficList({ session, status }: Context, text: string, filter: Filter): TrafficList {
    const { endpoints } = session.table;
    const hidden = hiddenHostsOf(status.settings).join(" ");
    const isSame = this.#traffic?.session === session && this.#traffic.endpoints === endpoints;
    if (isSame && this.#traffic?.text === text && this.#traffic.hidden === hidden) return this.#traffic.list;
    const list = new TrafficList(session, filter);
    this.#traffic = { session, endpoints, text, hidden, list };
    return list;
  }
}

/** Whether the answer needs all rows to be read. */
function isLookedThrough({ view }: Query, filter: Filter): boolean {
  if (["findings", "chains", "critical-path", "repeats"].includes(view)) return filter.length > 0;
  if (["latency", "collecting", "payload", "trends"].includes(view)) return !filter.every(appliesToEndpoints);
  return ["traffic", "timeline", "density", "figures", "picked", "position"].includes(view);
}
