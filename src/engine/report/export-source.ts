import type { ContentReader } from "../capture/content-reader.ts";
import { type Annotation, NO_ANNOTATION } from "../model/annotation.ts";
import type { Settings } from "../model/settings.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import type { FilterInsights } from "../session/evaluation/insights.ts";
import type { Baseline } from "../session/lists/history.ts";
import type { MatchingSource } from "../session/lists/matching-exchanges.ts";
import type { Session } from "../session/session.ts";

/** The name and title of a session ("" if it has none) and its start. */
export interface SessionName {
  readonly name: string;
  readonly title: string;
  readonly startedAt: Instant;
}

/** The source from which exports, searches and bodies are read. */
export interface ExportSource {
  readonly session: Session;
  /** `null` if nothing was captured. */
  readonly reader: ContentReader | null;
  /** The sessions that trends compare with. */
  readonly baseline: Baseline;
  readonly settings: Settings;
  readonly version: string;
  /** The session's label and start, for the name of an exported file; `null` if nothing was captured. */
  readonly named?: SessionName | null;
  /** The hosts that are left out, as in the window; absent for none. */
  readonly hiddenHosts?: readonly string[];
  /** Findings and bodies that a filter can name; absent if none are searched for. */
  readonly insights?: FilterInsights;
}

export interface Piece {
  readonly text: string;
  /** The progress, 0 to 1. */
  readonly progress: number;
}

/** The source that the filters of exports search. */
export function matchingSourceOf({
  session,
  settings,
  reader,
  hiddenHosts,
  insights = null,
}: MatchedSource): MatchingSource {
  return { session, settings, hiddenHosts, insights, headsOf: (id) => reader?.headsOf(id) ?? null };
}

type MatchedSource = Pick<ExportSource, "session" | "settings" | "reader" | "hiddenHosts"> & {
  readonly insights?: FilterInsights | null | undefined;
};

/** Throws a sentence if the session was closed meanwhile: a part must not be exported as if it were the whole. */
export function checkOpen({ reader }: ExportSource): void {
  if (reader?.isClosed) throw new Error(CLOSED);
}

/** The problem of an export whose session was closed meanwhile. */
export const CLOSED =
  "This session was closed before its export was complete. If the session is still kept, open it under Sessions and export it again.";

export function annotationIn({ table }: Session, id: ExchangeId): Annotation {
  const row = table.rowOf(id);
  return row === null ? NO_ANNOTATION : table.annotations.at(row);
}

/** The progress of an export of all exchanges, 0 to 1. */
export function progressOf({ session }: ExportSource, done: number): number {
  return Math.min(1, done / Math.max(1, session.exchanges - session.forgotten));
}
