import type { CertificateFacts, Side, TlsFacts } from "../capture/event.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { ErrorType, Exchange, Tag } from "../model/exchange.ts";
import type { Direction } from "../model/findings.ts";
import { PHASES, type Phase, type Phases } from "../model/phases.ts";
import type { Mark, Remark } from "../model/remark.ts";
import type { Settings } from "../model/settings.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";
import type { HubCommand, HubValueOf, HubValueQuery } from "./hub-messages.ts";
import type {
  InsightCommand,
  InsightListQuery,
  InsightRecordOf,
  InsightValueOf,
  InsightValueQuery,
  LatencyRecord,
} from "./insight-messages.ts";
import type { RemarkCommand } from "./remark-messages.ts";
import type { SearchHits, SessionCommand, SessionValueOf, SessionValueQuery } from "./session-messages.ts";

/*
 * What the UI and the engine say to each other. The UI holds windows, not the data:
 *
 *   UI ── subscribe(7, query) ──▶ engine          UI ◀── window(7, revision 1, whole) ── engine
 *   UI ── ack(7, 1) ────────────▶                 UI ◀── delta(7, 1 → 2, changes) ─────
 *
 * The next message of a subscription goes out only after the last was acknowledged, at most 10 a second.
 * Every message is JSON of at most 1 MB. Text that was captured is hostile: it is only ever shown as text.
 */

// ---- questions ----------------------------------------------------------------------------------------------

export interface Sort<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

/**
 * Which rows of a list: `count` rows from index `from` of the sorted, filtered whole. Of traffic and messages, a range that
 * begins too far down is moved up to the last `count` rows, so that who reads from the end need not ask for the length first.
 */
export interface Range {
  readonly from: number;
  readonly count: number;
}

export const TRAFFIC_COLUMNS = Object.freeze([
  "id",
  "startTime",
  "method",
  "status",
  "path",
  "host",
  "type",
  "size",
  "latency",
  "client",
  "protocol",
  "server",
  "requestSize",
  ...PHASES,
] as const);
export type TrafficColumn = (typeof TRAFFIC_COLUMNS)[number];
export type LatencyColumn = "endpoint" | "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate";
export type SlowCause = "all" | "server" | "transfer" | "connection";

/** A list: answered by windows and deltas of whole records. */
export type ListQuery =
  | { readonly view: "traffic"; readonly filter: string; readonly sort: Sort<TrafficColumn>; readonly range: Range }
  | { readonly view: "latency"; readonly filter: string; readonly sort: Sort<LatencyColumn>; readonly range: Range }
  /** Endpoints with fewer requests than a row needs, most requests first. */
  | { readonly view: "collecting"; readonly filter: string; readonly range: Range }
  /** `endpoint` narrows to one endpoint. */
  | {
      readonly view: "slow";
      readonly filter: string;
      readonly cause: SlowCause;
      readonly endpoint: Endpoint | null;
      readonly range: Range;
    }
  | { readonly view: "messages"; readonly exchange: ExchangeId; readonly range: Range }
  | InsightListQuery;

/** A value: answered by the whole value again whenever it changed. */
export type ValueQuery =
  | { readonly view: "status" }
  | { readonly view: "summary" }
  /** What the rows of some stretches of a traffic list come to. */
  | {
      readonly view: "picked";
      readonly filter: string;
      readonly sort: Sort<TrafficColumn>;
      readonly stretches: readonly PickedStretch[];
    }
  /** What lies below the places of the hosts' tree that are open, at most 50. */
  | { readonly view: "paths"; readonly open: readonly TreePlace[] }
  | { readonly view: "endpoint"; readonly endpoint: Endpoint }
  | { readonly view: "exchange"; readonly exchange: ExchangeId }
  | HubValueQuery
  | InsightValueQuery
  | SessionValueQuery;

/** Rows of a list from one to another, both included; `null` is the list's end at that side. */
export interface PickedStretch {
  readonly from: ExchangeId | null;
  readonly to: ExchangeId | null;
}

/** A place in the tree of hosts and paths: a path without query, by whole segments; empty: all of the host. */
export interface TreePlace {
  /** With its port where that is not the scheme's own. */
  readonly host: string;
  readonly path: string;
}

export type Query = ListQuery | ValueQuery;

// ---- records of lists -----------------------------------------------------------------------------------------

