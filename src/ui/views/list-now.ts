import type { ListState } from "../../engine/messages/list-messages.ts";
import type { ListAnswer } from "../parts/list/list-options.ts";
import type { ListSubscription } from "../state/subscription-store.ts";
import type { Matches } from "./dependencies.ts";

/** The state of a list, and why it is not newer (state/subscription-store.ts). */
export interface ListNow {
  readonly state: Pick<ListState, "matched" | "total">;
  readonly problem: string | null;
  readonly isDisconnected: boolean;
}

/** The state of the list's latest query. */
export function answerOf({ problem, answered }: Pick<ListSubscription<"traffic">, "problem" | "answered">): ListAnswer {
  if (!answered) return "awaited";
  return problem === null ? "come" : "refused";
}

/** The list's match counts for the filter box. */
export function matchesOf(list: ListNow): Matches {
  const { matched, total } = list.state;
  return { matched, total, problem: list.isDisconnected ? unansweredText(list) : list.problem };
}

/** The query was never sent, so an empty list means nothing. */
export function isUnanswered({ state, isDisconnected }: Pick<ListNow, "state" | "isDisconnected">): boolean {
  return isDisconnected && state.total === 0;
}

/** Why the list is not answered, and that the rows shown are those of the previous query. */
export function unansweredText({ state, problem }: ListNow): string {
  return state.total > 0 ? `${problem} Showing the previous results.` : String(problem);
}
