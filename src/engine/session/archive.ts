import type { Side } from "../capture/event.ts";
import type { MessageRecord } from "../messages/exchange-messages.ts";
import type { Bytes, ExchangeId } from "../model/units.ts";

/** What a session does not hold in memory, and where it asks for it. */
export interface Archive {
  /** Heads as received, latin1; `null` if they are not there (any more). */
  headsOf(id: ExchangeId): { readonly request: string; readonly response: string | null } | null;
  /** How much of a body was kept, as transferred. */
  bodyOf(id: ExchangeId, side: Side): { readonly kept: Bytes };
  messageCount(id: ExchangeId): number;
  /** In order; fewer than `count` at the end. */
  messagesOf(id: ExchangeId, from: number, count: number): readonly MessageRecord[];
}
