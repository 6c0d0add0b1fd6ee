import { LEAST_REQUESTS } from "../../insights/findings/slow-when/durations.ts";
import { type Span, waitingOf } from "../../insights/findings/waiting.ts";
import type {
  SlowCause,
  SlowCauseSum,
  SlowEndpointRecord,
  SlowGroup,
  SlowGroupCause,
  SlowGroupRecord,
  SlowOverview,
  SlowSum,
} from "../../messages/latency-messages.ts";
import type { ListQuery } from "../../messages/messages.ts";
import { type Endpoint, partsOf } from "../../model/endpoint.ts";
import type { Milliseconds } from "../../model/units.ts";
import { medianOf } from "../../stats/percentile.ts";
import { Cached } from "../evaluation/cached.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import type { SlowCausesFound } from "../evaluation/insights.ts";
import { forEachSlow } from "../evaluation/slow-cause-search.ts";
import { Matcher } from "../filter/matcher.ts";
import { bodyTextsOf, type Filter, namesFindings } from "../filter/term.ts";
import type { Session } from "../session.ts";
import type { Rows } from "./traffic-list.ts";

type GroupsQuery = Omit<Extract<ListQuery, { readonly view: "slow-groups" }>, "view" | "filter">;

/** The group of a slow request. A number is the index of a cause among the causes of the endpoint. */
type Group = SlowGroup | number;

/**
 * Chooses the group of the slow request in this row. A slow connection takes precedence over a shared cause, since the
 * comparison of requests ignores connection times. A shared cause takes precedence over a slow transfer, since the
 * cause is more specific.
 */
export function slowGroupAt(
  { table, tallies }: Session,
  row: number,
  endpoint: number,
  evaluator: InsightEvaluator,
  causes: SlowCausesFound,
): Group {
  const phase = evaluator.causeAt(row);
  if (phase === "connection") return "connection";
  const index = causes.causeIndexOf(row);
  if (typeof index === "number") return index;
  if (phase === "transfer") return "transfer";
  if (causes.progress < 1) return "unknown";
  const isLeftOut = row < table.firstRow + causes.leftOut || tallies.requestsAt(endpoint) < LEAST_REQUESTS;
  return index === "unknown" && !isLeftOut ? "unknown" : "none";
}

/**
 * Groups the slow requests in the table by endpoint and cause. An endpoint's groups are computed again only after the
 * endpoint changed.
 */
export class SlowGroupList {
  readonly #known = new Cached<Map<number, { readonly version: number; readonly gathered: Gathered | null }>>();

  /**
   * The requested range of the rows (`SlowGroupRecord`). `total`: the number of slow requests before the filter;
   * `matched`: the number of rows.
   */
  read(
    session: Session,
    filter: Filter,
    { cause, endpoint, range }: GroupsQuery,
    evaluator: InsightEvaluator,
    causes: SlowCausesFound,
  ): Rows<SlowGroupRecord> {
    const found = namesFindings(filter) || bodyTextsOf(filter).length > 0 ? evaluator.findingsVersion : 0;
    const scope = [session, evaluator, causes, cause, found, JSON.stringify(filter)];
    const endpoints = this.#known.of(scope, () => new Map());
    const matcher = new Matcher(session.table, filter);
    const one = endpoint === null ? null : session.table.endpoints.find(endpoint);
    const counts = one === null ? evaluator.slowCounts() : null;
    const rows: Gathered[] = [];
    for (let number = one ?? 1; number <= (one ?? session.tallies.last); number += 1) {
      if (counts?.[number] === 0) continue;
      const version = session.tallies.versionOf(number);
      let known = endpoints.get(number);
      if (known?.version !== version) {
        known = { version, gathered: gatheredOf(session, number, matcher, cause, evaluator, causes) };
        endpoints.set(number, known);
      }
      if (known.gathered !== null) rows.push(known.gathered);
    }
    rows.sort((left, right) => right.lost - left.lost || right.count - left.count);
    const overview: SlowOverview = Object.freeze({ key: "overview", progress: causes.progress });
    const all = rows.length === 0 ? [] : [() => overview, ...rows.map(({ record }) => record)];
    return {
      total: one === null ? evaluator.slowTotal : evaluator.slowCount(one),
      matched: all.length,
      records: all.slice(range.from, range.from + range.count).map((record) => record()),
    };
  }
}

/** `null` if no slow request of the endpoint is shown. */
function gatheredOf(
  session: Session,
  number: number,
  matcher: Matcher,
  cause: SlowCause,
  evaluator: InsightEvaluator,
  causes: SlowCausesFound,
): Gathered | null {
  const own = new EndpointGroups(session, number, evaluator, causes);
  forEachSlow(session, evaluator, number, (row, latency) => {
    const isOfCause = cause === "all" || evaluator.causeAt(row) === cause;
    own.add(row, latency, isOfCause && matcher.matches(row) && matcher.matchesNow(row, evaluator));
  });
  return own.gathered();
}

