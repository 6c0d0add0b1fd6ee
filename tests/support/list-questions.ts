import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import { type Filter, filterOf, isProblem } from "../../src/engine/session/filter.ts";
import { Judge } from "../../src/engine/session/judge.ts";
import type { Session } from "../../src/engine/session/session.ts";

/* What tests ask of a list of traffic, and how it judges. */

export const EVERYTHING = { from: 0, count: 1_000 };

export const BY_ID = { column: "id", descending: false } as const;

/** What a text says that has no mistakes. */
export function filter(text: string): Filter {
  const understood = filterOf(text);
  if (isProblem(understood)) throw new Error(understood.problem);
  return understood;
}

/** By the settings as they come. */
export function judgeOf(session: Session): Judge {
  return new Judge(session, DEFAULT_SETTINGS);
}
