import type { WaitedFor } from "../../../../../src/engine/model/phases.ts";
import type { ConnectResult } from "./connect-result.ts";
import type { RefusalOf } from "./route.ts";

/** A request that waits for a connection, or for a stream on one. */
export interface PendingRequest {
  readonly refusalOf: RefusalOf;
  /** Whether the request may be sent again if it is lost with its connection. */
  readonly isRepeatable: boolean;
  /**
   * What the request waited for, apart from its own dial; `null` for nothing. Another request's dial counts as waiting,
   * because it is no phase of this exchange.
   */
  waitedFor: WaitedFor | null;
  readonly done: (result: ConnectResult) => void;
  /** Cancels the waiting or the dial of this request. */
  cancel: () => void;
}
