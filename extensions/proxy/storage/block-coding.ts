import { constants as coding, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/*
 * Blocks of exchanges are stored as Zstandard frames (RFC 8878), because heads compress to a twentieth. Each frame has
 * a checksum.
 */

/** Level 1. Higher levels do not shrink heads further. */
const PARAMETERS = { [coding.ZSTD_c_compressionLevel]: 1, [coding.ZSTD_c_checksumFlag]: 1 };

/**
 * The most bytes of a decompressed block. Blocks of the largest heads are far
 * smaller.
 */
const LARGEST = 256 * 1024 * 1024;

export function compressedBlock(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { params: PARAMETERS, pledgedSrcSize: bytes.length });
}

/** The bytes of the block. Throws if the frame is damaged. */
export function decompressedBlock(frame: Uint8Array): Buffer {
  return zstdDecompressSync(frame, { maxOutputLength: LARGEST });
}
