import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/*
 * Sessions: those that were kept, the one a page shows, import and search. A page shows one session at a time: at first
 * the one being recorded. After `open-session` every list and value of *that page* is about the stored session, read-only,
 * while recording goes on; `show-current` brings it back. Two values stay about the program: `status` and `sessions`.
 */

export type SessionValueQuery =
  | { readonly view: "sessions" }
  /** Which session this page shows. */
  | { readonly view: "shown" };

export interface SessionRecord {
  readonly id: string;
  readonly name: string;
  readonly notes: string;
  /** `recovered`: its recording was cut off (a crash, a kill). */
  readonly state: "current" | "completed" | "recovered";
  readonly imported: boolean;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly exchanges: number;
  /** Whether exchanges and bodies are still kept, and so whether it can be opened; figures stay. */
  readonly kept: boolean;
  /** Bytes on disk. */
  readonly size: Bytes;
  /** Of the current one so far. `null` for one that was cut off until it is opened once, and while Clear can be undone. */
  readonly figures: {
    readonly p95: Milliseconds | null;
    /** Percent. */
    readonly errorRate: number | null;
    readonly bytes: Bytes;
    /** Endpoints with a row. */
    readonly endpoints: number;
  } | null;
  /** `too-small`: no endpoint reached 5 requests; `left-out`: by hand; `older`: not among the latest 10. */
  readonly baseline: "in" | "left-out" | "too-small" | "older" | "not-ended";
}

export interface Sessions {
  /** Newest first; the current one first of all, once something was captured. */
  readonly sessions: readonly SessionRecord[];
  /** A session that was cut off and found at this start, to be offered; `null` if none, or once it was opened or dismissed. */
  readonly recovered: string | null;
  /** Bytes of all sessions on disk. */
  readonly size: Bytes;
}

/** The session that this page shows. */
export type Shown =
  | { readonly kind: "current" }
  /** Being read; until it is, the page shows what it showed before. */
  | { readonly kind: "opening"; readonly session: string; readonly progress: number }
  | {
      readonly kind: "stored";
      readonly session: string;
      readonly name: string;
      readonly startedAt: Instant;
      readonly endedAt: Instant | null;
      /** What of it could not be read, in words; `null` if all could. */
      readonly problem: string | null;
    };

export type SessionCommand =
  | { readonly type: "open-session"; readonly session: string }
  | { readonly type: "show-current" }
  | { readonly type: "describe-session"; readonly session: string; readonly name: string; readonly notes: string }
  /** With its figures. A session that a page shows goes back to the current one there. */
  | { readonly type: "delete-session"; readonly session: string }
  /** Whether trends may compare with it. */
  | { readonly type: "set-baseline"; readonly session: string; readonly on: boolean }
  | { readonly type: "dismiss-recovered" }
  /** All sessions, the current one too, with figures. Settings and the certificate stay. Cannot be undone. */
  | { readonly type: "delete-captured" }
  /**
   * A HAR file: as a session that this page then shows (left out of the baseline), or as a completed one of the baseline.
   * The reply's value is an `ImportStarted`; then send `import-piece` one after the other, each after the reply to the last.
   */
  | { readonly type: "import-har"; readonly fileName: string; readonly as: "opened" | "completed" }
  /** At most 150,000 characters of the file's text. The reply's value is an `ImportProgress`; a refusal ends the import. */
  | {
      readonly type: "import-piece";
      readonly importNumber: number;
      readonly text: string;
      /** The file's end. */
      readonly last: boolean;
    }
  | { readonly type: "cancel-import"; readonly importNumber: number }
  /**
   * Looks for a text in URLs, headers, decoded bodies and messages of the shown session, without regard to case, newest
   * first. The reply's value is a `SearchStarted`; then come `search-hits` messages. Ends at 1,000 exchanges.
   */
  | { readonly type: "search"; readonly text: string }
  | { readonly type: "cancel-search"; readonly searchNumber: number };

export interface ImportStarted {
  readonly importNumber: number;
}

export interface ImportProgress {
  readonly exchanges: number;
  /** Entries that were left out, and the first reason. */
  readonly leftOut: number;
  readonly problem: string | null;
  /** The session, once the last piece was taken. */
  readonly session: string | null;
}

export interface SearchStarted {
  readonly searchNumber: number;
}

export type SearchPlace = "url" | "request-headers" | "response-headers" | "request-body" | "response-body" | "message";

/** One exchange that holds the text; the first place of it. Captured text: secret, hostile. */
export interface SearchHit {
  readonly exchange: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly startTime: Instant;
  readonly place: SearchPlace;
  /** At most 80 characters on either side. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface SearchHits {
  readonly type: "search-hits";
  readonly searchNumber: number;
  readonly hits: readonly SearchHit[];
  /** 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
  /** Whether there may be more than were sent. */
  readonly cut: boolean;
}

export interface SessionValueOf {
  readonly sessions: Sessions;
  readonly shown: Shown;
}
