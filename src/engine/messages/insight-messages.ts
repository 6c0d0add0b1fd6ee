import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { ErrorType } from "../model/exchange.ts";
import type { ChainEdge, Direction, Repeat, TrendMetric } from "../model/findings.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";
import type { EndpointStats } from "./latency-messages.ts";
import type { Range, Sort } from "./list-messages.ts";
import type { PhaseSpan } from "./traffic-messages.ts";

/*
 * Payload, timeline, chains, groups, repeats, trends: the questions of their views and what answers them. Findings that
 * are dear to find (chains, groups, repeats) are looked for only while a view asks for them, off the capture path.
 */

// ---- questions ----------------------------------------------------------------------------------------------

export type PayloadColumn =
  | "endpoint"
  | "requests"
  | "avgRequestSize"
  | "avgResponseSize"
  | "compressionRatio"
  | "largest"
  | "oversized";
export type GroupColumn = "start" | "exchanges" | "duration";
export type TrendColumn = "endpoint" | "metric" | "baseline" | "current" | "change" | "sessions";
export type CompareColumn = "endpoint" | "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate";

/** From the one to the other, both included. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export type InsightListQuery =
  /** Endpoints that have a row. */
  | { readonly view: "payload"; readonly filter: string; readonly sort: Sort<PayloadColumn>; readonly range: Range }
  /** Exchanges by start; `between`: only those that ran at some time of it, `null`: all. */
  | {
      readonly view: "timeline";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly range: Range;
    }
  | { readonly view: "groups"; readonly sort: Sort<GroupColumn>; readonly range: Range }
  /** By first start. */
  | { readonly view: "repeats"; readonly range: Range }
  | {
      readonly view: "trends";
      readonly filter: string;
      readonly metric: "all" | TrendMetric;
      readonly direction: "all" | Direction;
      readonly sort: Sort<TrendColumn>;
      readonly range: Range;
    }
  /** Two sessions side by side, by id; `null` = the one being recorded. Sorted by the change from left to right. */
  | {
      readonly view: "compare";
      readonly left: string | null;
      readonly right: string | null;
      readonly filter: string;
      readonly sort: Sort<CompareColumn>;
      readonly range: Range;
    };

export type InsightValueQuery =
  /** Sizes of one endpoint. */
  | { readonly view: "payload-endpoint"; readonly endpoint: Endpoint }
  /** The strip above the timeline: `between` (`null`: the whole session) in `slices` equal parts. */
  | {
      readonly view: "density";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly slices: number;
    }
  | { readonly view: "chains" }
  /** How far trends are: the sessions that they compare with. */
  | { readonly view: "baseline" }
  /** What "Group similar paths" would do, or does. */
  | { readonly view: "grouping" };

// ---- records ------------------------------------------------------------------------------------------------

export interface PayloadRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  readonly requests: number;
  /** Mean bodies as transferred. */
  readonly avgRequestSize: Bytes;
  readonly avgResponseSize: Bytes;
  /** decoded / encoded: "76 % smaller (4.2x)"; `null` without a compressed body that decoded. */
  readonly compressionRatio: number | null;
  /** The latest Content-Encoding seen; `null` if none. */
  readonly contentEncoding: string | null;
  /** The largest response body as transferred. */
  readonly largest: Bytes;
  /** Its oversized responses that are still in the list; `endpoint:"…" oversized:` filters Traffic to them. */
  readonly oversized: number;
}

export interface PayloadDetail {
  readonly record: PayloadRecord;
  readonly avgDecodedSize: Bytes | null;
  /** Milliseconds that one slice covers. */
  readonly sliceLength: Milliseconds;
  /** Slices of the session in which the endpoint was used, oldest first; means over what is still in the list. */
  readonly slices: readonly {
    readonly at: Instant;
    readonly requests: number;
    readonly avgRequestSize: Bytes;
    /** `null`: no whole response in this slice. */
    readonly avgResponseSize: Bytes | null;
  }[];
  /** Ids of the latest oversized responses, at most 100, latest first. */
  readonly oversized: readonly ExchangeId[];
  /** The latest uncompressed text response over 1 KB, for `estimate-compression`; `null` if there is none. */
  readonly shrinkable: ExchangeId | null;
}

