import type { Side } from "../../capture/event.ts";
import type { MessageRecord } from "../../messages/exchange-messages.ts";
import type { HubState, TargetState } from "../../messages/hub-messages.ts";
import type { Sessions, Shown } from "../../messages/session-messages.ts";
import type { Status } from "../../messages/status-messages.ts";
import type { Bytes, ExchangeId, Instant } from "../../model/units.ts";
import type { Insights } from "../evaluation/insights.ts";
import type { History } from "../lists/history.ts";
import type { Session } from "../session.ts";
import type { HeadsOf } from "../table/header-columns.ts";

/** What answers to queries are made from. */
export interface Context {
  readonly session: Session;
  readonly archive: Archive;
  /** The state of the proxy and of recording, with the settings that define slow requests and oversized responses. */
  readonly status: Status;
  readonly hub: HubSource;
  readonly insights: Insights;
  readonly history: History;
  readonly sessions: SessionSource;
  readonly now: Instant;
}

/** The list of sessions, and the session that is shown. */
export interface SessionSource {
  state(): Sessions;
  shown(): Shown;
}

/** The states that queries of the Setup Hub read. */
export interface HubSource {
  state(): HubState;
  /** The target's state. For an unknown slug, the state of a target that was never tested. */
  target(slug: string): TargetState;
}

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
  /** Reads some of what `messagesOf` needs, and keeps it; returns `false` if there is more. */
  prepareMessages(id: ExchangeId, from: number, count: number): boolean;
  /** At most `count` messages from index `from`, in order. */
  messagesOf(id: ExchangeId, from: number, count: number): readonly MessageRecord[];
}
