import type { HubState, TargetState } from "../messages/hub-messages.ts";
import type { Sessions, Shown } from "../messages/session-messages.ts";
import type { Status } from "../messages/status-messages.ts";
import type { Instant } from "../model/units.ts";
import type { Archive } from "./archive.ts";
import type { Findings } from "./findings.ts";
import type { History } from "./history.ts";
import type { Session } from "./session.ts";

/** What a question is answered from. */
export interface Context {
  readonly session: Session;
  readonly archive: Archive;
  /** The proxy's and the recording's state, with the settings that judge what is slow or oversized. */
  readonly status: Status;
  readonly hub: HubSource;
  readonly findings: Findings;
  readonly history: History;
  readonly sessions: SessionSource;
  readonly now: Instant;
}

/** Which sessions there are, and which one is shown. */
export interface SessionSource {
  state(): Sessions;
  shown(): Shown;
}

/** What the Setup Hub's questions are answered from; made only when somebody asks. */
export interface HubSource {
  state(): HubState;
  /** Of a slug that is none: as of a target that was never tested. */
  target(slug: string): TargetState;
}