export interface TimelineRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  /** `null` while in flight. */
  readonly endTime: Instant | null;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly latency: Milliseconds | null;
  /** Phases that happened. DNS, connect and TLS are absent on a reused connection. */
  readonly spans: readonly PhaseSpan[];
  /** Before the first of them. */
  readonly wait: Wait | null;
  readonly reused: boolean | null;
  /** The connection to the server, and the stream of it; `null` as in an exchange. */
  readonly connection: number | null;
  readonly stream: number | null;
  /** Those of the client. */
  readonly clientConnection: number | null;
  readonly clientStream: number | null;
  readonly slow: boolean;
  readonly client: string;
  /** The parallel group it is in, named by the group's first exchange; `null` if it overlaps none. */
  readonly group: ExchangeId | null;
  /** Its place in the list of chains (0 = the longest); `null` if it is in none that is listed. */
  readonly chain: number | null;
  /** The exchange before it in that chain; `null` for the first, and outside chains. */
  readonly follows: {
    readonly from: ExchangeId;
    readonly kind: ChainEdge["kind"];
    readonly gap: Milliseconds;
  } | null;
}

export interface Density {
  /** `null`: nothing was captured. */
  readonly start: Instant | null;
  /** The end of the last slice. */
  readonly end: Instant | null;
  readonly sliceLength: Milliseconds;
  /** By start time, `slices` of them. */
  readonly slices: readonly { readonly requests: number; readonly errors: number }[];
  /** Exchanges of the range that match. */
  readonly matched: number;
  /** Bounds of the whole session, for the brush. */
  readonly whole: TimeRange | null;
}

/** One exchange of a chain or a group, as far as a breakdown shows it. */
export interface Step {
  readonly id: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly start: Instant;
  readonly end: Instant;
  readonly spans: readonly PhaseSpan[];
}

export interface ChainRecord {
  readonly duration: Milliseconds;
  readonly client: string;
  readonly length: number;
  /** In their order, at most the first 100. */
  readonly steps: readonly Step[];
  /** `edges[i]` leads from `steps[i]` to `steps[i + 1]`: gap, proven or sequential, and the evidence (captured text: secret). */
  readonly edges: readonly ChainEdge[];
  /** Sum of all gaps of the chain: time in which nobody was asked anything. */
  readonly gaps: Milliseconds;
  readonly proven: number;
  /** "Could save N ms if parallel"; `null` if every edge is proven. */
  readonly couldSave: Milliseconds | null;
}

export interface Chains {
  /** The 10 of longest total duration, the longest first. */
  readonly chains: readonly ChainRecord[];
  /** How much of the session has been looked at, 0 to 1. */
  readonly progress: number;
  /** Setting `chainGap` as it was applied. */
  readonly chainGap: Milliseconds;
}

export interface GroupRecord {
  /** `group` and the first exchange's id. */
  readonly key: string;
  readonly client: string;
  readonly exchanges: number;
  /** By start, at most the first 50. */
  readonly steps: readonly Step[];
  readonly start: Instant;
  readonly end: Instant;
  /** Most that ran at one moment. */
  readonly atOnce: number;
}

export interface RepeatRecord {
  /** Kind and first exchange's id. */
  readonly key: string;
  readonly kind: Repeat["kind"];
  readonly client: string;
  /** `<METHOD> <origin><path template>` of an N+1, `<METHOD> <URL>` of a duplicate; at most 512 characters. */
  readonly template: string;
  readonly exchanges: number;
  /** By start, at most the first 50. */
  readonly ids: readonly ExchangeId[];
  readonly start: Instant;
  readonly end: Instant;
  /** Response body bytes of all of them as transferred. */
  readonly bytes: Bytes;
}

