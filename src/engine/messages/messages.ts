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
 * A subscription sends its next message only after the last was acknowledged, and at most 10 a second. Every message is
 * JSON of at most 1 MB. Captured text is hostile: the UI shows it only as text.
 */

// ---- queries ------------------------------------------------------------------------------------------------

/** Queries for a list. The engine responds with windows, then with deltas of whole records. */
export type ListQuery =
  | { readonly view: "traffic"; readonly filter: string; readonly sort: Sort<TrafficColumn>; readonly range: Range }
  | { readonly view: "latency"; readonly filter: string; readonly sort: Sort<LatencyColumn>; readonly range: Range }
  /** Endpoints with too few requests for a row; the most requests come first. */
  | { readonly view: "collecting"; readonly filter: string; readonly range: Range }
  /**
   * Slow requests, the most time lost first. `endpoint`: only requests of this endpoint; `group`: only requests of this
   * group of the endpoint (`causeKeyOf`).
   */
  | {
      readonly view: "slow";
      readonly filter: string;
      readonly cause: SlowCause;
      readonly endpoint: Endpoint | null;
      readonly group: string | null;
      readonly range: Range;
    }
  /** Slow requests, grouped by endpoint and cause; the most time lost comes first. */
  | {
      readonly view: "slow-groups";
      readonly filter: string;
      readonly cause: SlowCause;
      readonly endpoint: Endpoint | null;
      readonly range: Range;
    }
  | { readonly view: "messages"; readonly exchange: ExchangeId; readonly range: Range }
  | InsightListQuery;

/** Queries for a value. The engine responds with the whole value after each change. */
export type ValueQuery =
  | { readonly view: "status" }
  | { readonly view: "summary" }
  /** The figures of the exchanges that match a filter. */
  | { readonly view: "figures"; readonly filter: string }
  /** The values with which a filter term can be completed. */
  | { readonly view: "occurring"; readonly key: OccurringKey }
  /** Sums over the rows in some ranges of a traffic list. */
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
  /** The children of the open nodes in the tree of hosts, at most 50 nodes. */
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
  /** `null` if the exchange is not in that list. */
  readonly place: { readonly index: number | null };
  /** One for each open node, in order. */
  readonly paths: readonly PathBranch[];
  /** `null` if the endpoint has no row, or no longer has one. */
  readonly endpoint: EndpointDetail | null;
  /** `null` if the exchange was evicted. */
  readonly exchange: ExchangeDetail | null;
  readonly findings: FindingsState;
  /** `null` if the finding is not in the list, or no longer is. */
  readonly finding: FindingDetail | null;
}

// ---- UI → engine ----------------------------------------------------------------------------------------------

/** Commands of a user. The engine sends one `reply` with the same number for each. */
export type Command =
  | { readonly type: "set-recording"; readonly on: boolean }
  | { readonly type: "start-proxy" }
  | { readonly type: "stop-proxy" }
  /** Whether other devices may connect to the proxy. Valid until Weir exits. */
  | { readonly type: "set-reach"; readonly lan: boolean }
  | { readonly type: "clear" }
  | { readonly type: "undo-clear" }
  /**
   * Ends the session and begins another. The reply's value is the id of the ended session; `null` if nothing was
   * captured.
   */
  | { readonly type: "new-session" }
  /** Suppresses, in this session, further advice about clients that reject our certificate for this host. */
  | { readonly type: "dismiss-advice"; readonly host: string }
  /** Changes a setting. The engine checks `value`; if it is invalid, the reply says why. */
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
  /** Acknowledges a piece. At most 8 pieces are on their way, so that neither side holds the whole export. */
  | { readonly type: "took-piece"; readonly exportNumber: number }
  /** Copies the request as text, with its secrets. The reply's value is the text. */
  | { readonly type: "copy-as"; readonly exchange: ExchangeId; readonly form: CopiedAs }
  /** Sends the request again. Its exchange has the tag `resent` and is in no statistic. */
  | { readonly type: "resend"; readonly exchange: ExchangeId }
  /** Makes the main window show an exchange, by a `show-exchange` message. */
  | { readonly type: "show-exchange"; readonly exchange: ExchangeId }
  | HubCommand
  | InsightCommand
  | FindingCommand
  | SessionCommand
  | AnnotationCommand;

/** docs/specification.md, `--table`: the tables that can be exported. */
export const EXPORT_TABLES = ["latency", "slow", "payload", "chains", "groups", "repeats", "links", "trends"] as const;

export type ExportTable = (typeof EXPORT_TABLES)[number];

export interface ExportStarted {
  readonly exportNumber: number;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The first message on a socket. Other messages before it are ignored. */
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
  /** The connection is ready. Subscriptions of an earlier connection have ended. */
  | {
      readonly type: "welcome";
      /** The time now on the engine's clock, to which all instants belong. It may differ from the wall clock. */
      readonly now: Instant;
    }
  /**
   * The whole window of a list. `keys` identify the records in the order of rows. A key without a record stands for an
   * unchanged record.
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
   * The query cannot be answered, for example because its filter has an unknown word; the last valid window stays. With
   * `revision` 0, the query itself is invalid or one too many, and the subscription has ended.
   */
  | { readonly type: "refused"; readonly subscription: number; readonly revision: number; readonly problem: string }
  /** The engine exits. The UI client must not reconnect, because the address will not be used again. */
  | { readonly type: "shutdown"; readonly reason: string }
  /**
   * The user chose an item of the native window's menu: the name of a view or an action (ui/views/shell/keyboard.ts).
   */
  | { readonly type: "menu"; readonly item: string }
  /**
   * Shows a target in the hub's native window and brings it to the front. `target`: a slug; `null` leaves the shown
   * target.
   */
  | { readonly type: "show-hub"; readonly target: string | null }
  /** Another window asks to show this exchange. */
  | { readonly type: "show-exchange"; readonly exchange: ExchangeId }
  | { readonly type: "reply"; readonly number: number; readonly ok: true; readonly value: unknown }
  | { readonly type: "reply"; readonly number: number; readonly ok: false; readonly problem: string }
  /** A piece of an export, in order. A `problem` ends the export. `progress`: 0 to 1. */
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

/** What identifies a record within its list. */
export function keyOf(record: ListRecord): string | number {
  if ("key" in record) return record.key;
  if ("id" in record) return record.id;
  return "endpoint" in record ? record.endpoint : record.index;
}
