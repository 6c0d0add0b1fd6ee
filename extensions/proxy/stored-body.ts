import type { Exchange } from "../../src/engine/model/exchange.ts";
import { headerOf } from "../../src/engine/model/head.ts";

/** Whether its bodies are stored decoded, whatever their heads say and whatever was transferred: as a HAR file holds them. */
export function isStoredDecoded({ tags }: Exchange): boolean {
  return tags.includes("imported");
}

/** The Content-Encoding that a stored body has, which `head` tells of. */
export function codingOf(exchange: Exchange, head: string): string | null {
  return isStoredDecoded(exchange) ? null : headerOf(head, "content-encoding");
}
