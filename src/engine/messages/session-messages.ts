import type { Problem } from "../model/result.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/*
 * Stored sessions, the shown session, import and search. A UI client shows one session at a time, at first the current
 * session. After `open-session`, all its lists and values show the stored session, read-only, while recording
 * continues; `show-current` returns to the current session. Only the values `status` and `sessions` do not depend on
 * the shown session.
 */

export interface SessionRecord {
  readonly id: string;
  /** The name that the user gave; "" if there is none. */
  readonly name: string;
  /** The name that Weir gives it: "shop.example.com, Chrome"; "" if unknown. */
  readonly title: string;
  readonly notes: string;
  /** `recovered`: the recording was interrupted by a crash or a kill. */
  readonly state: "current" | "completed" | "recovered";
  readonly imported: boolean;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly exchanges: number;
  /**
   * Whether the exchanges and bodies are still stored, so that the session can be opened. Figures stay even without
   * them.
   */
  readonly kept: boolean;
  /** Bytes on disk; of the current session without its write-ahead log, which is emptied at its end. */
  readonly size: Bytes;
  /**
   * The session's figures; for the current session, the figures so far. `null` for a recovered session before it is
   * first opened.
   */
  readonly figures: {
    readonly p95: Milliseconds | null;
    /** In percent. */
    readonly errorRate: number | null;
    readonly bytes: Bytes;
    /** Endpoints that have a row. */
    readonly endpoints: number;
  } | null;
  /**
   * Whether the session is in the baseline. `too-small`: no endpoint reached 5 requests; `left-out`: the user excluded
   * it; `older`: not among the latest 10.
   */
  readonly baseline: "in" | "left-out" | "too-small" | "older" | "not-ended";
}

/** A session in the trash. It is in no list of sessions and in no statistic. */
export interface TrashedSession {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly startedAt: Instant;
  readonly exchanges: number;
  /** Bytes on disk. */
  readonly size: Bytes;
  readonly trashedAt: Instant;
}

/** The reply to `undo-clear`. */
export interface ClearUndone {
  /** Whether the session is recorded further; otherwise it is listed as an ended session. */
  readonly goesOn: boolean;
}

export interface Sessions {
  /** Newest first. The current session is listed, before all others, once something was captured. */
  readonly sessions: readonly SessionRecord[];
  /** The latest first. */
  readonly trash: readonly TrashedSession[];
  /**
   * The id of an interrupted session that was found at this start and can be opened. `null` if there is none, or after
   * it was opened or dismissed.
   */
  readonly recovered: string | null;
  /** Bytes of all sessions on disk, with those in the trash. */
  readonly size: Bytes;
}

/** Which session this UI client shows. */
export type Shown =
  | { readonly kind: "current" }
  /** The session is being read. Meanwhile the previous session is shown. */
  | { readonly kind: "opening"; readonly session: string; readonly progress: number }
  | {
      readonly kind: "stored";
      readonly session: string;
      readonly name: string;
      readonly startedAt: Instant;
      readonly endedAt: Instant | null;
      /** What could not be read, as text; `null` if everything was read. */
      readonly problem: string | null;
    };

export interface ImportStarted {
  readonly importNumber: number;
}

/** An entry of a HAR file that was not imported. */
export interface LeftOut {
  /** The entry's index in `log.entries`, counted from 1. */
  readonly entry: number;
  /** Why the entry was left out, with the wrong value: "it is not an object: null". */
  readonly reason: string;
}

export interface ImportProgress {
  readonly exchanges: number;
  /** `leftOutCount`: the number of entries left out. `leftOut`: the first 100 of these entries. */
  readonly leftOutCount: number;
  readonly leftOut: readonly LeftOut[];
  /** The id of the imported session, once the whole file was read; `null` before. */
  readonly session: string | null;
}

export interface SearchStarted {
  readonly searchNumber: number;
}

export type SearchPart = "url" | "request-headers" | "response-headers" | "request-body" | "response-body" | "message";

/** An exchange that contains the text, with its first match. All texts are captured: secret and hostile. */
export interface SearchHit {
  readonly exchange: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** The first 512 characters of the target. */
  readonly target: string;
  readonly status: number | null;
  readonly startTime: Instant;
  readonly part: SearchPart;
  /** The text before the match and after it, at most 80 characters each. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface SearchHits {
  readonly type: "search-hits";
  readonly searchNumber: number;
  readonly hits: readonly SearchHit[];
  /** The progress, 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
  /** Whether the search ended at its limit, so that there may be more hits. */
  readonly cut: boolean;
  /** Why the search ended before it was complete; `null` if it did not. */
  readonly problem: Problem | null;
}

export interface SessionValueOf {
  readonly sessions: Sessions;
  readonly shown: Shown;
}
