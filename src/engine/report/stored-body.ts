import type { ContentReader, DecodedBody } from "../capture/content-reader.ts";
import type { Side } from "../capture/event.ts";
import type { Exchange } from "../model/exchange.ts";
import { listOf } from "../model/head.ts";
import type { Bytes } from "../model/units.ts";

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
  reader: ContentReader,
  exchange: Exchange,
  side: Side,
  head: string,
  most: Bytes = Number.MAX_SAFE_INTEGER,
): Promise<StoredBody> {
  const part = await reader.readBodyInTurns(exchange.id, side, most);
  if (!part.ok) return { bytes: new Uint8Array(0), total: 0, problem: part.problem, kept: 0 };
  const coding = codingOf(exchange, head);
  const { length } = part.value;
  if (coding === null) return { bytes: part.value, total: length, problem: null, kept: length };
  return { ...(await reader.decode(part.value, coding)), kept: length };
}
