import { type AddressInfo, connect, createServer } from "node:net";
import { authorityOf, originOf } from "../origin.ts";
import type { RequestServer } from "./request-server.ts";
import { routeTo } from "./tunnel-route.ts";

/**
 * Sends a request as a client of our own, over a listener for one connection whose origin is fixed. From there on it is
 * an exchange like any other, with the tag `resent`. Resolves when the response has ended, or with the error that
 * prevented sending; then there is no row. `origin`: `scheme://host[:port]`; `head`: latin1 text with its empty line,
 * which must contain `Connection: close`.
 */
export async function resend(
  { origin, head, body }: { readonly origin: string; readonly head: string; readonly body: Uint8Array },
  server: Pick<RequestServer, "serve">,
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
    // Descriptors may run out, for the listener or for either side.
    listener.on("error", finish);
    listener.listen(0, "127.0.0.1", () => {
      const client = connect((listener.address() as AddressInfo).port, "127.0.0.1");
      let failure: Error | null = new Error("its connection was not taken");
      client.on("error", (error) => {
        if (failure !== null) failure = error;
      });
      client.on("close", () => finish(failure));
      client.resume();
      listener.once("connection", (socket) => {
        listener.close();
        // From here on, failures are shown in the row.
        failure = null;
        server.serve(socket, routeTo(originOf(scheme, named)), { resent: true });
        client.write(head, "latin1");
        client.write(body);
      });
    });
  });
}