/** One phase as it lies on the exchange's own time line: `from` and `to` in ms after its start. */
export interface PhaseSpan {
  readonly phase: Phase;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

export interface TrafficRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  /** `null` while in flight or when none reached the client. */
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly contentType: string | null;
  readonly requestBodySize: Bytes;
  readonly encodedBodySize: Bytes;
  /** `null` in flight, and where the lifetime is no latency. */
  readonly latency: Milliseconds | null;
  /** In flight: how long it has lasted is `now - startTime`. */
  readonly inFlight: boolean;
  readonly spans: readonly PhaseSpan[];
  readonly slow: boolean;
  readonly oversized: boolean;
  readonly client: string;
  readonly protocol: string;
  /** `address:port` of the server connection, IPv6 in brackets; `null` until it is known. */
  readonly server: string | null;
  readonly tags: readonly Tag[];
  readonly mark: Mark | null;
  /** At most its first 200 characters. */
  readonly comment: string;
}

/** The seed's row: an endpoint with at least 5 requests in the session. Percentiles are `null` without a latency sample. */
export interface EndpointStats {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly requests: number;
  readonly errors: number;
  /** Latency samples: completed responses, no event streams, no WebSocket lifetimes. */
  readonly samples: number;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly p99: Milliseconds | null;
  /** Mean response body as transferred. */
  readonly avgSize: Bytes;
  /** Mean response body after decoding, over those whose decoded size is known; `null` if none. */
  readonly avgDecodedSize: Bytes | null;
  readonly avgRequestSize: Bytes;
  /** Percent. */
  readonly errorRate: number;
  /** What its clients spoke, by ALPN names in their order; empty where an earlier version kept the figures. */
  readonly protocols: readonly string[];
}

export interface CollectingRecord {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly requests: number;
}

/** The phase whose excess over the endpoint's own median of that phase is the largest. */
export interface SlowRequestCause {
  readonly phase: Phase;
  /** This exchange's length of the phase. */
  readonly length: Milliseconds;
  /** The endpoint's median of it, 0 for exchanges in which it did not happen; `null` if the endpoint has no sample of it. */
  readonly median: Milliseconds | null;
  readonly excess: Milliseconds;
}

export interface SlowRecord {
  readonly id: ExchangeId;
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly startTime: Instant;
  readonly latency: Milliseconds;
  /** Of its endpoint, now; `null` while that has no row. */
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly reasons: readonly ("p95" | "fixed")[];
  /** latency / p50; `null` where p50 is unknown or 0. */
  readonly timesP50: number | null;
  readonly fixedThreshold: Milliseconds | null;
  readonly cause: SlowRequestCause | null;
  /** For the sentence about a larger body: this one's size and the endpoint's mean. */
  readonly encodedBodySize: Bytes;
  readonly avgSize: Bytes;
  readonly spans: readonly PhaseSpan[];
}

export interface MessageRecord {
  /** Counts from 0 within its exchange. */
  readonly index: number;
  readonly at: Instant;
  readonly side: Side;
  readonly kind: "text" | "binary" | "ping" | "pong" | "close" | "event";
  readonly size: Bytes;
  /** Text (or hex pairs for binary), at most its first 512 characters. */
  readonly preview: string;
  readonly cut: boolean;
}

export interface RecordOf extends InsightRecordOf {
  readonly traffic: TrafficRecord;
  readonly latency: LatencyRecord;
  readonly collecting: CollectingRecord;
  readonly slow: SlowRecord;
  readonly messages: MessageRecord;
}

// ---- values ---------------------------------------------------------------------------------------------------

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
  readonly exchanges: number;
  readonly inFlight: number;
  readonly counted: number;
  readonly errors: number;
  /** Percent; `null` with nothing counted. */
  readonly errorRate: number | null;
  /** Requests per minute over the last minute (or over the session while it is younger). */
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

/** What lies one segment below a place, most rows first; `more`: how many others are not told. */
export interface PathBranch extends TreePlace {
  readonly children: readonly {
    readonly path: string;
    /** Rows of the list at this path or below it. */
    readonly exchanges: number;
    /** Nothing lies below it. */
    readonly isLeaf: boolean;
  }[];
  readonly more: number;
}

/** Sums over exchanges that a person has picked. The latencies are exact, and `null` where none has one. */
export interface PickedSums {
  readonly count: number;
  readonly errors: number;
  /** Request and response bodies as transferred. */
  readonly bytes: Bytes;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly longest: Milliseconds | null;
}

/** Half-open [lo, hi) in ms; `hi` `null` = no upper end. */
export interface Bucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

