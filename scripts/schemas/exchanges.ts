import type { ExchangeJson } from "../../src/engine/interchange/exchange-json.ts";
import { MARKS } from "../../src/engine/model/annotation.ts";
import { ERROR_TYPES, TAGS } from "../../src/engine/model/exchange.ts";
import { KEPT_NAMES } from "../../src/engine/model/exchange-fields.ts";
import { RECORD } from "./record.ts";
import { amount, choice, count, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

function recordOrNull(): typeof RECORD {
  return Object.fromEntries(KEPT_NAMES.map((name) => [name, orNull(RECORD[name])])) as typeof RECORD;
}

const phase = (name: string): Schema => orNull(amount(`${name}, ms; null: the phase did not happen.`));

/** A row in the output of `weir export --format json`. */
export const EXCHANGE: Schema = objectOf<ExchangeJson>({
  id: count("The exchange's number; in a HAR file, that of its entry.", 1),
  url: text("The URL, redacted by default."),
  method: text("The method, as sent."),
  status: orNull(count("The status that the client got; null: none.")),
  errorType: orNull(choice(ERROR_TYPES, "Why the exchange failed; null: it did not fail.")),
  startTime: amount("Epoch ms: the first byte of the request's head.", null),
  dns: phase("Name resolution"),
  connect: phase("TCP"),
  tls: phase("The TLS handshake"),
  ttfb: phase("From the request's head being sent to the response's first byte"),
  transfer: phase("The response's body"),
  latency: phase("From the first byte of the request's head to the last byte of the response"),
  requestBodySize: count("Bytes of the request's body."),
  encodedBodySize: count("Bytes of the response's body as transferred."),
  decodedBodySize: orNull(count("Bytes of the response's body after decoding; null: unknown.")),
  contentEncoding: orNull(text("Content-Encoding of the response.")),
  protocol: text(
    "The client's protocol: http/1.0, http/1.1 or h2; of a tunnel also socks5, or tls at a transparent port.",
  ),
  client: text("The client's address and User-Agent."),
  tags: listOf({ enum: TAGS }, "Special properties."),
  waiting: orNull(amount("The wait for the server's connection or stream, ms.")),
  mark: orNull(choice(MARKS, "The user's mark.")),
  comment: orNull(text("The user's comment.")),
  program: orNull(text("The client's program, where known.")),
  failedAfter: orNull(amount("Time until the exchange failed, ms.")),
  weir: orNull(amount("Weir's own time, ms.")),
  uncertainty: amount("The exchange's times may be off by up to this many ms."),
  slowed: orNull(amount("By how much conditions slowed the exchange, ms.")),
  held: orNull(amount("For how long Weir held the response back on purpose, ms; null: it did not.")),
  ...recordOrNull(),
});
