import type { Socket } from "node:net";

const OFFERS = new WeakSet<Socket>();

/** Answers a client's offer of protocols (RFC 7301); the connection is remembered if HTTP/2 was offered and not taken. */
export function protocolFor(connection: Socket, offered: readonly string[], http2: boolean): string | undefined {
  const isOffered = offered.includes("h2");
  if (isOffered && http2) return "h2";
  if (isOffered) OFFERS.add(connection);
  return offered.find((protocol) => protocol === "http/1.1");
}

/** Whether the client of this connection would have spoken HTTP/2. */
export function offeredHttp2(connection: Socket): boolean {
  return OFFERS.has(connection);
}
