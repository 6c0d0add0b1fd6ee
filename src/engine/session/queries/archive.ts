import type { Side } from "../../capture/event.ts";
import type { MessageRecord } from "../../messages/exchange-messages.ts";
import type { Bytes, ExchangeId } from "../../model/units.ts";
import type { HeadsOf } from "../table/header-columns.ts";

/** The data of a session that is not in memory. */
export interface Archive {
  /** Heads as received, latin1; `null` if they are not stored (any more). */
  headsOf(id: ExchangeId): { readonly request: string; readonly response: string | null } | null;
  /** Reads the heads of many exchanges; good until the session changes. */
  headReader(): HeadsOf;
  /** The number of stored bytes of a body, as transferred. */
  bodyOf(id: ExchangeId, side: Side): { readonly kept: Bytes };
  messageCount(id: ExchangeId): number;
  /** Messages in order; fewer than `count` at the end. */
  messagesOf(id: ExchangeId, from: number, count: number): readonly MessageRecord[];
}
