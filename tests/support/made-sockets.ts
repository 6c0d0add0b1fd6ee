import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** Calls `body` with the sockets that this process opens or accepts meanwhile, including the proxy's. */
export async function withMadeSockets(
  kind: "client" | "server",
  body: (sockets: readonly Socket[]) => Promise<void>,
): Promise<void> {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);
  subscribe(`net.${kind}.socket`, note);
  try {
    await body(sockets);
  } finally {
    unsubscribe(`net.${kind}.socket`, note);
  }
}
