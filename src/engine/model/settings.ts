import type { Bytes, Milliseconds } from "./units.ts";

/** Everything a user can set (setting-rules.ts: to what). Persisted as it is; unknown keys of a newer version are kept. */
export interface Settings {
  /** decisions.md, Fixed threshold: whole ms from 1 to 600,000; `null` = off, the default. */
  readonly fixedThreshold: Milliseconds | null;
  /** decisions.md, Oversized: times the mean of the endpoint's other responses. Our choice: 2. */
  readonly oversizedFactor: number;
  /** decisions.md, Oversized: bytes above that mean. Our choice: 10 KB. */
  readonly oversizedFloor: Bytes;
  /** Host patterns (`*` wildcard) that are captured; empty = all. */
  readonly captureInclude: readonly string[];
  /** Host patterns that are proxied but in no row. */
  readonly captureExclude: readonly string[];
  /** Host patterns whose TLS is tunnelled, not intercepted. */
  readonly passThrough: readonly string[];
  /** `name=address:port`: connect there for that name. */
  readonly hostOverrides: readonly string[];
  /** decisions.md, Upstream TLS: hosts, each by its name, whose certificate need not be good. */
  readonly tlsExceptions: readonly string[];
  /** decisions.md, Upstream proxy: `http[s]://[user:password@]host[:port]`; `null`: none. */
  readonly upstreamProxy: string | null;
  /** Host patterns that are reached without it. */
  readonly upstreamProxyBypass: readonly string[];
  /** decisions.md, Upstream proxy: what is shown to servers that ask, by host. */
  readonly clientCertificates: readonly ClientCertificate[];
  /** security.md, S5: whether clients from the network may reach private addresses. */
  readonly privateTargetsFromLan: boolean;
  /** Whether HTTP/2 is spoken, to clients and to servers, where they can. */
  readonly http2: boolean;
  /** Host patterns that are spoken to in HTTP/1.1 only, and their clients too. */
  readonly http1Hosts: readonly string[];
  /** decisions.md, Limits: bytes kept of one body, 0 to 100 MiB. Our choice: 10 MiB. */
  readonly bodyCap: Bytes;
  /** decisions.md, Limits: body bytes of one session on disk. Our choice: 1 GiB. */
  readonly sessionBodyCap: Bytes;
  /** decisions.md, Limits: rows of the recording's list. Our choice: 1,000,000. */
  readonly rowCap: number;
  /** decisions.md, Dependency chain: how long after the end of one exchange the next may start. Our choice: 300 ms. */
  readonly chainGap: Milliseconds;
  /** decisions.md, Stable band: a change is none within either of the two. Our choice: 10 % or 10 ms. */
  readonly stableLatencyPercent: number;
  readonly stableLatencyMs: Milliseconds;
  /** Likewise for sizes. Our choice: 5 % or 1 KB. */
  readonly stablePayloadPercent: number;
  readonly stablePayloadBytes: Bytes;
  /** Likewise for error rates, in percentage points. Our choice: 1. */
  readonly stableErrorPoints: number;
  /** decisions.md, Endpoint grouping: paths that differ only in numbers and ids are one endpoint. */
  readonly groupSimilarPaths: boolean;
  /** decisions.md, History kept: completed sessions whose figures stay. Our choice: 50. */
  readonly historyKept: number;
  /** decisions.md, Limits: bytes of all sessions on disk. Our choice: 5 GiB. */
  readonly dataCap: Bytes;
  readonly theme: "system" | "light" | "dark";
  /** Pixels of the panel at the bottom of a view; `null` = the view's own choice. */
  readonly panelHeight: number | null;
  /** What was chosen of the columns of Traffic, each as the page writes it; `null` = nothing. */
  readonly trafficColumns: readonly string[] | null;
  /** The order of Traffic, as the page writes it; `null` = by start. */
  readonly trafficSort: string | null;
  /** decisions.md, Probe URL: `host` or `host:port`. The default is answered by Weir itself, any other is asked as usual. */
  readonly probeHost: string;
}

/** A certificate of the user's own, with its key. */
export interface ClientCertificate {
  /** Host pattern (`*` wildcard). */
  readonly host: string;
  /** Absolute path: PEM with certificate and key, or PFX (.pfx, .p12). */
  readonly file: string;
  readonly passphrase: string | null;
}

export const DEFAULT_SETTINGS: Settings = Object.freeze({
  fixedThreshold: null,
  oversizedFactor: 2,
  oversizedFloor: 10 * 1024,
  captureInclude: Object.freeze([]),
  captureExclude: Object.freeze([]),
  passThrough: Object.freeze([]),
  hostOverrides: Object.freeze([]),
  tlsExceptions: Object.freeze([]),
  upstreamProxy: null,
  upstreamProxyBypass: Object.freeze([]),
  clientCertificates: Object.freeze([]),
  privateTargetsFromLan: false,
  http2: true,
  http1Hosts: Object.freeze([]),
  bodyCap: 10 * 1024 * 1024,
  sessionBodyCap: 1024 ** 3,
  rowCap: 1_000_000,
  chainGap: 300,
  stableLatencyPercent: 10,
  stableLatencyMs: 10,
  stablePayloadPercent: 5,
  stablePayloadBytes: 1024,
  stableErrorPoints: 1,
  groupSimilarPaths: false,
  historyKept: 50,
  dataCap: 5 * 1024 ** 3,
  theme: "system",
  panelHeight: null,
  trafficColumns: null,
  trafficSort: null,
  probeHost: "probe.weir.test",
});
