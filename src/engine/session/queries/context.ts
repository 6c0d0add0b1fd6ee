import type { HubState, TargetState } from "../../messages/hub-messages.ts";
import type { Sessions, Shown } from "../../messages/session-messages.ts";
import type { Status } from "../../messages/status-messages.ts";
import type { Instant } from "../../model/units.ts";
import type { Findings } from "../evaluation/findings.ts";
import type { History } from "../lists/history.ts";
import type { Session } from "../session.ts";
import type { Archive } from "./archive.ts";

/** What answers to queries are made from. */
export interface Context {
  readonly session: Session;
  readonly archive: Archive;
  /** The state of the proxy and of recording, with the settings that define slow requests and oversized responses. */
  readonly status: Status;
  readonly hub: HubSource;
  readonly findings: Findings;
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
