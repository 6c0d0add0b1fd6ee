import type { WaitedFor } from "../../../src/engine/model/wait.ts";
import type { DialTimes } from "./dial.ts";
import type { Failure } from "./error-type.ts";
import type { UpstreamSession } from "./http2/upstream-session.ts";
import type { ServerConnection } from "./server-connection.ts";

export type ConnectResult =
  | { readonly kind: "connected"; readonly connection: ServerConnection }
  | { readonly kind: "failed"; readonly failure: Failure; readonly times: DialTimes };

/** `waitedFor`: what had to be waited for besides one's own dial. */
export type Connected = (result: ConnectResult, waitedFor: WaitedFor | null) => void;

/** What a dial leads to; `shared`: the server speaks HTTP/2. */
export type Opened = ConnectResult | { readonly kind: "shared"; readonly session: UpstreamSession };
