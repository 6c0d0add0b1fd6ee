import type { Side } from "../../capture/event.ts";
import type { MessageRecord } from "../../messages/exchange-messages.ts";
import type { Bytes, ExchangeId } from "../../model/units.ts";
import type { HeadsOf } from "../table/header-columns.ts";

/** The parts of a session that are not in memory. */
export interface Archive {
  /** The whole target, and the heads as received, in latin1; `null` if they are not stored. */
  headsOf(
    id: ExchangeId,
  ): { readonly target: string; readonly request: string; readonly response: string | null } | null;
  /** A reader for the heads of many exchanges. Valid until the session changes. */
  headReader(): HeadsOf;
  /** `kept`: the number of stored bytes of a body, as transferred. */
  bodyOf(id: ExchangeId, side: Side): { readonly kept: Bytes };
  messageCount(id: ExchangeId): number;
  /** At most `count` messages from index `from`, in order. */
  messagesOf(id: ExchangeId, from: number, count: number): readonly MessageRecord[];
}
