import { type AddressInfo, connect, createServer } from "node:net";
import type { Network } from "./network.ts";
import { authorityOf, originOf } from "./origin.ts";

/**
 * Sends a request as a client of our own: over a door that opens once, for this connection alone, and already knows the
 * origin. From there on it is an exchange like any other, tagged `resent`. Resolves when the answer has ended, or with what
 * kept the request from being sent at all: then there is no row that could tell.
 *
 * `origin` is `scheme://host[:port]`, `head` latin1 text with its empty line, and says that the connection closes.
 */
export async function resend(
  { origin, head, body }: { readonly origin: string; readonly head: string; readonly body: Uint8Array },
  network: Network,
): Promise<Error | null> {
  const [, scheme, authority = ""] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  const named = authorityOf(authority);
  if (named === null || (scheme !== "http" && scheme !== "https")) return new Error(`no origin: ${origin}`);
  return new Promise((resolve) => {
    const door = createServer({ allowHalfOpen: true, noDelay: true });
    const leave = (trouble: Error | null): void => {
      door.close();
      resolve(trouble);
    };
    // No descriptor may be left for it, nor for either end.
    door.on("error", leave);
    door.listen(0, "127.0.0.1", () => {
      const client = connect((door.address() as AddressInfo).port, "127.0.0.1");
      let trouble: Error | null = new Error("its connection was not taken");
      client.on("error", (error) => {
        if (trouble !== null) trouble = error;
      });
      client.on("close", () => leave(trouble));
      client.resume();
      door.once("connection", (socket) => {
        door.close();
        // From now on trouble is told by the row.
        trouble = null;
        network.serve(socket, { kind: "origin", origin: originOf(scheme, named) }, { resent: true });
        client.write(head, "latin1");
        client.write(body);
      });
    });
  });
}
