import type { ListState } from "../../engine/messages/list-messages.ts";
import type { ListAnswer } from "../parts/list-options.ts";
import type { ListSubscription } from "../state/windows.ts";
import type { Matches } from "./dependencies.ts";

/** What a list holds now, and why no more of it (state/windows.ts). */
export interface ListNow {
  readonly state: Pick<ListState, "matched" | "total">;
  readonly problem: string | null;
  readonly left: boolean;
}

/** What became of the question that it was asked last. */
export function answerOf({ problem, answered }: Pick<ListSubscription<"traffic">, "problem" | "answered">): ListAnswer {
  if (!answered) return "awaited";
  return problem === null ? "come" : "refused";
}

/** What the filter box says of it. */
export function matchesOf(list: ListNow): Matches {
  const { matched, total } = list.state;
  return { matched, total, problem: list.left ? unansweredText(list) : list.problem };
}

/** Nobody was there to answer when it was asked for: that it is empty says nothing. */
export function isUnanswered({ state, left }: Pick<ListNow, "state" | "left">): boolean {
  return left && state.total === 0;
}

/** Nobody answers: why, and that rows which are there are still those of the question before. */
export function unansweredText({ state, problem }: ListNow): string {
  return state.total > 0 ? `${problem} The list stays as it was.` : String(problem);
}
