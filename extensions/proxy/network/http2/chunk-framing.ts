import { Buffer } from "node:buffer";

const LINE_END = Buffer.from("\r\n");

/** A piece of a body, told the way an exchange is told it: `wire` framed as its head says, `data` without framing. */
export type Told = (wire: Buffer, data: readonly Buffer[]) => void;

/** Tells one piece as a chunk (RFC 9112, 7.1) without copying it. */
export function tellChunk(bytes: Buffer, tell: Told): void {
  if (bytes.length === 0) return;
  tell(Buffer.from(`${bytes.length.toString(16)}\r\n`, "latin1"), NOTHING);
  tell(bytes, [bytes]);
  tell(LINE_END, NOTHING);
}

const NOTHING: readonly Buffer[] = Object.freeze([]);

/** The end of a chunked body without trailers. */
export const LAST_CHUNK = Buffer.from("0\r\n\r\n");
