import type { WaitedFor } from "../../../../../src/engine/model/phases.ts";
import type { DialFailed } from "./dial.ts";
import type { Http2ServerConnection } from "./http2-connection.ts";
import type { RefusalOf } from "./route.ts";
import type { ServerConnection } from "./server-connection.ts";

export type ConnectResult = { readonly kind: "connected"; readonly connection: ServerConnection } | DialFailed;

/** `waitedFor`: what the request waited for, apart from its own dial. */
export type OnDialed = (result: ConnectResult, waitedFor: WaitedFor | null) => void;

/** The result of a dial. `shared`: the server speaks HTTP/2. */
export type DialOutcome = ConnectResult | { readonly kind: "shared"; readonly connection: Http2ServerConnection };

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
  cancel: () => void;
}
