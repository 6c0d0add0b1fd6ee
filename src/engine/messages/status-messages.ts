import type { CertificateFacts } from "../capture/event.ts";
import type { Direction } from "../model/findings.ts";
import type { Settings } from "../model/settings.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";

/* How the proxy and the session are. */

/** The proxy and the recording, as the toolbar and Settings show them. */
export interface Status {
  readonly version: string;
  readonly host: "native" | "browser";
  readonly proxy: ProxyState;
  /** This machine's IPv4 address at which other devices reach the proxy; `null`: they cannot, or it has none. */
  readonly lan: string | null;
  readonly recording: boolean;
  readonly certificate: CertificateState;
  /** Passwords among them concealed (secret-settings.ts). */
  readonly settings: Settings;
  /** The proxy that Weir's own environment names, its password concealed; offered, never assumed. `null`: none. */
  readonly environmentProxy: string | null;
  readonly dataDir: string;
  /** Trouble that lasts, in sentences with what to do: a taken port, an unwritable folder, a broken settings file. */
  readonly notices: readonly Notice[];
  /** Until when "Undo" of the last Clear is offered; `null` when there is nothing to undo. */
  readonly undoClearUntil: Instant | null;
}

export interface ProxyState {
  readonly running: boolean;
  readonly address: string;
  readonly port: number;
  /** The port that was wanted where another had to be taken; else `null`. */
  readonly wantedPort: number | null;
  /** Why it does not run, or not where it was asked to, in words; `null` if it does or was stopped by hand. */
  readonly problem: string | null;
}

export interface CertificateState extends CertificateFacts {
  readonly endsAt: Instant;
  /** Weir made it and can make another; `false` where the user gave it on the command line. */
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
}

/** One point per slice of the session so far, oldest first, for a sparkline. */
export interface SummarySlice {
  /** When the slice begins. */
  readonly at: Instant;
  readonly requests: number;
  readonly errors: number;
  readonly p95: Milliseconds | null;
  readonly bytes: Bytes;
}

/** The four figures, the status bar and the host list. */
export interface Summary {
  readonly sessionStart: Instant | null;
  /** `null` while it is recorded. */
  readonly sessionEnd: Instant | null;
  readonly exchanges: number;
  readonly inFlight: number;
  readonly counted: number;
  readonly errors: number;
  /** Percent; `null` with nothing counted. */
  readonly errorRate: number | null;
  /** Requests per minute over the last minute (or over the session while it is younger), of a stored session over its last. */
  readonly ratePerMinute: number;
  readonly p95: Milliseconds | null;
  /** Median of the baseline sessions' p95; `null` with fewer than 3 sessions. */
  readonly baselineP95: Milliseconds | null;
  /** Response and request body bytes as transferred. */
  readonly bytes: Bytes;
  readonly overheadP95: Milliseconds | null;
  readonly slow: number;
  readonly dropped: number;
  /** Rows that left the list at the row cap. */
  readonly forgotten: number;
  /** Milliseconds that one slice covers. */
  readonly sliceLength: Milliseconds;
  readonly slices: readonly SummarySlice[];
  /** Most exchanges first, at most 200. */
  readonly hosts: readonly { readonly host: string; readonly exchanges: number }[];
  readonly hostCount: number;
}

/** The summary as a page gets it, judged by the settings. */
export interface JudgedSummary extends Summary {
  /** The p95 against the baseline's, by the stable band of latencies; `null` while one of them is not known. */
  readonly p95Direction: Direction | null;
}
