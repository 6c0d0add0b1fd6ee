import type { CertificateFacts } from "../capture/event.ts";
import type { Conditions } from "../model/conditions.ts";
import type { Settings } from "../model/settings.ts";
import type { Direction } from "../model/trend.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";
import type { ExperimentState } from "./experiment-messages.ts";

/* The state of the proxy and of the session. */

/** The state of the proxy and of recording, as shown in the toolbar and in Settings. */
export interface Status {
  readonly version: string;
  readonly host: "native" | "browser";
  readonly proxy: ProxyState;
  /** This machine's IPv4 address for other devices; `null` if it has none, or if other devices cannot connect. */
  readonly lan: string | null;
  readonly recording: boolean;
  /** The pause of recording; `null` while recording is on, and until the data thread has paused. */
  readonly pause: Pause | null;
  /** The slow line that clients are given on purpose; `null` without one. */
  readonly conditions: Conditions | null;
  readonly certificate: CertificateState;
  /** The settings. Passwords in them are concealed (secret-settings.ts). */
  readonly settings: Settings;
  /**
   * The proxy named in Weir's own environment, its password concealed; `null` if none. Weir offers it to the user and
   * never applies it by itself.
   */
  readonly environmentProxy: string | null;
  readonly dataDir: string;
  /** Lasting problems, as sentences that say what to do: a taken port, an unwritable folder, a broken settings file. */
  readonly notices: readonly Notice[];
  /** The experiment that runs, else the last one since the start; `null` if there was none. */
  readonly experiment: ExperimentState | null;
}

export interface Pause {
  readonly since: Instant;
  /** Requests that the proxy has forwarded since then and would have recorded. */
  readonly passed: number;
}

export interface ProxyState {
  readonly running: boolean;
  readonly address: string;
  readonly port: number;
  /** The requested port, if the proxy had to use another one; else `null`. */
  readonly wantedPort: number | null;
  /**
   * Why the proxy does not run, or runs at another address than requested, as text; `null` if it runs as requested, or
   * if the user stopped it.
   */
  readonly problem: string | null;
}

export interface CertificateState extends CertificateFacts {
  readonly endsAt: Instant;
  /** `true` if Weir made the certificate and can replace it; `false` if it was given on the command line. */
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
  /** The advice for clients that reject our certificate; `null` if the notice is about something else. */
  readonly advice: CertificateAdvice | null;
}

/** What the notice is about. The UI offers to dismiss the notice, or to pass `host` through. */
export interface CertificateAdvice {
  /** A host name or an IP address, without a port. */
  readonly host: string;
  /** The slug of the client's target in the Setup Hub; `null` if unknown. */
  readonly target: string | null;
}

/** A point of a sparkline: the figures of one slice of the session. Slices are listed oldest first. */
export interface SummarySlice {
  /** When the slice begins. */
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
  /** In percent; `null` if there is no request that counts. */
  readonly errorRate: number | null;
  /**
   * Requests per minute during the last minute, or since the session's start if that is later. For a stored session,
   * the rate in its last minute.
   */
  readonly ratePerMinute: number;
  readonly p95: Milliseconds | null;
  /** Bytes of request and response bodies as transferred. */
  readonly bytes: Bytes;
  readonly sliceLength: Milliseconds;
  readonly slices: readonly SummarySlice[];
}

/** What the summary figures, the status bar and the host list show. */
export interface Summary extends Figures {
  /** When the session ended; `null` while it is being recorded. */
  readonly sessionEnd: Instant | null;
  readonly inFlight: number;
  /** The median of the baseline sessions' p95; `null` if there are fewer than 3 sessions. */
  readonly baselineP95: Milliseconds | null;
  readonly overheadP95: Milliseconds | null;
  readonly slow: number;
  readonly dropped: number;
  /** The number of rows that were evicted at the row cap. */
  readonly forgotten: number;
  /** The number of endpoints whose path is a template; `null` if similar paths are not grouped. */
  readonly templates: number | null;
  /** The number of counted requests to endpoints that are not listed, because there are too many endpoints. */
  readonly unlisted: number;
  /** Whether an endpoint has more operations than are listed separately. */
  readonly poolsOperations: boolean;
  /** At most 200 hosts that are not hidden; those with the most exchanges come first. */
  readonly hosts: readonly { readonly host: string; readonly exchanges: number }[];
  readonly hostCount: number;
  /** The number of exchanges of the hosts in the setting `hiddenHosts`, whether they are listed or not. */
  readonly ofHiddenHosts: number;
}

/** The summary for UI clients, evaluated with the current settings. */
export interface JudgedSummary extends Summary {
  /**
   * How p95 differs from the baseline's p95, by the settings `stableLatencyPercent` and `stableLatencyMs`; `null` if
   * either p95 is unknown.
   */
  readonly p95Direction: Direction | null;
}
