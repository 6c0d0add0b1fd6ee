import { Buffer } from "node:buffer";

const LINE_END = Buffer.from("\r\n");

/** Receives a piece of a body: `wire` with chunk framing, `data` without it. */
export type ChunkWriter = (wire: Buffer, data: readonly Buffer[]) => void;

/** Emits one piece as a chunk (RFC 9112, 7.1) without copying it. */
export function writeChunk(bytes: Buffer, emit: ChunkWriter): void {
  if (bytes.length === 0) return;
  emit(Buffer.from(`${bytes.length.toString(16)}\r\n`, "latin1"), NOTHING);
  emit(bytes, [bytes]);
  emit(LINE_END, NOTHING);
}

const NOTHING: readonly Buffer[] = Object.freeze([]);

/** The end of a chunked body without trailers. */
export const LAST_CHUNK = Buffer.from("0\r\n\r\n");
