import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";
import type { Decoder } from "./decoder-run.ts";

/**
 * Creates a decoder. If `whole` is false, the decoder does not fail on a truncated body, but returns what it can
 * decode.
 */
export type Coding = (whole: boolean, body: Buffer) => Decoder;

export const CODINGS: ReadonlyMap<string, Coding> = new Map(
  Object.entries({
    gzip: (whole) => createGunzip({ finishFlush: zlibFlush(whole) }),
    // RFC 9110, 8.4.1.2, asks for the zlib format, but some servers send the deflate stream without it.
    deflate: (whole, body) => (isZlib(body) ? createInflate : createInflateRaw)({ finishFlush: zlibFlush(whole) }),
    br: (whole) =>
      createBrotliDecompress({
        finishFlush: whole ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
      }),
    zstd: (whole) =>
      createZstdDecompress({
        finishFlush: whole ? constants.ZSTD_e_end : constants.ZSTD_e_flush,
        params: ZSTD_WINDOW,
      }),
  } satisfies Record<string, Coding>),
);

/** A decoder that takes a whole body at once; `info` adds how many bytes it took. */
type AtOnce = (
  body: Uint8Array,
  options: { readonly info: true; readonly maxOutputLength: number; readonly chunkSize: number },
) => unknown;

/** The decoders of `CODINGS` that decode a whole body on this thread. They throw for a body that is not whole. */
export const CODINGS_AT_ONCE: ReadonlyMap<string, AtOnce> = new Map(
  Object.entries({
    gzip: gunzipSync,
    deflate: (body, options) => (isZlib(body) ? inflateSync : inflateRawSync)(body, options),
    br: brotliDecompressSync,
    zstd: (body, options) => zstdDecompressSync(body, { ...options, params: ZSTD_WINDOW }),
  } satisfies Record<string, AtOnce>),
);

/** RFC 9659: windows of at most 8 MB, so that no body makes the decoder allocate gigabytes. */
const ZSTD_WINDOW = { [constants.ZSTD_d_windowLogMax]: 23 };

/** The codings of a Content-Encoding list in the order of decoding, lower-case; "identity" is left out. */
export function codingsOf(contentEncoding: string | null): readonly string[] {
  const names = (contentEncoding ?? "").toLowerCase().split(",");
  return names
    .map((name) => name.trim().replace(/^x-/, ""))
    .filter((name) => name !== "" && name !== "identity")
    .reverse();
}

function zlibFlush(whole: boolean): number {
  return whole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
}

/**
 * Whether the body begins with a zlib header (RFC 1950, 2.2): method 8 in the low bits of the first byte, and both
 * bytes, as one number, a multiple of 31.
 */
function isZlib(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
