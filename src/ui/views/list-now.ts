import type { ListState } from "../../engine/messages/list-messages.ts";
import { countText } from "../format/count.ts";
import type { ListAnswer } from "../parts/list/list-options.ts";
import type { ListSubscription } from "../state/subscription-store.ts";
import type { Matches } from "./dependencies.ts";

/** The state of a list, and why no newer state is known (state/subscription-store.ts). */
export interface ListNow {
  readonly state: Pick<ListState, "matched" | "total" | "searched">;
  readonly problem: string | null;
  readonly isDisconnected: boolean;
}

/** Whether the list's latest query is answered, refused or pending. */
export function answerOf({ problem, answered }: Pick<ListSubscription<"traffic">, "problem" | "answered">): ListAnswer {
  if (!answered) return "awaited";
  return problem === null ? "come" : "refused";
}

/** Whether the answer to the latest query is still to come. */
export function isPending({
  answered,
  isDisconnected,
}: Pick<ListSubscription<"traffic">, "answered" | "isDisconnected">): boolean {
  return !answered && !isDisconnected;
}

/** Whether the engine has counted the rows. Until it has accepted a query, all counts are zero. */
export function isCounted({
  state,
  problem,
  answered,
}: Pick<ListSubscription<"traffic">, "state" | "problem" | "answered">): boolean {
  return state.total > 0 || (answered && problem === null);
}

/** How many rows match, for the filter box. */
export function matchesOf(list: ListNow): Matches {
  const { matched, total, searched = 1 } = list.state;
  return { matched, total, searched, problem: list.isDisconnected ? unansweredText(list) : list.problem };
}

/** How many rows match, and how much of the bodies was searched while that is not all. */
export function matchesTextOf({ matched, total, searched = 1 }: Matches): string {
  const counts = `${countText(matched)} of ${countText(total)}`;
  return searched === 1 ? counts : `${counts}, ${Math.floor(searched * 100)} % of bodies searched`;
}

/** Whether the list is empty only because there is no connection, so that the query has no answer. */
export function isUnanswered({ state, isDisconnected }: Pick<ListNow, "state" | "isDisconnected">): boolean {
  return isDisconnected && state.total === 0;
}

/** Says why the query has no answer, and whether rows of the previous query are shown. */
export function unansweredText({ state, problem }: ListNow): string {
  return state.total > 0 ? `${problem} Showing the previous results.` : String(problem);
}
