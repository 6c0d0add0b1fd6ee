import { type AddressInfo, connect, createServer } from "node:net";
import type { ExchangeId } from "../../../../../src/engine/model/units.ts";
import { authorityOf, originOf } from "../origin.ts";
import type { ClientNetwork } from "./client-network.ts";
import { routeTo } from "./destination.ts";

export interface ResendOptions {
  readonly onStarted?: (exchange: ExchangeId | null) => void;
  readonly signal?: AbortSignal | null;
}

/**
 * Sends a request to `origin` through Weir, over a loopback connection of its own. The exchange is recorded like any
 * other, with the tag `resent`. Resolves with `null` when the connection has closed. If sending was impossible,
 * resolves with the error, and there is no row. `onStarted` gets the row's exchange, or `null` if it is not recorded.
 * `signal` closes the connection.
 *
 * `origin` is `scheme://host[:port]`. `head` is latin1 text with its empty line, and must say `Connection: close`.
 */
export async function resend(
  { origin, head, body }: { readonly origin: string; readonly head: string; readonly body: Uint8Array },
  server: Pick<ClientNetwork, "serve">,
  { onStarted = () => {}, signal = null }: ResendOptions = {},
): Promise<Error | null> {
  const [, scheme, authority = ""] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  const named = authorityOf(authority);
  if (named === null || (scheme !== "http" && scheme !== "https")) return new Error(`no origin: ${origin}`);
  return new Promise((resolve) => {
    const listener = createServer({ allowHalfOpen: true, noDelay: true });
    const finish = (failure: Error | null): void => {
      listener.close();
      resolve(failure);
    };
    // Fails if descriptors run out.
    listener.on("error", finish);
    listener.listen(0, "127.0.0.1", () => {
      const client = connect((listener.address() as AddressInfo).port, "127.0.0.1");
      const abort = (): void => void client.destroy();
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort, { once: true });
      let failure: Error | null = new Error("Weir did not accept its connection");
      client.on("error", (error) => {
        if (failure !== null) failure = error;
      });
      client.on("close", () => {
        signal?.removeEventListener("abort", abort);
        finish(failure);
      });
      client.resume();
      listener.once("connection", (socket) => {
        listener.close();
        // From here on, failures are shown in the row.
        failure = null;
        server.serve(socket, routeTo(originOf(scheme, named)), { resent: onStarted });
        client.write(head, "latin1");
        client.write(body);
      });
    });
  });
}
