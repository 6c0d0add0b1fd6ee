import { unwrap } from "../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../src/engine/session/evaluation/insight-evaluator.ts";
import { filterOf } from "../../src/engine/session/filter/filter.ts";
import type { Filter } from "../../src/engine/session/filter/term.ts";
import type { Session } from "../../src/engine/session/session.ts";

/* Queries, filters and the insight evaluator, for tests of a traffic list. */

export const EVERYTHING = { from: 0, count: 1_000 };

export const BY_ID = { column: "id", descending: false } as const;

/** Parses a filter; throws if the text is invalid. */
export function filter(text: string): Filter {
  return unwrap(filterOf(text));
}

/** An insight evaluator with the default settings. */
export function judgeOf(session: Session): InsightEvaluator {
  return new InsightEvaluator(session, DEFAULT_SETTINGS);
}
