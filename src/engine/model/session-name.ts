import type { Problem } from "./result.ts";
import type { Instant } from "./units.ts";

/** The most characters of a session's name. */
export const MOST_SESSION_NAME = 200;

/** Control characters, line separators, and marks that change the direction of text. */
const UNPRINTED = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Words and ids that `--session` takes for something else. */
const TAKEN = /^(?:current|last|newest|\d{8}T\d{9}-[0-9a-f]{6})$/;

/** Why a session cannot be called that, as a sentence; `null` if it can. */
export function sessionNameProblem(name: string): Problem | null {
  if (name.trim() === "") return "A session's name must not be empty.";
  if (name.length > MOST_SESSION_NAME)
    return `A session's name has at most ${MOST_SESSION_NAME} characters, this one ${name.length}.`;
  if (UNPRINTED.test(name)) return "A session's name must be one line without control characters.";
  return TAKEN.test(name) ? `"${name}" already means another session, so it cannot be a name.` : null;
}

/**
 * The address of the client in a run of an imported file, such as "run-2"; "run-2-cached" for a run with the cache of
 * the one before.
 */
export function runNameOf(run: number, isCached: boolean): string {
  return `run-${run}${isCached ? "-cached" : ""}`;
}

/** The run of a client, which begins with its address; `null` if the client belongs to none. */
export function runIn(client: string): string | null {
  return /^run-\d+(?:-cached)?(?= |$)/.exec(client)?.[0] ?? null;
}

/**
 * How a session is named without its time: by the name that a person gave it, else by its title; "" if it has neither.
 */
export function sessionLabelOf({ name, title }: { readonly name: string; readonly title: string }): string {
  return name === "" ? title : name;
}

/**
 * A report's title, from the label of its session and the session's start: "shop.example.com, Chrome, 2026-11-28 21:05
 * UTC".
 */
export function reportTitleOf(label: string, startedAt: Instant): string {
  const date = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  return `${label === "" ? "Session" : label}, ${date} UTC`;
}
