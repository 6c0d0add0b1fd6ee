import { evictOldest } from "../../model/evict-oldest.ts";
import { statusOf } from "../../model/exchange.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { fieldIn } from "../facts/field-values.ts";
import type { MomentValues } from "./moment.ts";

/** The most responses remembered, and the most values and URLs of one. */
const MOST_RESPONSES = 5_000;
const MOST_OF_ONE = 500;

/** What a response told its client. */
export interface ResponseValues extends Pick<MomentValues, "given" | "named" | "files" | "runsScript"> {
  readonly contentType: string;
  /** Whether the response's text is known. */
  readonly isRead: boolean;
}

/** Remembers what responses told, since a client reads its stored response again after a 304 (RFC 9111, 4.3.4). */
export class StoredResponses {
  readonly #stored = new Map<string, ResponseValues>();

  /** What the client reads after this response: `own`, or for a 304 what its stored response told. */
  readBy(
    client: number,
    url: string,
    { exchange, responseFields }: ExchangeFacts,
    own: ResponseValues,
  ): ResponseValues {
    const key = `${client} ${url}`;
    const status = statusOf(exchange.outcome);
    if (status === 304) return this.#stored.get(key) ?? own;
    if (status !== 200 || exchange.method !== "GET") return own;
    const isKept = fieldIn(responseFields, "etag") !== null || fieldIn(responseFields, "last-modified") !== null;
    this.#stored.delete(key);
    if (isKept && own.given.length + own.named.length + own.files.length <= MOST_OF_ONE) this.#stored.set(key, own);
    evictOldest(this.#stored, MOST_RESPONSES);
    return own;
  }
}
