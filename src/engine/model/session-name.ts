import type { Problem } from "./result.ts";

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
