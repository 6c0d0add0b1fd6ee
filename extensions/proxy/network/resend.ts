import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Network } from "./network.ts";
import { authorityOf, originOf } from "./origin.ts";

/**
 * Sends a request as a client of our own: over a door that opens once, for this connection alone, and already knows the
 * origin. From there on it is an exchange like any other, tagged `resent`. Resolves when the answer has ended.
 *
 * `origin` is `scheme://host[:port]`, `head` latin1 text with its empty line, and says that the connection closes.
 */
export async function resend(
  { origin, head, body }: { readonly origin: string; readonly head: string; readonly body: Uint8Array },
  network: Network,
): Promise<void> {
  const [, scheme, authority = ""] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  const named = authorityOf(authority);
  if (named === null || (scheme !== "http" && scheme !== "https")) return;
  const door = createServer({ allowHalfOpen: true, noDelay: true });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const entered = once(door, "connection");
  const client = connect((door.address() as AddressInfo).port, "127.0.0.1");
  // Trouble is told by the row.
  client.on("error", () => {});
  client.resume();
  const [socket] = (await entered) as [Socket];
  door.close();
  network.serve(socket, { kind: "origin", origin: originOf(scheme, named) }, { resent: true });
  client.write(head, "latin1");
  client.write(body);
  await once(client, "close");
}