interface Gathered {
  readonly lost: Milliseconds;
  readonly count: number;
  readonly record: () => SlowEndpointRecord;
}

class Members {
  readonly #spans: Span[] = [];
  readonly #latencies: Milliseconds[] = [];

  add(span: Span, latency: Milliseconds): void {
    this.#spans.push(span);
    this.#latencies.push(latency);
  }

  get count(): number {
    return this.#latencies.length;
  }

  get lost(): Milliseconds {
    return waitingOf(this.#spans);
  }

  get sum(): SlowSum {
    return { count: this.count, lost: this.lost, median: medianOf(this.#latencies) };
  }
}

class EndpointGroups {
  readonly #session: Session;
  readonly #number: number;
  readonly #evaluator: InsightEvaluator;
  readonly #causes: SlowCausesFound;
  readonly #all = new Members();
  readonly #members = new Map<Group, Members>();
  /** The number of slow requests by cause, including requests that the filter excludes. */
  readonly #slowWith: number[] = [];
  /** The number of slow requests that were compared but have no cause, including requests that the filter excludes. */
  #slowWithout = 0;

  constructor(session: Session, number: number, evaluator: InsightEvaluator, causes: SlowCausesFound) {
    this.#session = session;
    this.#number = number;
    this.#evaluator = evaluator;
    this.#causes = causes;
  }

  add(row: number, latency: Milliseconds, isShown: boolean): void {
    const index = this.#causes.causeIndexOf(row);
    if (typeof index === "number") this.#slowWith[index] = (this.#slowWith[index] ?? 0) + 1;
    else if (index === "none") this.#slowWithout += 1;
    if (!isShown) return;
    const { table } = this.#session;
    const start = table.instants.startAt(row);
    const usual = this.#evaluator.usualLatency(this.#number);
    const span = { client: String(table.client.at(row)), start: start + usual, end: start + latency };
    const group = slowGroupAt(this.#session, row, this.#number, this.#evaluator, this.#causes);
    let members = this.#members.get(group);
    if (members === undefined) {
      members = new Members();
      this.#members.set(group, members);
    }
    members.add(span, latency);
    this.#all.add(span, latency);
  }

  gathered(): Gathered | null {
    const { count, lost } = this.#all;
    if (count === 0) return null;
    return { lost, count, record: () => this.#record() };
  }

  #record(): SlowEndpointRecord {
    const groups = [...this.#members.keys()];
    const { table, tallies } = this.#session;
    const endpoint = table.endpoints.textAt(this.#number) as Endpoint;
    const { p50 = null, p95 = null } = tallies.atWithRow(this.#number).figures() ?? {};
    const limit = this.#evaluator.slowLimit(this.#number);
    return Object.freeze({
      ...partsOf(endpoint),
      ...this.#all.sum,
      key: String(this.#number),
      endpoint,
      causes: this.#sums(),
      isWithoutCause: this.#members.has("none") && groups.every((group) => group === "none" || group === "unknown"),
      arrived: this.#causes.progress < 1 ? 0 : (this.#members.get("unknown")?.count ?? 0),
      p50,
      limit,
      isP95: limit === p95,
      requests: tallies.requestsAt(this.#number),
    });
  }

  #sums(): readonly SlowCauseSum[] {
    const sums: SlowCauseSum[] = [];
    for (const [group, members] of this.#members) {
      if (group === "unknown") continue;
      const cause: SlowGroupCause = typeof group === "number" ? this.#attributeOf(group) : { kind: group };
      sums.push(Object.freeze({ ...members.sum, cause: Object.freeze(cause) }));
    }
    sums.sort((left, right) => right.lost - left.lost || right.count - left.count);
    return Object.freeze(sums);
  }

  /** The cause with this index. The counts leave out requests whose cause has a lower index. */
  #attributeOf(index: number): SlowGroupCause {
    const found = this.#causes.causesOf(this.#number)[index];
    if (found === undefined) return { kind: "none" };
    const { attribute, members, compared, median, usual, cut } = found;
    const slowWith = this.#slowWith[index] ?? 0;
    const slow = this.#slowWithout + this.#slowWith.slice(index).reduce((sum, count) => sum + (count ?? 0), 0);
    return {
      kind: "attribute",
      ...attribute,
      slowWith,
      slow,
      othersWith: members.length - slowWith,
      others: compared - slow,
      medianWith: median,
      medianWithout: usual,
      cut: cut.slowWith === slowWith && cut.slow === slow ? null : cut,
    };
  }
}
