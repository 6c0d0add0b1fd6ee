import { BaselineFigures, MINIMUM_SESSIONS, medianOf } from "../insights/trends.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import type { SessionFigures } from "./figures.ts";

/** What stayed of sessions that have ended, as a question about trends sees it. */
export interface History {
  /** Grows when a session ended, or was deleted or left out. */
  readonly version: number;
  readonly baseline: Baseline;
  /** Of any ended session; `null` where there are none. */
  figuresOf(id: string): SessionFigures | null;
  /** Of the session that is being recorded. */
  current(): SessionFigures;
}

/** A completed session that trends compare with. */
export interface PastSession {
  readonly id: string;
  readonly name: string;
  readonly startedAt: Instant;
  readonly figures: SessionFigures;
}

/** The completed sessions that trends compare with: the latest 10 of those that are given, which come oldest first. */
export class Baseline {
  readonly sessions: readonly PastSession[];
  readonly figures: BaselineFigures;
  /** Median of the sessions' p95 of all latencies; `null` with fewer than 3 that have one. */
  readonly p95: Milliseconds | null;

  constructor(sessions: readonly PastSession[]) {
    this.sessions = sessions;
    this.figures = new BaselineFigures(sessions.map(({ figures }) => figures));
    const values = sessions.flatMap(({ figures }) => figures.p95 ?? []);
    this.p95 = values.length < MINIMUM_SESSIONS ? null : medianOf(values);
  }
}
