import { type Span, waitingOf } from "../../insights/findings/waiting.ts";
import {
  causeKeyOf,
  type SlowCause,
  type SlowGroupCause,
  type SlowGroupRecord,
} from "../../messages/latency-messages.ts";
import type { ListQuery } from "../../messages/messages.ts";
import { type Endpoint, partsOf } from "../../model/endpoint.ts";
import type { Milliseconds } from "../../model/units.ts";
import { medianOf } from "../../stats/percentile.ts";
import type { CausePlace, SlowCausesFound } from "../evaluation/findings.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { forEachSlow } from "../evaluation/slow-rows.ts";
import { type Filter, namesFindings } from "../filter/filter.ts";
import { Matcher } from "../filter/matcher.ts";
import type { Session } from "../session.ts";
import type { Rows } from "./traffic-list.ts";

type Asked = Omit<Extract<ListQuery, { readonly view: "slow-groups" }>, "view" | "filter">;

/** The group of a slow request. A number is the index of a cause among the causes of the endpoint. */
type Group = "connection" | "transfer" | "none" | "unknown" | number;

/**
 * Chooses the group of a slow request. A slow connection takes precedence over a shared cause, since the comparison of
 * requests ignores connection times. A shared cause takes precedence over a slow transfer, since the cause is more
 * specific.
 */
export function slowGroupOf(place: CausePlace, phase: SlowCause | null): Group {
  if (phase === "connection") return "connection";
  if (typeof place === "number") return place;
  if (phase === "transfer") return "transfer";
  return place === "unknown" ? "unknown" : "none";
}

/**
 * Groups the slow requests in the table by endpoint and cause. An endpoint's groups are computed again only after the
 * endpoint changed.
 */
export class SlowGroupList {
  #scope: Scope | null = null;
  readonly #known = new Map<number, { readonly version: number; readonly groups: readonly Gathered[] }>();

  /**
   * The requested range of the groups; the group with the most lost time comes first. `total`: the number of slow
   * requests before the filter; `matched`: the number of groups.
   */
  read(
    session: Session,
    filter: Filter,
    { cause, endpoint, range }: Asked,
    judge: InsightEvaluator,
    causes: SlowCausesFound,
  ): Rows<SlowGroupRecord> {
    const found = namesFindings(filter) ? judge.findingsVersion : 0;
    this.#look({ session, judge, causes, cause, found, filter: JSON.stringify(filter) });
    const matcher = new Matcher(session.table, filter);
    const one = endpoint === null ? null : session.table.endpoints.find(endpoint);
    const counts = one === null ? judge.slowCounts() : null;
    const groups: Gathered[] = [];
    for (let number = one ?? 1; number <= (one ?? session.tallies.last); number += 1) {
      if (counts?.[number] === 0) continue;
      const version = session.tallies.versionOf(number);
      let known = this.#known.get(number);
      if (known?.version !== version) {
        known = { version, groups: groupsOfEndpoint(session, number, matcher, cause, judge, causes) };
        this.#known.set(number, known);
      }
      groups.push(...known.groups);
    }
    groups.sort((left, right) => right.lost - left.lost || right.count - left.count);
    return {
      total: one === null ? judge.slowTotal : judge.slowCount(one),
      matched: groups.length,
      records: groups.slice(range.from, range.from + range.count).map(({ record }) => record()),
    };
  }

  /** Drops all groups if they were computed for another scope. */
  #look(scope: Scope): void {
    const before = this.#scope;
    this.#scope = scope;
    const isSame =
      before?.session === scope.session &&
      before.judge === scope.judge &&
      before.causes === scope.causes &&
      before.cause === scope.cause &&
      before.found === scope.found &&
      before.filter === scope.filter;
    if (!isSame) this.#known.clear();
  }
}

/** What the groups depend on, apart from the requests. */
interface Scope {
  readonly session: Session;
  readonly judge: InsightEvaluator;
  readonly causes: SlowCausesFound;
  readonly cause: SlowCause;
  /** The version of the findings if the filter uses findings, else 0. */
  readonly found: number;
  readonly filter: string;
}