export interface EndpointDetail {
  readonly stats: EndpointStats;
  /** decisions.md's buckets, empty ends trimmed. */
  readonly histogram: readonly Bucket[];
  /** Percentiles of slices of the session in which the endpoint was used, oldest first. */
  readonly series: readonly {
    readonly at: Instant;
    readonly p50: Milliseconds;
    readonly p95: Milliseconds;
    readonly samples: number;
  }[];
  /** Mean length of each phase over all samples (a phase that did not happen counts 0 here), and of the latency. */
  readonly meanPhases: Phases;
  readonly meanLatency: Milliseconds | null;
  readonly slow: number;
  readonly reused: number;
  readonly connected: number;
  /** decoded / encoded over bodies with a Content-Encoding and a known decoded size; `null` if none. */
  readonly compressionRatio: number | null;
  readonly contentEncoding: string | null;
}

export interface BodyFacts {
  /** Bytes as transferred. */
  readonly size: Bytes;
  /** Bytes of them that were kept. */
  readonly kept: Bytes;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
}

/** Other exchanges on one connection at the same time as one. */
export interface Sharing {
  readonly others: number;
  /** Whether there may be more of them: not every exchange of a long session is looked at. */
  readonly more: boolean;
  /** Another exchange, for which it was opened, as far as that is known. */
  readonly openedBy: { readonly method: string; readonly target: string } | null;
}

export interface ExchangeDetail {
  readonly exchange: Exchange;
  readonly phases: Phases;
  readonly spans: readonly PhaseSpan[];
  readonly latency: Milliseconds | null;
  readonly upload: Milliseconds | null;
  readonly overhead: Milliseconds | null;
  readonly requestHead: string;
  readonly responseHead: string | null;
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  readonly slow: SlowRecord | null;
  readonly oversized: boolean;
  /** The endpoint's row, if it has one, for the ticks of the Timing tab. */
  readonly stats: EndpointStats | null;
  readonly server: { readonly address: string; readonly tls: TlsFacts | null } | null;
  /** Who else was on the connection to the server while it ran; `null` where none carried it. */
  readonly serverSharing: Sharing | null;
  /** The same of the connection from the client; `null` where it is not known. */
  readonly clientSharing: Sharing | null;
  readonly wait: Wait | null;
  readonly messages: number;
  readonly remark: Remark;
}

export interface ValueOf extends HubValueOf, InsightValueOf, SessionValueOf {
  readonly status: Status;
  readonly summary: JudgedSummary;
  readonly picked: PickedSums;
  /** Of each open place, in their order. */
  readonly paths: readonly PathBranch[];
  /** `null`: the endpoint has no row (any more). */
  readonly endpoint: EndpointDetail | null;
  /** `null`: the exchange is gone. */
  readonly exchange: ExchangeDetail | null;
}

// ---- UI → engine ----------------------------------------------------------------------------------------------

/** Things a person asks for. Each is answered by one `reply` with the same number. */
export type Command =
  | { readonly type: "set-recording"; readonly on: boolean }
  | { readonly type: "start-proxy" }
  | { readonly type: "stop-proxy" }
  /** Whether other devices may reach the proxy; until Weir ends. */
  | { readonly type: "set-reach"; readonly lan: boolean }
  | { readonly type: "clear" }
  | { readonly type: "undo-clear" }
  | { readonly type: "new-session" }
  /** `value` is checked by the engine; the reply says what is wrong with it. */
  | { readonly type: "set-setting"; readonly key: string; readonly value: unknown }
  /** A piece of a body. The reply's value is a `BodyPiece`. */
  | {
      readonly type: "read-body";
      readonly exchange: ExchangeId;
      readonly side: Side;
      readonly form: "wire" | "decoded";
      readonly from: number;
      readonly count: number;
    }
  /** One message of a WebSocket exchange whole. The reply's value is a `BodyPiece`. */
  | { readonly type: "read-message"; readonly exchange: ExchangeId; readonly index: number }
  /** The reply's value is an `ExportStarted`; then come `export-piece` messages. */
  | {
      readonly type: "export";
      readonly format: "har" | "json" | "csv" | "md";
      readonly table: null;
      readonly redact: boolean;
      readonly filter: string;
    }
  | {
      readonly type: "export";
      readonly format: "json" | "csv" | "md";
      readonly table: ExportTable;
      readonly redact: boolean;
      readonly filter: string;
    }
  | { readonly type: "cancel-export"; readonly exportNumber: number }
  /** A piece has arrived: at most 8 are on their way, so that neither side ever holds the whole. */
  | { readonly type: "took-piece"; readonly exportNumber: number }
  /** Copy-as: equals the request, never redacted. The reply's value is the text. */
  | { readonly type: "copy-as"; readonly exchange: ExchangeId; readonly form: CopiedAs }
  /** Sends the request again; its exchange is tagged `resent` and in no statistic. */
  | { readonly type: "resend"; readonly exchange: ExchangeId }
  /** Has the main window show an exchange: it gets a `show-exchange`. */
  | { readonly type: "show-exchange"; readonly exchange: ExchangeId }
  | HubCommand
  | InsightCommand
  | SessionCommand
  | RemarkCommand;

