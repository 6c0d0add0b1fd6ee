import type { Side } from "../../../src/engine/capture/event.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import { listOf } from "../../../src/engine/model/head.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import { type DecodedBody, decodeBody } from "./body-decoding.ts";

/** A body as it is shown, searched and exported. */
export interface StoredBody extends DecodedBody {
  /** Bytes of it that were read, as stored. */
  readonly kept: Bytes;
}

/** Whether its bodies are stored decoded, whatever their heads say: HAR files hold decoded bodies. */
export function isStoredDecoded({ tags }: Exchange): boolean {
  return tags.includes("imported");
}

/** The Content-Encoding of a stored body, from `head`. */
export function codingOf(exchange: Exchange, head: string): string | null {
  return isStoredDecoded(exchange) ? null : listOf(head, "content-encoding");
}

/**
 * The first `most` stored bytes of a body, decoded as `head` says. A deleted body is empty, with the reason in
 * `problem`.
 */
export async function storedBodyOf(
  reader: SessionReader,
  exchange: Exchange,
  side: Side,
  head: string,
  most: Bytes = Number.MAX_SAFE_INTEGER,
): Promise<StoredBody> {
  const part = reader.readBody(exchange.id, side, 0, most);
  if (part.kind === "gone") return { bytes: Buffer.alloc(0), total: 0, problem: part.reason, kept: 0 };
  return { ...(await decodeBody(part.bytes, codingOf(exchange, head))), kept: part.bytes.length };
}
