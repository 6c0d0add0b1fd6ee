import type { Side } from "../capture/event.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import type { AnnotationCommand } from "./annotation-messages.ts";
import type { CopiedAs, ExchangeDetail, MessageRecord } from "./exchange-messages.ts";
import type { HubCommand, HubValueOf, HubValueQuery } from "./hub-messages.ts";
import type {
  InsightCommand,
  InsightListQuery,
  InsightRecordOf,
  InsightValueOf,
  InsightValueQuery,
} from "./insight-messages.ts";
import type {
  CollectingRecord,
  EndpointDetail,
  LatencyColumn,
  LatencyRecord,
  SlowCause,
  SlowGroupRecord,
  SlowRecord,
} from "./latency-messages.ts";
import type { ListState, Range, Sort } from "./list-messages.ts";
import type { FindingCommand, FindingDetail, FindingsState } from "./ranked-findings.ts";
import type { SearchHits, SessionCommand, SessionValueOf, SessionValueQuery } from "./session-messages.ts";
import type { Figures, JudgedSummary, Status } from "./status-messages.ts";
import type {
  OccurringKey,
  OccurringValues,
  PathBranch,
  PickedStretch,
  PickedSums,
  TrafficColumn,
  TrafficRecord,
  TreePlace,
} from "./traffic-messages.ts";

/*
 * Messages between UI clients and the engine. A UI client holds windows, not the data:
 *
 *   UI ── subscribe(7, query) ──▶ engine          UI ◀── window(7, revision 1, whole) ── engine
 *   UI ── ack(7, 1) ────────────▶                 UI ◀── delta(7, 1 → 2, changes) ─────
 *
 * A subscription sends its next message only after the last was acknowledged, at most 10 a second. Every message is
 * JSON of at most 1 MB. Captured text is hostile: it is shown only as text.
 */

// ---- queries ------------------------------------------------------------------------------------------------

/** Queries for a list: answered by windows and deltas of whole records. */
export type ListQuery =
  | { readonly view: "traffic"; readonly filter: string; readonly sort: Sort<TrafficColumn>; readonly range: Range }
  | { readonly view: "latency"; readonly filter: string; readonly sort: Sort<LatencyColumn>; readonly range: Range }
  /** Endpoints with too few requests for a row, most requests first. */
  | { readonly view: "collecting"; readonly filter: string; readonly range: Range }
  /** Most time lost first. `endpoint`: only requests of that endpoint; `group`: of that group of it (`causeKeyOf`). */
  | {
      readonly view: "slow";
      readonly filter: string;
      readonly cause: SlowCause;
      readonly endpoint: Endpoint | null;
      readonly group: string | null;
      readonly range: Range;
    }
  /** Slow requests by endpoint and cause, most time lost first. */
  | {
      readonly view: "slow-groups";
      readonly filter: string;
      readonly cause: SlowCause;
      readonly endpoint: Endpoint | null;
      readonly range: Range;
    }
  | { readonly view: "messages"; readonly exchange: ExchangeId; readonly range: Range }
  | InsightListQuery;

/** Queries for a value: answered by the whole value after each change. */
export type ValueQuery =
  | { readonly view: "status" }
  | { readonly view: "summary" }
  /** The figures of the exchanges that match a filter. */
  | { readonly view: "figures"; readonly filter: string }
  /** What filter terms can be completed to. */
  | { readonly view: "occurring"; readonly key: OccurringKey }
  /** Sums over the rows of some stretches of a traffic list. */
  | {
      readonly view: "picked";
      readonly filter: string;
      readonly sort: Sort<TrafficColumn>;
      readonly stretches: readonly PickedStretch[];
    }
  /** The index of an exchange in a traffic list. */
  | {
      readonly view: "place";
      readonly exchange: ExchangeId;
      readonly filter: string;
      readonly sort: Sort<TrafficColumn>;
    }
  /** The children of the open places of the hosts' tree, at most 50 places. */
  | { readonly view: "paths"; readonly open: readonly TreePlace[] }
  | { readonly view: "endpoint"; readonly endpoint: Endpoint }
  | { readonly view: "exchange"; readonly exchange: ExchangeId }
  /** Findings that account for a matching exchange. */
  | { readonly view: "findings"; readonly filter: string }
  /** One finding, by its key. */
  | { readonly view: "finding"; readonly key: string }
  | HubValueQuery
  | InsightValueQuery
  | SessionValueQuery;

export type Query = ListQuery | ValueQuery;

// ---- results -------------------------------------------------------------------------------------------------

export interface RecordOf extends InsightRecordOf {
  readonly traffic: TrafficRecord;
  readonly latency: LatencyRecord;
  readonly collecting: CollectingRecord;
  readonly slow: SlowRecord;
  readonly "slow-groups": SlowGroupRecord;
  readonly messages: MessageRecord;
}

