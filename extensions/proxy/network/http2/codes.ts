/** RFC 9113, 7: those that we say or act on. */
export const CODES = Object.freeze({
  noError: 0x0,
  internalError: 0x2,
  refusedStream: 0x7,
  cancel: 0x8,
  http11Required: 0xd,
});

/** RFC 9113, 6.2: of a frame that ends its stream. */
export const END_STREAM = 0x1;
