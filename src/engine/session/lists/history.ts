import { SampleBaseline } from "../../insights/figure-change.ts";
import { BaselineFigures, MINIMUM_SESSIONS } from "../../insights/trends.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";
import { type LatencySample, medianOf } from "../../stats/percentile.ts";
import type { SessionFigures } from "./figures.ts";

/** The figures of ended sessions, for trends. */
export interface History {
  /** Increases whenever the stored sessions change. */
  readonly version: number;
  readonly baseline: Baseline;
  /** The figures of an ended session; `null` if there are none. */
  figuresOf(id: string): SessionFigures | null;
  /** The figures of the current session: while it changes, those of some seconds before `now`. */
  current(now: Instant): SessionFigures;
}

/** A completed session that trends compare with. */
export interface PastSession {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly startedAt: Instant;
  readonly figures: SessionFigures;
}

/** The baseline for trends. `sessions`: at most 10 completed sessions, oldest first. */
export class Baseline {
  readonly sessions: readonly PastSession[];
  readonly figures: BaselineFigures;
  /**
   * The median of the sessions' p95, each computed from all latencies of its session; `null` if fewer than 3 sessions
   * have latencies.
   */
  readonly p95: Milliseconds | null;
  /** All latencies of each session that has any. */
  readonly latencies: SampleBaseline<LatencySample>;

  constructor(sessions: readonly PastSession[]) {
    this.sessions = sessions;
    this.figures = new BaselineFigures(sessions.map(({ figures }) => figures));
    this.latencies = new SampleBaseline(sessions.flatMap(({ figures }) => figures.latencies ?? []));
    const values = this.latencies.sessions.map(({ p95 }) => p95);
    this.p95 = values.length < MINIMUM_SESSIONS ? null : medianOf(values);
  }
}
