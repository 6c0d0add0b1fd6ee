import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { ContentReader } from "../../../../src/engine/capture/content-reader.ts";
import { isShrinkable } from "../../../../src/engine/insights/payload.ts";
import type { CompressionEstimate } from "../../../../src/engine/messages/payload-messages.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";

/** The largest body that is estimated. Equals the default cap of a stored body. */
const MOST_BYTES = 10 * 1024 * 1024;

/** The usual levels for responses compressed on the fly. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 5;
const ZSTD_LEVEL = 3;

/**
 * Compresses an uncompressed text response with gzip, br and zstd on libuv's threads, and returns the sizes. Throws a
 * sentence if the body cannot be estimated.
 */
export async function compressionEstimateOf(reader: ContentReader, exchange: Exchange): Promise<CompressionEstimate> {
  const { id, encodedBodySize: size } = exchange;
  if (!isShrinkable(exchange))
    throw new Error("Compression is estimated only for an uncompressed text response over 1 KB.");
  if (size > MOST_BYTES) throw new Error("This response is too large for a compression estimate.");
  const part = reader.readBody(id, "response", 0, size);
  if (!part.ok) throw new Error(`The response's body cannot be read: ${part.problem}.`);
  if (part.value.length < size) throw new Error("The response's body was not kept completely.");
  const [gzipped, brotlied, zstded] = await Promise.all([
    promisify(gzip)(part.value, { level: GZIP_LEVEL }),
    promisify(brotliCompress)(part.value, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(zstdCompress)(part.value, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } }),
  ]);
  return { size, gzip: gzipped.length, br: brotlied.length, zstd: zstded.length };
}
