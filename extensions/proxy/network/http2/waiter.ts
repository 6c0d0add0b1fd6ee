import type { WaitedFor } from "../../../../src/engine/model/wait.ts";
import type { ConnectResult } from "../connect-result.ts";
import type { Allows } from "../way.ts";

/** An exchange that waits for a connection, or for a stream of one. */
export interface Waiter {
  readonly allows: Allows;
  /** Whether it may be sent once more, should it be lost with its connection. */
  readonly isRepeatable: boolean;
  /** What had to be waited for besides its own dial: another's is no phase of this exchange. */
  waitedFor: WaitedFor | null;
  readonly done: (result: ConnectResult) => void;
  /** Ends its waiting, wherever it waits. */
  cancel: () => void;
}
