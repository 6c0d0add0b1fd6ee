import type { HubState, TargetState } from "../../messages/hub-messages.ts";
import type { Sessions, Shown } from "../../messages/session-messages.ts";
import type { Status } from "../../messages/status-messages.ts";
import type { Instant } from "../../model/units.ts";
import type { Findings } from "../evaluation/findings.ts";
import type { History } from "../lists/history.ts";
import type { Session } from "../session.ts";
import type { Archive } from "./archive.ts";

/** The data that queries are answered from. */
export interface Context {
  readonly session: Session;
  readonly archive: Archive;
  /** The state of the proxy and of recording, and the settings that define slow and oversized. */
  readonly status: Status;
  readonly hub: HubSource;
  readonly findings: Findings;
  readonly history: History;
  readonly sessions: SessionSource;
  readonly now: Instant;
}

/** The list of sessions, and the one shown. */
export interface SessionSource {
  state(): Sessions;
  shown(): Shown;
}

/** The source of the Setup Hub's queries; created on first use. */
export interface HubSource {
  state(): HubState;
  /** The target's state; an unknown slug gives that of a target never tested. */
  target(slug: string): TargetState;
}
