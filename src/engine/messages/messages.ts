import type * as v from "valibot";
import type { ExchangeId, Instant } from "../model/units.ts";
import type { toEngine } from "./decode.ts";
import type { ExchangeDetail, MessageRecord } from "./exchange-messages.ts";
import type { FindingDetail, FindingsState } from "./finding-messages.ts";
import type { HubValueOf } from "./hub-messages.ts";
import type { InsightRecordOf, InsightValueOf } from "./insight-messages.ts";
import type {
  CollectingRecord,
  EndpointDetail,
  LatencyRecord,
  SlowGroupRecord,
  SlowRecord,
} from "./latency-messages.ts";
import type { ListState, Range } from "./list-messages.ts";
import type { ReplayProgress } from "./replay-messages.ts";
import type { SearchHits, SessionValueOf } from "./session-messages.ts";
import type { Figures, JudgedSummary, Status } from "./status-messages.ts";
import type { OccurringValues, PathBranch, PickedSums, TrafficRecord } from "./traffic-messages.ts";

/*
 * Messages between UI clients and the engine. A UI client holds ranges of lists ("windows"), never all data:
 *
 *   UI ── subscribe(7, query) ──▶ engine          UI ◀── window(7, revision 1, whole) ── engine
 *   UI ── ack(7, 1) ────────────▶                 UI ◀── delta(7, 1 → 2, changes) ─────
 *
 * A subscription sends its next message only after the last was acknowledged, and at most 10 a second. Every message is
 * JSON of at most 1 MB. Captured text is hostile: the UI shows it only as text.
 */

// ---- queries and commands, as decode.ts describes them --------------------------------------------------------

export type ToEngine = v.InferOutput<typeof toEngine>;

export type Query = Extract<ToEngine, { readonly type: "subscribe" }>["query"];

export type ListQuery = Extract<Query, { readonly range: Range }>;

export type ValueQuery = Exclude<Query, ListQuery>;

export type Command = Extract<ToEngine, { readonly type: "command" }>["command"];

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
  /** `null` if the exchange is not in the queried list. */
  readonly position: { readonly index: number | null };
  /** One for each open node, in the order of the query. */
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

export interface ExportStarted {
  readonly exportNumber: number;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The first message on a socket. `keyed`: the page can keep a key, with which it reconnects (window-key.ts). */
export type Hello =
  | { readonly type: "hello"; readonly ticket: string; readonly keyed?: boolean }
  | { readonly type: "hello"; readonly key: string; readonly nonce: string };

/** The page's answer to a challenge. */
export interface PageProof {
  readonly type: "proof";
  readonly proof: string;
}

// ---- engine → UI ----------------------------------------------------------------------------------------------

export type FromEngine =
  /** The connection is ready. Subscriptions of an earlier connection have ended. */
  | {
      readonly type: "welcome";
      /**
       * The time now on the engine's clock. All instants are times of this clock, which may differ from the wall clock.
       */
      readonly now: Instant;
    }
  /** The rows of the requested range, in full. `list.keys` identifies the records, in the order of the rows. */
  | {
      readonly type: "window";
      readonly subscription: number;
      readonly revision: number;
      readonly list: ListState;
      readonly records: readonly ListRecord[];
    }
  /** The rows after a change: all keys, but only new or changed records. `from`: the revision before the change. */
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
   * The query cannot be answered, for example because its filter has an unknown word. The last valid window stays.
   * `revision` 0: the subscription has ended, because the query is invalid or the client has too many subscriptions.
   */
  | { readonly type: "refused"; readonly subscription: number; readonly revision: number; readonly problem: string }
  /** The engine knows the key, and proves that; the client answers with a `PageProof`. */
  | { readonly type: "challenge"; readonly nonce: string; readonly proof: string }
  /** The client is admitted. `salt`: what its key or ticket is derived with; `version`: that of the running Weir. */
  | { readonly type: "key"; readonly salt: string; readonly version: string }
  /** The engine exits, or has failed. `startable`: the native window can start it again. */
  | { readonly type: "shutdown"; readonly reason: string; readonly startable: boolean }
  /**
   * The user chose an item of the native window's menu: the name of a view or an action (ui/views/shell/ui-intents.ts).
   */
  | { readonly type: "menu"; readonly item: string }
  /**
   * Shows a target in the hub's native window and brings it to the front. `target`: a slug; `null` keeps the shown
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
  | SearchHits
  | ReplayProgress;

export type ListRecord = RecordOf[keyof RecordOf];

/** What identifies a record within its list. */
export function keyOf(record: ListRecord): string | number {
  if ("key" in record) return record.key;
  if ("id" in record) return record.id;
  return "endpoint" in record ? record.endpoint : record.index;
}