function groupsOfEndpoint(
  session: Session,
  number: number,
  matcher: Matcher,
  cause: SlowCause,
  judge: InsightEvaluator,
  causes: SlowCausesFound,
): readonly Gathered[] {
  const own = new EndpointGroups(session, number, judge, causes);
  forEachSlow(session, judge, number, (row, latency) => {
    const phase = judge.causeAt(row);
    const isShown = (cause === "all" || phase === cause) && matcher.matches(row) && matcher.matchesNow(row, judge);
    own.add(row, latency, phase, isShown);
  });
  return own.gathered();
}

interface Gathered {
  readonly lost: Milliseconds;
  readonly count: number;
  readonly record: () => SlowGroupRecord;
}

interface Members {
  readonly spans: Span[];
  readonly latencies: Milliseconds[];
}

/** The groups of one endpoint. */
class EndpointGroups {
  readonly #session: Session;
  readonly #number: number;
  readonly #usual: Milliseconds;
  readonly #limit: Milliseconds;
  readonly #causes: SlowCausesFound;
  readonly #members = new Map<Group, Members>();
  /** The number of slow requests by cause, including requests that the filter excludes. */
  readonly #slowWith: number[] = [];
  /** The number of slow requests that were compared but have no cause, including requests that the filter excludes. */
  #slowWithout = 0;

  constructor(session: Session, number: number, judge: InsightEvaluator, causes: SlowCausesFound) {
    this.#session = session;
    this.#number = number;
    this.#usual = judge.usualLatency(number);
    this.#limit = judge.slowLimit(number);
    this.#causes = causes;
  }

  add(row: number, latency: Milliseconds, phase: SlowCause | null, isShown: boolean): void {
    const place = this.#causes.placeOf(row);
    if (typeof place === "number") this.#slowWith[place] = (this.#slowWith[place] ?? 0) + 1;
    else if (place === "none") this.#slowWithout += 1;
    if (!isShown) return;
    const { table } = this.#session;
    const start = table.instants.startAt(row);
    const span = { client: String(table.client.at(row)), start: start + this.#usual, end: start + latency };
    const group = slowGroupOf(place, phase);
    const known = this.#members.get(group);
    if (known === undefined) return void this.#members.set(group, { spans: [span], latencies: [latency] });
    known.spans.push(span);
    known.latencies.push(latency);
  }

  gathered(): readonly Gathered[] {
    return Array.from(this.#members, ([group, { spans, latencies }]) => {
      const lost = waitingOf(spans);
      return { lost, count: latencies.length, record: () => this.#recordOf(group, lost, latencies) };
    });
  }

  #recordOf(group: Group, lost: Milliseconds, latencies: readonly Milliseconds[]): SlowGroupRecord {
    const { table, tallies } = this.#session;
    const endpoint = table.endpoints.textAt(this.#number) as Endpoint;
    const { p50 = null, p95 = null } = tallies.atWithRow(this.#number).figures() ?? {};
    const cause: SlowGroupCause = typeof group === "number" ? this.#attributeOf(group) : { kind: group };
    return Object.freeze({
      ...partsOf(endpoint),
      key: `${this.#number} ${causeKeyOf(cause)}`,
      endpoint,
      cause: Object.freeze(cause),
      count: latencies.length,
      lost,
      median: medianOf(latencies),
      p50,
      limit: this.#limit,
      isP95: this.#limit === p95,
      requests: tallies.requestsAt(this.#number),
    });
  }

  /** The cause with this index. The counts leave out requests whose cause has a lower index. */
  #attributeOf(index: number): SlowGroupCause {
    const found = this.#causes.causesOf(this.#number)[index];
    if (found === undefined) return { kind: "none" };
    const { attribute, members, compared, median, usual } = found;
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
    };
  }
}
