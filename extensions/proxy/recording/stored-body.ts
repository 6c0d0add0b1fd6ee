import type { Side } from "../../../src/engine/capture/event.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import { listOf } from "../../../src/engine/model/head.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import { type DecodedBody, decodeBody } from "./body-decoding.ts";

/** A body as it is shown, searched and exported. */
export interface StoredBody extends DecodedBody {
  /** The number of stored bytes that were read, before decoding. */
  readonly kept: Bytes;
}

/** Whether the exchange's bodies are stored decoded, whatever their Content-Encoding says, as from a HAR file. */
export function isStoredDecoded({ tags }: Exchange): boolean {
  return tags.includes("imported");
}

/** The Content-Encoding of a stored body, from its `head`; `null` if the body is stored decoded. */
export function codingOf(exchange: Exchange, head: string): string | null {
  return isStoredDecoded(exchange) ? null : listOf(head, "content-encoding");
}

/**
 * Reads at most `most` stored bytes of a body and decodes them by the fields of `head`. A deleted body is empty, with
 * the reason in `problem`.
 */
export async function storedBodyOf(
  reader: SessionReader,
  exchange: Exchange,
  side: Side,
  head: string,
  most: Bytes = Number.MAX_SAFE_INTEGER,
): Promise<StoredBody> {
  const part = reader.readBody(exchange.id, side, 0, most);
  if (!part.ok) return { bytes: Buffer.alloc(0), total: 0, problem: part.problem, kept: 0 };
  return { ...(await decodeBody(part.value, codingOf(exchange, head))), kept: part.value.length };
}
