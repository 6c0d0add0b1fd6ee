import type { ContentReader } from "../capture/content-reader.ts";
import type { Side } from "../capture/event.ts";
import type { BodyFacts } from "../insights/exchange-facts.ts";
import { isShrinkable } from "../insights/payload.ts";
import type { Exchange } from "../model/exchange.ts";
import type { OperationEndpoint } from "../model/finding.ts";
import { headerOf } from "../model/head.ts";
import type { Bytes } from "../model/units.ts";
import { latin1Of, shownUtf8 } from "../quoting/utf8.ts";
import { isStoredDecoded, storedBodyOf } from "./stored-body.ts";

/** The number of first bytes of a decoded body that are searched for operations, values and addresses. */
const TEXT_READ: Bytes = 256 * 1024;

/** How many bytes of a sampled body are compressed. */
const SAMPLE: Bytes = 64 * 1024;
/** How many bodies are sampled per endpoint. */
const SAMPLED_BODIES = 20;

/** The parts of a body that findings use. `text`: the beginning of the decoded body; "" if the body is not text. */
export interface ReadBody {
  readonly facts: BodyFacts;
  readonly text: string;
}

const EMPTY = Object.freeze({ facts: Object.freeze({ size: 0, hash: "", compressed: null }), text: "", bytes: null });

/** Reads a body from disk and decodes it; never throws. Fields that cannot be read are `null`. */
export async function readBodyOf(
  reader: ContentReader,
  exchange: Exchange,
  side: Side,
  head: string,
): Promise<ReadBody & { readonly bytes: Uint8Array | null }> {
  const size = side === "request" ? exchange.requestBodySize : exchange.encodedBodySize;
  const whole = side === "response" && isStoredDecoded(exchange) ? (exchange.decodedBodySize ?? size) : size;
  if (whole === 0 && size === 0) return EMPTY;
  const { bytes, problem, kept } = await storedBodyOf(reader, exchange, side, head);
  if (kept === 0) return unread(size);
  const known = kept >= whole && problem === null;
  const text = isText(headerOf(head, "content-type"), bytes) ? shownUtf8(bytes.subarray(0, TEXT_READ)) : "";
  return { facts: { size, hash: known ? reader.hashOf(bytes) : null, compressed: null }, text, bytes };
}

/**
 * Estimates by how much compression would shrink uncompressed text bodies: compresses the first ones of each endpoint
 * and applies their mean ratio to the rest.
 */
export class CompressionMeter {
  readonly #reader: Pick<ContentReader, "gzipSizeOf">;
  readonly #samples = new Map<OperationEndpoint, { bodies: number; plain: Bytes; compressed: Bytes }>();

  constructor(reader: Pick<ContentReader, "gzipSizeOf">) {
    this.#reader = reader;
  }

  /**
   * The size that the body would have if the server compressed it, estimated after some bodies of the endpoint. `null`
   * for bodies that are already encoded, binary, small or absent.
   */
  async compressedSizeOf(
    exchange: Exchange,
    endpoint: OperationEndpoint,
    bytes: Uint8Array | null,
  ): Promise<Bytes | null> {
    if (bytes === null || bytes.length === 0 || !isShrinkable(exchange)) return null;
    let known = this.#samples.get(endpoint);
    if (known === undefined) {
      known = { bodies: 0, plain: 0, compressed: 0 };
      this.#samples.set(endpoint, known);
    }
    if (known.bodies >= SAMPLED_BODIES) return Math.round((exchange.encodedBodySize * known.compressed) / known.plain);
    const sample = bytes.subarray(0, SAMPLE);
    const length = await this.#reader.gzipSizeOf(sample);
    known.bodies += 1;
    known.plain += sample.length;
    known.compressed += length;
    return Math.round((exchange.encodedBodySize * length) / sample.length);
  }
}

function unread(size: Bytes): ReadBody & { readonly bytes: null } {
  return { facts: { size, hash: size === 0 ? "" : null, compressed: null }, text: "", bytes: null };
}

/** Whether the body is text, by its media type. Without a media type: whether the body begins like JSON or markup. */
function isText(type: string | null, bytes: Uint8Array): boolean {
  if (type === null) return /^\s*[[{<]/.test(latin1Of(bytes.subarray(0, 64)));
  return /^text\/|json|xml|javascript|ecmascript|graphql|x-www-form-urlencoded|mpegurl|yaml/i.test(type);
}
