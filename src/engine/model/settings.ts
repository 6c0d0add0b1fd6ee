import type { Bytes, Milliseconds } from "./units.ts";

/** All user settings (setting-rules.ts: their limits). Stored as they are; unknown keys of a newer version are kept. */
export interface Settings {
  /** docs/specification.md, Fixed threshold: whole ms from 1 to 600,000; `null` = off, the default. */
  readonly fixedThreshold: Milliseconds | null;
  /**
   * docs/specification.md, Oversized: times the mean of the endpoint's other responses. 2: default; not from a
   * specification.
   */
  readonly oversizedFactor: number;
  /** docs/specification.md, Oversized: bytes above that mean. 10 KB: default; not from a specification. */
  readonly oversizedFloor: Bytes;
  /** Host patterns (`*` wildcard) that are captured; empty = all. */
  readonly captureInclude: readonly string[];
  /** Host patterns that are proxied but not recorded. */
  readonly captureExclude: readonly string[];
  /** Host patterns whose TLS is tunneled, not intercepted. */
  readonly passThrough: readonly string[];
  /** `name=address:port`: connects to that address for the name. */
  readonly hostOverrides: readonly string[];
  /** docs/specification.md, Reverse ports: `port=origin` (reverse-port.ts). */
  readonly reversePorts: readonly string[];
  /** docs/specification.md, Upstream TLS: hosts, by name, whose certificate may be invalid. */
  readonly tlsExceptions: readonly string[];
  /** docs/specification.md, Upstream proxy: `http[s]://[user:password@]host[:port]`; `null`: none. */
  readonly upstreamProxy: string | null;
  /** Host patterns reached without the upstream proxy. */
  readonly upstreamProxyBypass: readonly string[];
  /** docs/specification.md, Upstream proxy: client certificates sent to servers that request one, by host. */
  readonly clientCertificates: readonly ClientCertificate[];
  /** docs/security.md S5: whether clients from the network may reach private addresses. */
  readonly privateTargetsFromLan: boolean;
  /** Whether to use HTTP/2 with clients and servers that support it. */
  readonly http2: boolean;
  /** Host patterns for which only HTTP/1.1 is used, with servers and clients. */
  readonly http1Hosts: readonly string[];
  /**
   * docs/specification.md, Limits: bytes stored of one body, 0 to 100 MiB. 10 MiB: default; not from a specification.
   */
  readonly bodyCap: Bytes;
  /** docs/specification.md, Limits: body bytes of one session on disk. 1 GiB: default; not from a specification. */
  readonly sessionBodyCap: Bytes;
  /**
   * docs/specification.md, Limits: rows of the current session's table. 1,000,000: default; not from a specification.
   */
  readonly rowCap: number;
  /**
   * docs/specification.md, Dependency chain: the longest gap between one exchange's end and the next one's start. 300
   * ms: default; not from a specification.
   */
  readonly chainGap: Milliseconds;
  /**
   * docs/specification.md, Stable band: a change within either of the two does not count. 10 % or 10 ms: default; not
   * from a specification.
   */
  readonly stableLatencyPercent: number;
  readonly stableLatencyMs: Milliseconds;
  /** The same for sizes. 5 % or 1 KB: default; not from a specification. */
  readonly stablePayloadPercent: number;
  readonly stablePayloadBytes: Bytes;
  /** The same for error rates, in percentage points. 1: default; not from a specification. */
  readonly stableErrorPoints: number;
  /** docs/specification.md, Endpoint grouping: similar paths are one endpoint. */
  readonly groupSimilarPaths: boolean;
  /** docs/specification.md, Endpoint grouping: the user's own rules (path-rules.ts); the first that matches decides. */
  readonly pathRules: readonly string[];
  /**
   * docs/specification.md, History kept: completed sessions whose figures are kept. 50: default; not from a
   * specification.
   */
  readonly historyKept: number;
  /** docs/specification.md, Limits: bytes of all sessions on disk. 5 GiB: default; not from a specification. */
  readonly dataCap: Bytes;
  readonly theme: "system" | "light" | "dark";
  /** Pixels of the panel at the bottom of a view; `null` = the view's default. */
  readonly panelHeight: number | null;
  /** The chosen columns of Traffic, as the UI writes them; `null` = the default. */
  readonly trafficColumns: readonly string[] | null;
  /** The sort order of Traffic, as the UI writes it; `null` = by start. */
  readonly trafficSort: string | null;
  /**
   * docs/specification.md, Probe URL: `host` or `host:port`. Weir itself responds for the default; any other host is
   * forwarded.
   */
  readonly probeHost: string;
}

/** A client certificate of the user, with its key. */
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
  reversePorts: Object.freeze([]),
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
  groupSimilarPaths: true,
  pathRules: Object.freeze([]),
  historyKept: 50,
  dataCap: 5 * 1024 ** 3,
  theme: "system",
  panelHeight: null,
  trafficColumns: null,
  trafficSort: null,
  probeHost: "probe.weir.test",
});