/** A command line for a shell, code, or a HAR file of the one exchange. */
export type CopiedAs = "curl" | "curl-fish" | "curl-powershell" | "curl-cmd" | "fetch" | "python" | "har";

/** decisions.md, `--table`. */
export type ExportTable = "latency" | "slow" | "payload" | "chains" | "groups" | "repeats" | "trends";

export interface BodyPiece {
  /** Bytes `from` … of the form asked for. */
  readonly base64: string;
  readonly from: number;
  /** Size of the whole in that form, as far as it was kept. */
  readonly total: Bytes;
  /** Why it is not whole or not decoded, in words; `null` if it is. */
  readonly problem: string | null;
}

export interface ExportStarted {
  readonly exportNumber: number;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The first message on a socket; nothing else is read before it. */
export interface Hello {
  readonly type: "hello";
  readonly ticket: string;
}

export type ToEngine =
  | { readonly type: "subscribe"; readonly subscription: number; readonly query: Query }
  | { readonly type: "unsubscribe"; readonly subscription: number }
  | { readonly type: "ack"; readonly subscription: number; readonly revision: number }
  | { readonly type: "command"; readonly number: number; readonly command: Command };

// ---- engine → UI ----------------------------------------------------------------------------------------------

export type FromEngine =
  /** The conversation has begun: what was subscribed to on an earlier connection is over. */
  | { readonly type: "welcome" }
  /** The whole window of a list. `keys` identify records in the order of rows; unchanged identity = unchanged record. */
  | {
      readonly type: "window";
      readonly subscription: number;
      readonly revision: number;
      readonly list: ListState;
      readonly records: readonly ListRecord[];
    }
  /** The window after a change: all keys in order, but only records that are new or changed. */
  | {
      readonly type: "delta";
      readonly subscription: number;
      readonly from: number;
      readonly revision: number;
      readonly list: ListState;
      readonly records: readonly ListRecord[];
    }
  | {
      readonly type: "value";
      readonly subscription: number;
      readonly revision: number;
      readonly value: ValueOf[keyof ValueOf];
    }
  /** A query that cannot be answered, e.g. a filter with an unknown word; the last good window stays. */
  | { readonly type: "refused"; readonly subscription: number; readonly revision: number; readonly problem: string }
  /** The engine ends, and this page is over: no other engine will ever listen here. */
  | { readonly type: "farewell"; readonly reason: string }
  /** The native window's menu asks for this, by the name of a view or of a wish (ui/views/shell/keyboard.ts). */
  | { readonly type: "menu"; readonly item: string }
  /** The hub in its native window is to come forward and show that target (`null`: where it is). */
  | { readonly type: "show-hub"; readonly target: string | null }
  /** Another window of ours asks that this exchange be shown. */
  | { readonly type: "show-exchange"; readonly exchange: ExchangeId }
  | { readonly type: "reply"; readonly number: number; readonly ok: true; readonly value: unknown }
  | { readonly type: "reply"; readonly number: number; readonly ok: false; readonly problem: string }
  /** Text of an export in order; `problem` ends it. `progress` is 0 to 1. */
  | {
      readonly type: "export-piece";
      readonly exportNumber: number;
      readonly text: string;
      readonly progress: number;
      readonly done: boolean;
      readonly problem: string | null;
    }
  | SearchHits;

export type ListRecord = RecordOf[keyof RecordOf];

export interface ListState {
  /** Rows in all, before the filter. */
  readonly total: number;
  /** Rows that match. */
  readonly matched: number;
  /** Index of the first key. */
  readonly from: number;
  /** Identity of each row of the window, in order: its key, exchange id, endpoint, or message index. */
  readonly keys: readonly (string | number)[];
}

/** What identifies a record of a list. */
export function keyOf(record: ListRecord): string | number {
  if ("key" in record) return record.key;
  if ("id" in record) return record.id;
  return "endpoint" in record ? record.endpoint : record.index;
}
