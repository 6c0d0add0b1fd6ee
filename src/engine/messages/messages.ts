import type { Side } from "../capture/event.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
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
  SlowRecord,
} from "./latency-messages.ts";
import type { ListState, Range, Sort } from "./list-messages.ts";
import type { RemarkCommand } from "./remark-messages.ts";
import type { SearchHits, SessionCommand, SessionValueOf, SessionValueQuery } from "./session-messages.ts";
import type { JudgedSummary, Status } from "./status-messages.ts";
import type {
  PathBranch,
  PickedStretch,
  PickedSums,
  TrafficColumn,
  TrafficRecord,
  TreePlace,
} from "./traffic-messages.ts";

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
  /** Where an exchange stands in a traffic list. */
  | {
      readonly view: "place";
      readonly exchange: ExchangeId;
      readonly filter: string;
      readonly sort: Sort<TrafficColumn>;
    }
  /** What lies below the places of the hosts' tree that are open, at most 50. */
  | { readonly view: "paths"; readonly open: readonly TreePlace[] }
  | { readonly view: "endpoint"; readonly endpoint: Endpoint }
  | { readonly view: "exchange"; readonly exchange: ExchangeId }
  | HubValueQuery
  | InsightValueQuery
  | SessionValueQuery;

export type Query = ListQuery | ValueQuery;

// ---- answers -------------------------------------------------------------------------------------------------

export interface RecordOf extends InsightRecordOf {
  readonly traffic: TrafficRecord;
  readonly latency: LatencyRecord;
  readonly collecting: CollectingRecord;
  readonly slow: SlowRecord;
  readonly messages: MessageRecord;
}

export interface ValueOf extends HubValueOf, InsightValueOf, SessionValueOf {
  readonly status: Status;
  readonly summary: JudgedSummary;
  readonly picked: PickedSums;
  /** `null`: it is not in that list. */
  readonly place: { readonly index: number | null };
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

/** decisions.md, `--table`. */
export const EXPORT_TABLES = ["latency", "slow", "payload", "chains", "groups", "repeats", "trends"] as const;

export type ExportTable = (typeof EXPORT_TABLES)[number];

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
  | {
      readonly type: "welcome";
      /** What the engine's clock shows: instants are of that one, which may no longer be the wall clock's time. */
      readonly now: Instant;
    }
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
  /**
   * A query that cannot be answered, e.g. a filter with an unknown word; the last good window stays. `revision` 0: it was not
   * understood, or is one too many, and nothing is asked under its number any more.
   */
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

/** What identifies a record of a list. */
export function keyOf(record: ListRecord): string | number {
  if ("key" in record) return record.key;
  if ("id" in record) return record.id;
  return "endpoint" in record ? record.endpoint : record.index;
}
