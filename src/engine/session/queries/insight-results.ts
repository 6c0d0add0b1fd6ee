import type { InsightRecordOf, InsightValueOf } from "../../messages/insight-messages.ts";
import type { ListQuery, Query, ValueQuery } from "../../messages/messages.ts";
import type { Settings } from "../../model/settings.ts";
import type { Findings } from "../evaluation/findings.ts";
import { GroupingFinder } from "../evaluation/grouping.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { OversizedCounter } from "../evaluation/oversized-counter.ts";
import { type FilterProblem, filterOf, isProblem } from "../filter/filter.ts";
import { compareRows, comparisonOf, type Pair } from "../lists/compare-list.ts";
import { densityOf } from "../lists/density.ts";
import type { EndpointTest } from "../lists/endpoint-lists.ts";
import { chainsOf, groupRows, repeatRows } from "../lists/finding-records.ts";
import type { History } from "../lists/history.ts";
import { payloadRows } from "../lists/payload-list.ts";
import { timelineRows } from "../lists/timeline-list.ts";
import type { Rows } from "../lists/traffic-list.ts";
import { baselineOf, trendRows } from "../lists/trend-list.ts";
import type { Session } from "../session.ts";
import { criticalPathOf } from "./critical-path.ts";
import { PayloadDetails } from "./payload-detail.ts";

/** What answers to the queries of insight-messages.ts are made from. */
export interface InsightSources {
  readonly session: Session;
  readonly settings: Settings;
  readonly judge: InsightEvaluator;
  readonly findings: Findings;
  readonly history: History;
  /** The rows that match the query's filter, ascending. Valid until the session changes. */
  readonly matching: () => Uint32Array;
  /** Whether an endpoint has a row that matches; `null` if the endpoints' names decide. */
  readonly holdsEndpoint: EndpointTest | null;
}

/** Answers the queries of one view about payloads, times, chains and trends. Caches costly results. */
export class InsightResults {
  readonly #oversized = new OversizedCounter();
  readonly #payload = new PayloadDetails();
  readonly #grouping = new GroupingFinder();

  /** As `QueryRunner.prepare`. */
  prepare({ view }: Query, session: Session): boolean {
    return view !== "grouping" || this.#grouping.advance(session);
  }

  rows(
    query: Extract<ListQuery, { view: keyof InsightRecordOf }>,
    { session, settings, judge, findings, history, matching, holdsEndpoint }: InsightSources,
  ): Rows<InsightRecordOf[keyof InsightRecordOf]> | FilterProblem {
    const filter = filterOf("filter" in query ? query.filter : "");
    if (isProblem(filter)) return filter;
    switch (query.view) {
      case "payload": {
        const oversized = this.#oversized.counts(session, settings, judge);
        return payloadRows(session, filter, query.sort, query.range, oversized, holdsEndpoint);
      }
      case "timeline": {
        return timelineRows(session, matching(), query.between, query.range, judge, findings);
      }
      case "groups":
        return groupRows(session, findings.groups(), query.sort, query.range);
      case "repeats":
        return repeatRows(session, findings.repeats(), query.range, query.filter === "" ? null : matching());
      case "trends":
        return trendRows(session, history.baseline, settings, filter, query, holdsEndpoint);
      case "compare": {
        const pair = pairOf(query, history);
        if (pair === null) return { problem: "The figures of one of these sessions are not kept." };
        return compareRows(pair, settings, filter, query.sort, query.range);
      }
    }
  }

  value(
    query: Extract<ValueQuery, { view: keyof InsightValueOf }>,
    { session, settings, judge, findings, history, matching }: InsightSources,
  ): InsightValueOf[keyof InsightValueOf] {
    switch (query.view) {
      case "payload-endpoint": {
        return this.#payload.of(session, query.endpoint, judge, this.#oversized.counts(session, settings, judge));
      }
      case "density": {
        return densityOf(session, matching(), query.between, query.slices);
      }
      case "comparison": {
        const filter = filterOf(query.filter);
        const pair = pairOf(query, history);
        return pair === null || isProblem(filter) ? null : comparisonOf(pair, settings, filter);
      }
      case "chains":
        return chainsOf(session, findings.chains(), query.filter === "" ? null : matching());
      case "critical-path":
        return criticalPathOf(session, findings.chains(), query, query.filter === "" ? null : matching());
      case "baseline":
        return baselineOf(session, history.baseline);
      case "grouping":
        return this.#grouping.of(session);
    }
  }
}

function pairOf(
  { left, right }: { readonly left: string | null; readonly right: string | null },
  history: History,
): Pair | null {
  const of = (id: string | null) => (id === null ? history.current() : history.figuresOf(id));
  const [before, after] = [of(left), of(right)];
  return before === null || after === null ? null : { left: before, right: after };
}
