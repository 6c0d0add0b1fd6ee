import type { Bytes, Milliseconds } from "./units.ts";

/**
 * All settings of the user; setting-rules.ts has their limits. The settings file stores them by these names, and keeps
 * keys that only a newer version knows.
 */
export interface Settings {
  /** docs/specification.md, Fixed threshold: whole ms from 1 to 600,000; `null` = off, the default. */
  readonly fixedThreshold: Milliseconds | null;
  /**
   * docs/specification.md, Oversized: a response is oversized if it exceeds this many times the mean of the endpoint's
   * other responses. Default: 2.
   */
  readonly oversizedFactor: number;
  /**
   * docs/specification.md, Oversized: a response is oversized only if it also exceeds the mean of the endpoint's other
   * responses by at least this many bytes. Default: 10 KB.
   */
  readonly oversizedFloor: Bytes;
  /** Host patterns (`*` is a wildcard) of the hosts that are captured; empty for all hosts. */
  readonly captureInclude: readonly string[];
  /** Host patterns of hosts that are proxied but not recorded. */
  readonly captureExclude: readonly string[];
  /** Host patterns of hosts whose TLS is tunnelled instead of intercepted. */
  readonly passThrough: readonly string[];
  /** `name=address:port`: connections to `name` go to `address:port`. */
  readonly hostOverrides: readonly string[];
  /** docs/specification.md, Reverse ports: `port=origin` (reverse-port.ts). */
  readonly reversePorts: readonly string[];
  /** docs/specification.md, Transparent ports: `port` or `port=servers' port` (transparent-port.ts). */
  readonly transparentPorts: readonly string[];
  /** docs/specification.md, Upstream TLS: names of hosts whose certificate may be invalid. */
  readonly tlsExceptions: readonly string[];
  /** docs/specification.md, Upstream TLS: CA files for hosts, whose certificates stay verified. */
  readonly hostAuthorities: readonly HostAuthority[];
  /** docs/specification.md, Upstream proxy: `http[s]://[user:password@]host[:port]`; `null` for none. */
  readonly upstreamProxy: string | null;
  /** Host patterns of hosts that are reached without the upstream proxy. */
  readonly upstreamProxyBypass: readonly string[];
  /** docs/specification.md, Upstream proxy: the user's client certificates, by host, for servers that request one. */
  readonly clientCertificates: readonly ClientCertificate[];
  /** docs/security.md S5: whether clients from the network may reach private addresses. */
  readonly privateTargetsFromLan: boolean;
  /** Whether to use HTTP/2 with clients and servers that support it. */
  readonly http2: boolean;
  /** Host patterns of hosts for which only HTTP/1.1 is used, on both sides. */
  readonly http1Hosts: readonly string[];
  /** docs/specification.md, Limits: the most bytes stored of a body, 0 to 100 MB. Default: 10 MB. */
  readonly bodyCap: Bytes;
  /** docs/specification.md, Limits: the most bytes of bodies on disk in one session. Default: 1 GB. */
  readonly sessionBodyCap: Bytes;
  /** docs/specification.md, Limits: the most rows in the current session's table. Default: 1,000,000. */
  readonly rowCap: number;
  /**
   * docs/specification.md, Dependency chain: the longest gap from one exchange's end to the start of the next. Default:
   * 300 ms.
   */
  readonly chainGap: Milliseconds;
  /**
   * docs/specification.md, Stable band for latencies, in percent and in ms: a change within either bound does not
   * count. Defaults: 10 % and 10 ms.
   */
  readonly stableLatencyPercent: number;
  readonly stableLatencyMs: Milliseconds;
  /**
   * docs/specification.md, Stable band for sizes, in percent and in bytes: a change within either bound does not count.
   * 5 % and 1 KB.
   */
  readonly stablePayloadPercent: number;
  readonly stablePayloadBytes: Bytes;
  /**
   * docs/specification.md, Stable band for error rates, in percentage points: a change within the band does not count.
   * 1 point.
   */
  readonly stableErrorPoints: number;
  /** docs/specification.md, Endpoint grouping: whether similar paths are one endpoint. */
  readonly groupSimilarPaths: boolean;
  /** docs/specification.md, Endpoint grouping: the user's rules (path-rule.ts). The first rule that matches decides. */
  readonly pathRules: readonly string[];
  /** docs/specification.md, History kept: the most completed sessions whose figures are kept. Default: 50. */
  readonly historyKept: number;
  /** docs/specification.md, Limits: the most bytes of all sessions on disk. Default: 5 GB. */
  readonly dataCap: Bytes;
  readonly theme: "system" | "light" | "dark";
  /** The hosts whose exchanges no list of the window has, each with its port unless that is the scheme's default. */
  readonly hiddenHosts: readonly string[];
  /** Whether the exchanges of `hiddenHosts` are listed all the same. */
  readonly showHiddenHosts: boolean;
  /** Height in pixels of the panel at the bottom of a view; `null` for the view's default. */
  readonly panelHeight: number | null;
  /**
   * Whether the inspector is beside the list in windows from 1600 px on, else below; `null` for the default, beside.
   */
  readonly inspectorBeside: boolean | null;
  /** Width in pixels of Timeline's column of requests; `null` for the default. */
  readonly timelineLabels: number | null;
  /** The columns shown in Traffic, as the UI writes them; `null` for the default. */
  readonly trafficColumns: readonly string[] | null;
  /** The sort order of Traffic, as the UI writes it; `null` for the order of starts. */
  readonly trafficSort: string | null;
  /** The filters that were used last, the newest first. */
  readonly recentFilters: readonly string[];
  /**
   * docs/specification.md, Probe URL: `host` or `host:port`. Weir itself responds for the default host; requests to any
   * other host are forwarded.
   */
  readonly probeHost: string;
}

/** Certificates that the user trusts for the servers of a host, besides the roots for all hosts. */
export interface HostAuthority {
  /** A host pattern (`*` is a wildcard). */
  readonly host: string;
  /** The name of the file that they were in, to be shown. */
  readonly file: string;
  /** One or more certificates in PEM form, and nothing else. */
  readonly certificates: string;
}

/** A certificate of the user, with its key, for servers that request one. */
export interface ClientCertificate {
  /** A host pattern (`*` is a wildcard). */
  readonly host: string;
  /** The absolute path of a file with certificate and key: PEM, or PFX (.pfx, .p12). */
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
  transparentPorts: Object.freeze([]),
  tlsExceptions: Object.freeze([]),
  hostAuthorities: Object.freeze([]),
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
  hiddenHosts: Object.freeze([]),
  showHiddenHosts: false,
  panelHeight: null,
  inspectorBeside: null,
  timelineLabels: null,
  trafficColumns: null,
  trafficSort: null,
  recentFilters: Object.freeze([]),
  probeHost: "probe.weir.test",
});
