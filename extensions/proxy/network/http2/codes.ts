/** RFC 9113, 7: those that we say or act on. */
export const CODES = Object.freeze({
  noError: 0x0,
  internalError: 0x2,
  refusedStream: 0x7,
  cancel: 0x8,
  enhanceYourCalm: 0xb,
  http11Required: 0xd,
});

/** What a server means for its client; the other codes are about the frames on our own connection to it. */
const FOR_CLIENTS: ReadonlySet<number> = new Set([
  CODES.internalError,
  CODES.refusedStream,
  CODES.cancel,
  CODES.enhanceYourCalm,
  CODES.http11Required,
]);

/** What a client means for its server: all others say no more than that the answer is not wanted. */
const FOR_SERVERS: ReadonlySet<number> = new Set([CODES.internalError, CODES.enhanceYourCalm]);

/** The code by which a client is told that its server reset the stream; `null`: it is told in another way. */
export function codeForClient(code: number): number | null {
  return FOR_CLIENTS.has(code) ? code : null;
}

/** The code by which a server is told that its client reset the stream, or (`null`) went away. */
export function codeForServer(code: number | null): number {
  return code !== null && FOR_SERVERS.has(code) ? code : CODES.cancel;
}

/** RFC 9113, 6.2: of a frame that ends its stream. */
export const END_STREAM = 0x1;
