import type { ListState } from "../../engine/messages/list-messages.ts";
import type { ListAnswer } from "../parts/list-options.ts";
import type { Matches } from "./dependencies.ts";

/** What a list holds now, and why no more of it (state/windows.ts). */
export interface ListNow {
  readonly state: Pick<ListState, "matched" | "total">;
  readonly problem: string | null;
  readonly answered: boolean;
}

/** What became of the question that it was asked last. */
export function answerOf({ problem, answered }: Omit<ListNow, "state">): ListAnswer {
  if (!answered) return "awaited";
  return problem === null ? "come" : "refused";
}

/** What the filter box says of it. */
export function matchesOf({ state: { matched, total }, problem, answered }: ListNow): Matches {
  const isLeft = problem !== null && !answered;
  return { matched, total, problem: isLeft ? unansweredText({ state: { matched, total }, problem }) : problem };
}

/** Nobody answers: why, and that rows which are there are still those of the question before. */
export function unansweredText({ state, problem }: Pick<ListNow, "state" | "problem">): string {
  return state.total > 0 ? `${problem} The list stays as it was.` : String(problem);
}