/** What the latency grid shows of an endpoint's trend (its p95). */
export type EndpointTrend =
  | {
      readonly kind: "known";
      readonly direction: Direction;
      readonly baseline: Milliseconds;
      readonly change: Milliseconds;
      /** `null` where the baseline is 0. */
      readonly changePercent: number | null;
      readonly sessions: number;
    }
  /** "2 of 3 sessions": fewer than 3 of the baseline's sessions have the endpoint. */
  | { readonly kind: "omitted"; readonly sessions: number };

/** A row of the latency grid. */
export interface LatencyRecord extends EndpointStats {
  readonly trend: EndpointTrend;
}

export interface TrendRecord extends EndpointParts {
  /** Endpoint and metric. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly metric: TrendMetric;
  readonly direction: Direction;
  /** Median of the baseline. Latency: p95 in ms; error rate: percent; payload: mean response in bytes. */
  readonly baseline: number;
  readonly current: number;
  /** In the metric's unit; percentage points for the error rate. */
  readonly change: number;
  readonly changePercent: number | null;
  /** Baseline sessions that have the endpoint, 3 to 10. */
  readonly sessions: number;
  /** Their values, oldest first, for the sparkline; `current` comes behind them. */
  readonly series: readonly number[];
  /** Within these the current value counts as stable. */
  readonly band: { readonly low: number; readonly high: number };
}

export interface Baseline {
  /** Sessions that trends compare with: the latest 10 completed ones that are not left out. */
  readonly sessions: readonly { readonly id: string; readonly name: string; readonly startedAt: Instant }[];
  /** Sessions that are needed: "2 of 3 sessions recorded". */
  readonly needed: number;
  /** Median of the sessions' p95 of all latencies; `null` with fewer than are needed. */
  readonly p95: Milliseconds | null;
  /** Endpoints with a row that have no trend yet. */
  readonly omitted: number;
}

/** An endpoint's figures in one session. */
export type CompareFigures = Pick<EndpointStats, "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate">;

export interface CompareRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  /** `null`: the endpoint has no row in that session. */
  readonly left: CompareFigures | null;
  readonly right: CompareFigures | null;
  /** What clients spoke in each, by ALPN names in their order; empty where it has no row or was not kept. */
  readonly protocols: { readonly left: readonly string[]; readonly right: readonly string[] };
  /** right - left where both have it; percentage points for the error rate; `null` else. */
  readonly change: { readonly [Figure in keyof CompareFigures]: number | null };
}

/** "312 paths look like 9 templates." */
export interface Grouping {
  /** Whether it is on: setting `groupSimilarPaths`. */
  readonly on: boolean;
  /** Where >= 20 collecting endpoints share a template; `null` where there is nothing to offer, and while it is on. */
  readonly offer: { readonly paths: number; readonly templates: number } | null;
  /** Templates that fold at least two paths, the most paths first, at most 100. */
  readonly templates: readonly {
    /** `<METHOD> <origin><path template>`. */
    readonly template: string;
    readonly paths: number;
    readonly requests: number;
    /** At most 3 of them. */
    readonly examples: readonly string[];
  }[];
  readonly templateCount: number;
  /** Rows that left the list: they are no part of statistics made anew. */
  readonly forgotten: number;
}

// ---- commands -----------------------------------------------------------------------------------------------

/** Sizes that other codings would give. The reply's value is a `CompressionEstimate`. */
export type InsightCommand = { readonly type: "estimate-compression"; readonly exchange: ExchangeId };

export interface CompressionEstimate {
  /** The response body as transferred. */
  readonly size: Bytes;
  /** "gzip 4.1x" is size / gzip. */
  readonly gzip: Bytes;
  readonly br: Bytes;
  readonly zstd: Bytes;
}

export interface InsightRecordOf {
  readonly payload: PayloadRecord;
  readonly timeline: TimelineRecord;
  readonly groups: GroupRecord;
  readonly repeats: RepeatRecord;
  readonly trends: TrendRecord;
  readonly compare: CompareRecord;
}

export interface InsightValueOf {
  /** `null`: the endpoint has no row (any more). */
  readonly "payload-endpoint": PayloadDetail | null;
  readonly density: Density;
  readonly chains: Chains;
  readonly baseline: Baseline;
  readonly grouping: Grouping;
}
