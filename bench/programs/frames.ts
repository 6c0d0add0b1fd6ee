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
