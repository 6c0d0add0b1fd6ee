/** RFC 9113, 7: the codes that we send or act on. */
export const CODES = Object.freeze({
  noError: 0x0,
  internalError: 0x2,
  refusedStream: 0x7,
  cancel: 0x8,
  enhanceYourCalm: 0xb,
  http11Required: 0xd,
});

/** Server codes forwarded to the client; the others concern the frames on our own connection to the server. */
const FOR_CLIENTS: ReadonlySet<number> = new Set([
  CODES.internalError,
  CODES.refusedStream,
  CODES.cancel,
  CODES.enhanceYourCalm,
  CODES.http11Required,
]);

/** Client codes forwarded to the server; all others mean only that the response is not wanted. */
const FOR_SERVERS: ReadonlySet<number> = new Set([CODES.internalError, CODES.enhanceYourCalm]);

/**
 * The code for the client when the server reset the stream with `code`; `null`: the failure is reported differently.
 */
export function codeForClient(code: number): number | null {
  return FOR_CLIENTS.has(code) ? code : null;
}

/** The code for the server when the client reset the stream with `code` or (`null`) disconnected. */
export function codeForServer(code: number | null): number {
  return code !== null && FOR_SERVERS.has(code) ? code : CODES.cancel;
}

/** RFC 9113, 6.2: the flag of a frame that ends its stream. */
export const END_STREAM = 0x1;
