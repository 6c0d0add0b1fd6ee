/** RFC 9113, 7: the codes that Weir sends or acts on. */
export const CODES = Object.freeze({
  noError: 0x0,
  protocolError: 0x1,
  internalError: 0x2,
  refusedStream: 0x7,
  cancel: 0x8,
  enhanceYourCalm: 0xb,
  http11Required: 0xd,
});

/** Reset codes of a server that are forwarded to the client. All others concern only our connection to the server. */
const FOR_CLIENTS: ReadonlySet<number> = new Set([
  CODES.internalError,
  CODES.refusedStream,
  CODES.cancel,
  CODES.enhanceYourCalm,
  CODES.http11Required,
]);

/** Reset codes of a client that are forwarded to the server. All others only mean that the response is not wanted. */
const FOR_SERVERS: ReadonlySet<number> = new Set([CODES.internalError, CODES.enhanceYourCalm]);

/** The code to forward to the client after the server reset the stream with `code`; `null` for none. */
export function codeForClient(code: number): number | null {
  return FOR_CLIENTS.has(code) ? code : null;
}

/** The code to send to the server after the client reset the stream with `code`, or disconnected (`null`). */
export function codeForServer(code: number | null): number {
  return code !== null && FOR_SERVERS.has(code) ? code : CODES.cancel;
}

/** RFC 9113, 6.2: the flag of the frame with which a stream ends. */
export const END_STREAM = 0x1;
