import { type Endpoint, partsOf } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Bytes, ExchangeId } from "../model/units.ts";
import { isCoding } from "../stats/endpoint-tally.ts";
import type { PayloadTally } from "../stats/payload-tally.ts";

/** The sizes of an endpoint's bodies. */
export interface PayloadRow {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
  readonly avgRequestSize: Bytes;
  /** `null` if there is no whole response. */
  readonly avgResponseSize: Bytes | null;
  /** Decoded size divided by encoded size; `null` if there is no encoded body. */
  readonly compressionRatio: number | null;
  readonly oversized: readonly ExchangeId[];
}

/** docs/specification.md, Compression ratio: savings are estimated for bodies above 1 KB. */
const WORTH_COMPRESSING: Bytes = 1024;

/** Whether a trial compression of the response may help: it is uncompressed text of more than 1 KB. */
export function isShrinkable({ contentEncoding, contentType, encodedBodySize }: Exchange): boolean {
  return !isCoding(contentEncoding) && encodedBodySize > WORTH_COMPRESSING && isText(contentType);
}

/** An endpoint's row in the Payload tab. */
export function payloadRowOf(endpoint: Endpoint, payload: PayloadTally, oversized: readonly ExchangeId[]): PayloadRow {
  const { meanRequest: avgRequestSize, meanResponse: avgResponseSize, compressionRatio } = payload;
  return Object.freeze({ ...partsOf(endpoint), avgRequestSize, avgResponseSize, compressionRatio, oversized });
}

/**
 * Whether a media type is text (RFC 6838, 4.2.8 and 4.2.1): all of `text/`, types based on JSON or XML, and the web's
 * scripts and forms.
 */
function isText(contentType: string | null): boolean {
  return (
    contentType !== null &&
    /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|ecmascript|x-javascript|x-www-form-urlencoded|x-ndjson)$/.test(
      contentType,
    )
  );
}
