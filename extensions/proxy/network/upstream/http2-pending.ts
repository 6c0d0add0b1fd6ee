import type { WaitedFor } from "../../../../src/engine/model/wait.ts";
import type { ConnectResult } from "./connect-result.ts";
import type { Allows } from "./route.ts";

/** A request that waits for a connection or for a stream of one. */
export interface PendingRequest {
  readonly allows: Allows;
  /** Whether it may be resent if it is lost with its connection. */
  readonly isRepeatable: boolean;
  /** What the request waited for besides its own dial: another request's dial is not a phase of this exchange. */
  waitedFor: WaitedFor | null;
  readonly done: (result: ConnectResult) => void;
  /** Cancels the wait or the dial of this request. */
  cancel: () => void;
}
