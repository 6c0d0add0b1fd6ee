import type { CertificateFacts } from "../capture/event.ts";
import type { Direction } from "../model/findings.ts";
import type { Settings } from "../model/settings.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";

/* The state of the proxy and of the session. */

/** The state of the proxy and of recording, as shown in the toolbar and in Settings. */
export interface Status {
  readonly version: string;
  readonly host: "native" | "browser";
  readonly proxy: ProxyState;
  /** This machine's IPv4 address for other devices; `null`: they cannot connect, or there is none. */
  readonly lan: string | null;
  readonly recording: boolean;
  readonly certificate: CertificateState;
  /** Passwords in them are concealed (secret-settings.ts). */
  readonly settings: Settings;
  /** The proxy in Weir's own environment, its password concealed; offered, never applied by itself. `null`: none. */
  readonly environmentProxy: string | null;
  readonly dataDir: string;
  /** Lasting problems, as sentences with what to do: a taken port, an unwritable folder, a broken settings file. */
  readonly notices: readonly Notice[];
  /** Until when the last Clear can be undone; `null` when there is nothing to undo. */
  readonly undoClearUntil: Instant | null;
}

export interface ProxyState {
  readonly running: boolean;
  readonly address: string;
  readonly port: number;
  /** The requested port if another had to be used; else `null`. */
  readonly wantedPort: number | null;
  /**
   * Why the proxy does not run, or not at the requested address, as text; `null` if it does or was stopped by the user.
   */
  readonly problem: string | null;
}

export interface CertificateState extends CertificateFacts {
  readonly endsAt: Instant;
  /** `true` if Weir created it and can replace it; `false` if it was given on the command line. */
  readonly renewable: boolean;
  /** Absolute paths of the exported files. */
  readonly pem: string;
  readonly bundle: string;
  readonly der: string;
}

export interface Notice {
  readonly id: string;
  readonly severity: "warning" | "error";
  readonly text: string;
  /** What to do about clients that reject our certificate; `null`: the notice has no actions. */
  readonly advice: CertificateAdvice | null;
}

/** Makes a notice dismissible and its host available for pass-through. */
export interface CertificateAdvice {
  /** Name or address, without a port. */
  readonly host: string;
  /** The Setup Hub target of the client, by slug; `null`: unknown. */
  readonly target: string | null;
}

/** One point per slice of the session so far, oldest first, for a sparkline. */
export interface SummarySlice {
  /** The start of the slice. */
  readonly at: Instant;
  readonly requests: number;
  readonly errors: number;
  readonly p95: Milliseconds | null;
  readonly bytes: Bytes;
}

/** The figures at the top of Performance: of a session, or of the exchanges that match a filter. */
export interface Figures {
  readonly sessionStart: Instant | null;
  readonly exchanges: number;
  readonly counted: number;
  readonly errors: number;
  /** Percent; `null` without a counted request. */
  readonly errorRate: number | null;
  /**
   * Requests per minute over the last minute (or the session's age, if younger); for a stored session, over its last
   * minute.
   */
  readonly ratePerMinute: number;
  readonly p95: Milliseconds | null;
  /** Response and request body bytes as transferred. */
  readonly bytes: Bytes;
  /** The length of one slice. */
  readonly sliceLength: Milliseconds;
  readonly slices: readonly SummarySlice[];
}

/** The summary figures, the status bar and the host list. */
export interface Summary extends Figures {
  /** `null` while recording. */
  readonly sessionEnd: Instant | null;
  readonly inFlight: number;
  /** Median of the baseline sessions' p95; `null` with fewer than 3 sessions. */
  readonly baselineP95: Milliseconds | null;
  readonly overheadP95: Milliseconds | null;
  readonly slow: number;
  readonly dropped: number;
  /** Rows evicted at the row cap. */
  readonly forgotten: number;
  /** Endpoints whose path is a template; `null` if every path is shown separately. */
  readonly templates: number | null;
  /** Counted requests of endpoints beyond the largest number listed. */
  readonly unlisted: number;
  /** Whether an endpoint has more operations than are listed separately. */
  readonly poolsOperations: boolean;
  /** Most exchanges first, at most 200. */
  readonly hosts: readonly { readonly host: string; readonly exchanges: number }[];
  readonly hostCount: number;
}

/** The summary as sent to UI clients, judged by the settings. */
export interface JudgedSummary extends Summary {
  /** The p95 against the baseline's, by the stable band of latencies; `null` while one of them is unknown. */
  readonly p95Direction: Direction | null;
}