export interface ValueOf extends HubValueOf, InsightValueOf, SessionValueOf {
  readonly status: Status;
  readonly summary: JudgedSummary;
  readonly figures: Figures;
  readonly occurring: OccurringValues;
  readonly picked: PickedSums;
  /** `null`: the exchange is not in that list. */
  readonly place: { readonly index: number | null };
  /** One per open place, in order. */
  readonly paths: readonly PathBranch[];
  /** `null`: the endpoint has no row (any more). */
  readonly endpoint: EndpointDetail | null;
  /** `null`: the exchange was evicted. */
  readonly exchange: ExchangeDetail | null;
  readonly findings: FindingsState;
  /** `null`: it is not in the list (any more). */
  readonly finding: FindingDetail | null;
}

// ---- UI → engine ----------------------------------------------------------------------------------------------

/** Commands of a user. Each is answered by one `reply` with the same number. */
export type Command =
  | { readonly type: "set-recording"; readonly on: boolean }
  | { readonly type: "start-proxy" }
  | { readonly type: "stop-proxy" }
  /** Whether other devices may connect to the proxy; until Weir exits. */
  | { readonly type: "set-reach"; readonly lan: boolean }
  | { readonly type: "clear" }
  | { readonly type: "undo-clear" }
  /** The reply's value is the id of the session that ended; `null` if nothing was captured. */
  | { readonly type: "new-session" }
  /** Suppresses further advice in this session about clients that reject our certificate for that host. */
  | { readonly type: "dismiss-advice"; readonly host: string }
  /** The engine checks `value`; the reply contains the problem. */
  | { readonly type: "set-setting"; readonly key: string; readonly value: unknown }
  /** Reads a piece of a body. The reply's value is a `BodyPiece`. */
  | {
      readonly type: "read-body";
      readonly exchange: ExchangeId;
      readonly side: Side;
      readonly form: "wire" | "decoded";
      readonly from: number;
      readonly count: number;
    }
  /** Reads one whole message of a WebSocket exchange. The reply's value is a `BodyPiece`. */
  | { readonly type: "read-message"; readonly exchange: ExchangeId; readonly index: number }
  /** Starts an export. The reply's value is an `ExportStarted`; `export-piece` messages follow. */
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
  /** Acknowledges a piece: at most 8 are in transit, so that neither side holds the whole export. */
  | { readonly type: "took-piece"; readonly exportNumber: number }
  /** Copies the request as text, never redacted. The reply's value is the text. */
  | { readonly type: "copy-as"; readonly exchange: ExchangeId; readonly form: CopiedAs }
  /** Sends the request again; its exchange is tagged `resent` and in no statistic. */
  | { readonly type: "resend"; readonly exchange: ExchangeId }
  /** Makes the main window show an exchange, by a `show-exchange` message. */
  | { readonly type: "show-exchange"; readonly exchange: ExchangeId }
  | HubCommand
  | InsightCommand
  | FindingCommand
  | SessionCommand
  | AnnotationCommand;

/** docs/specification.md, `--table`. */
export const EXPORT_TABLES = ["latency", "slow", "payload", "chains", "groups", "repeats", "links", "trends"] as const;

export type ExportTable = (typeof EXPORT_TABLES)[number];

export interface ExportStarted {
  readonly exportNumber: number;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The first message on a socket; all others are ignored before it. */
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
  /** The connection is ready; subscriptions of an earlier connection have ended. */
  | {
      readonly type: "welcome";
      /** The engine's clock now, which may differ from the wall clock; instants are on this clock. */
      readonly now: Instant;
    }
  /**
   * The whole window of a list. `keys` identify records in row order; the same key and no delta mean an unchanged
   * record.
   */
  | {
      readonly type: "window";
      readonly subscription: number;
      readonly revision: number;
      readonly list: ListState;
      readonly records: readonly ListRecord[];
    }
  /** The window after a change: all keys in order, but only new or changed records. */
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
  /**
   * The query cannot be answered, e.g. a filter with an unknown word; the last valid window stays. `revision` 0: the
   * query was invalid or one too many, and its number is unsubscribed.
   */
  | { readonly type: "refused"; readonly subscription: number; readonly revision: number; readonly problem: string }
  /** The engine exits and the UI client must not reconnect: the address will not be used again. */
  | { readonly type: "shutdown"; readonly reason: string }
  /** A click in the native window's menu: the name of a view or of an action (ui/views/shell/keyboard.ts). */
  | { readonly type: "menu"; readonly item: string }
  /** Moves the hub's native window to the front and shows that target (`null`: unchanged). */
  | { readonly type: "show-hub"; readonly target: string | null }
  /** Another window requests that this exchange be shown. */
  | { readonly type: "show-exchange"; readonly exchange: ExchangeId }
  | { readonly type: "reply"; readonly number: number; readonly ok: true; readonly value: unknown }
  | { readonly type: "reply"; readonly number: number; readonly ok: false; readonly problem: string }
  /** A piece of an export, in order; `problem` ends it. `progress` is 0 to 1. */
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

/** The identity of a list's record. */
export function keyOf(record: ListRecord): string | number {
  if ("key" in record) return record.key;
  if ("id" in record) return record.id;
  return "endpoint" in record ? record.endpoint : record.index;
}
