import { createHash } from "node:crypto";

/**
 * Text messages of 100 bytes, one for each direction (RFC 6455, 5.2). All have the same size, so that messages can be
 * counted by bytes.
 */
const TEXT = Buffer.from(JSON.stringify({ type: "price", symbol: "WEIR", text: "x".repeat(54) }));
const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

export const SERVER_FRAME = Buffer.concat([Buffer.from([0x81, TEXT.length]), TEXT]);
export const CLIENT_FRAME = Buffer.concat([
  Buffer.from([0x81, 0x80 | TEXT.length]),
  MASK,
  TEXT.map((byte, at) => byte ^ (MASK[at & 3] ?? 0)),
]);

/** RFC 6455, 4.2.2. */
const KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** The response that upgrades to WebSocket. `extension`: a whole header line, or nothing. */
export function upgraded(head: string, extension = ""): string {
  const key = /\r\nsec-websocket-key: *(\S+)/i.exec(head)?.[1] ?? "";
  const accept = createHash("sha1")
    .update(key + KEY)
    .digest("base64");
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${extension}\r\n`;
}
