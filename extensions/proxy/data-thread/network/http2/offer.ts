import type { Socket } from "node:net";

const OFFERS = new WeakSet<Socket>();

/**
 * Chooses a protocol from a client's ALPN offer (RFC 7301); `undefined` for none. Marks the connection if HTTP/2 was
 * offered but not chosen.
 */
export function protocolFor(connection: Socket, offered: readonly string[], http2: boolean): string | undefined {
  const isOffered = offered.includes("h2");
  if (isOffered && http2) return "h2";
  if (isOffered) OFFERS.add(connection);
  return offered.find((protocol) => protocol === "http/1.1");
}

/** Whether the client of this connection offered HTTP/2 but did not get it. */
export function offeredHttp2(connection: Socket): boolean {
  return OFFERS.has(connection);
}
