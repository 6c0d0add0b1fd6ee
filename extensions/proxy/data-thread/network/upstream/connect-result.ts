import type { WaitedFor } from "../../../../../src/engine/model/phases.ts";
import type { DialFailed } from "./dial.ts";
import type { Http2ServerConnection } from "./http2-connection.ts";
import type { ServerConnection } from "./server-connection.ts";

export type ConnectResult = { readonly kind: "connected"; readonly connection: ServerConnection } | DialFailed;

/** `waitedFor`: what the request waited for, apart from its own dial. */
export type OnDialed = (result: ConnectResult, waitedFor: WaitedFor | null) => void;

/** The result of a dial. `shared`: the server speaks HTTP/2. */
export type DialOutcome = ConnectResult | { readonly kind: "shared"; readonly connection: Http2ServerConnection };
