import type {
  InsightListQuery,
  InsightRecordOf,
  InsightValueOf,
  InsightValueQuery,
} from "../messages/insight-messages.ts";
import type { Query } from "../messages/messages.ts";
import type { Settings } from "../model/settings.ts";
import { compareRows } from "./compare-list.ts";
import { densityOf } from "./density.ts";
import { type FilterProblem, filterOf, isProblem } from "./filter.ts";
import { chainsOf, groupRows, repeatRows } from "./finding-records.ts";
import type { Findings } from "./findings.ts";
import { GroupingFinder } from "./grouping.ts";
import type { History } from "./history.ts";
import type { Judge } from "./judge.ts";
import { OversizedCounter } from "./oversized-counter.ts";
import { PayloadDetails } from "./payload-detail.ts";
import { payloadRows } from "./payload-list.ts";
import type { Session } from "./session.ts";
import { timelineRows } from "./timeline-list.ts";
import type { Rows } from "./traffic-list.ts";
import { baselineOf, trendRows } from "./trend-list.ts";

/** What the questions of insight-messages.ts are answered from. */
export interface InsightSources {
  readonly session: Session;
  readonly settings: Settings;
  readonly judge: Judge;
  readonly findings: Findings;
  readonly history: History;
  /** The rows that match a filter, ascending; good until the session changes. */
  readonly matching: (filter: string) => Uint32Array | FilterProblem;
}

/** Answers one view's questions about payloads, time, chains and trends; remembers what is dear to find again. */
export class InsightAnswers {
  readonly #oversized = new OversizedCounter();
  readonly #payload = new PayloadDetails();
  readonly #grouping = new GroupingFinder();

  /** As `Question.prepare`. */
  prepare({ view }: Query, session: Session): boolean {
    return view !== "grouping" || this.#grouping.advance(session);
  }

  rows(
    query: InsightListQuery,
    { session, settings, judge, findings, history, matching }: InsightSources,
  ): Rows<InsightRecordOf[keyof InsightRecordOf]> | FilterProblem {
    const filter = filterOf("filter" in query ? query.filter : "");
    if (isProblem(filter)) return filter;
    switch (query.view) {
      case "payload": {
        const oversized = this.#oversized.counts(session, settings, judge);
        return payloadRows(session, filter, query.sort, query.range, oversized);
      }
      case "timeline": {
        const rows = matching(query.filter);
        if ("problem" in rows) return rows;
        return timelineRows(session, rows, query.between, query.range, judge, findings);
      }
      case "groups":
        return groupRows(session, findings.overlaps(), query.sort, query.range);
      case "repeats":
        return repeatRows(session, findings.overlaps(), query.range);
      case "trends":
        return trendRows(session, history.baseline, settings, filter, query);
      case "compare": {
        const left = query.left === null ? history.current() : history.figuresOf(query.left);
        const right = query.right === null ? history.current() : history.figuresOf(query.right);
        if (left === null || right === null) return { problem: "The figures of one of these sessions are not kept." };
        return compareRows(left, right, filter, query.sort, query.range);
      }
    }
  }

  value(
    query: InsightValueQuery,
    { session, settings, judge, findings, history, matching }: InsightSources,
  ): InsightValueOf[keyof InsightValueOf] {
    switch (query.view) {
      case "payload-endpoint": {
        return this.#payload.of(session, query.endpoint, judge, this.#oversized.counts(session, settings, judge));
      }
      case "density": {
        const rows = matching(query.filter);
        if ("problem" in rows) throw new Error("a filter that says nothing is refused before");
        return densityOf(session.table, rows, query.between, query.slices);
      }
      case "chains":
        return chainsOf(session, findings.chains());
      case "baseline":
        return baselineOf(session, history.baseline);
      case "grouping":
        return this.#grouping.of(session);
    }
  }
}
