import type { Annotation, Mark } from "../model/annotation.ts";
import { type ErrorType, type Exchange, failedAfterOf, statusOf, type Tag, timedLatencyOf } from "../model/exchange.ts";
import { KEPT_NAMES, type KeptFields, keptOf } from "../model/exchange-fields.ts";
import { heldOf, phasesOf, slowedTimeOf, waitOf } from "../model/phases.ts";
import type { Bytes, Milliseconds } from "../model/units.ts";
import { shownText, shownUrl } from "./redaction.ts";
import { urlOf } from "./url.ts";

/**
 * One exchange in the output of `npm run export --format json` (docs/specification.md); `null` where something did not
 * happen.
 */
export interface ExchangeJson extends KeptFields {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly dns: Milliseconds | null;
  readonly connect: Milliseconds | null;
  readonly tls: Milliseconds | null;
  readonly ttfb: Milliseconds | null;
  readonly transfer: Milliseconds | null;
  readonly latency: Milliseconds | null;
  readonly requestBodySize: Bytes;
  readonly encodedBodySize: Bytes;
  readonly decodedBodySize: Bytes | null;
  readonly contentEncoding: string | null;
  readonly protocol: string;
  readonly client: string;
  readonly tags: readonly Tag[];
  /** The wait for a connection to the server, or for a stream on a connection, in ms. */
  readonly waiting: Milliseconds | null;
  /** The user's annotation. */
  readonly mark: Mark | null;
  readonly comment: string | null;
  /** The client's program, if known. */
  readonly program: string | null;
  /** The time until the exchange failed, in ms; a failure has no latency. */
  readonly failedAfter: Milliseconds | null;
  /** Weir's own time, in ms. */
  readonly weir: Milliseconds | null;
  /** By how many ms the exchange's times may be off; 0 if they are exact. */
  readonly uncertainty: Milliseconds;
  /** By how many ms conditions slowed the exchange; `null` if they did not. */
  readonly slowed: Milliseconds | null;
  /** For how long Weir held the response back on purpose, ms; `null` if it did not. */
  readonly held: Milliseconds | null;
}

/** The fields in the order of the output; newer ones come last, those of the record by themselves. */
const IN_ORDER = [
  "id",
  "url",
  "method",
  "status",
  "errorType",
  "startTime",
  "dns",
  "connect",
  "tls",
  "ttfb",
  "transfer",
  "latency",
  "requestBodySize",
  "encodedBodySize",
  "decodedBodySize",
  "contentEncoding",
  "reused",
  "protocol",
  "client",
  "tags",
  "waiting",
  "connection",
  "stream",
  "clientConnection",
  "clientStream",
  "mark",
  "comment",
  "program",
  "failedAfter",
  "weir",
  "uncertainty",
  "slowed",
  "held",
] as const satisfies readonly (keyof ExchangeJson)[];

export const EXCHANGE_FIELDS: readonly (keyof ExchangeJson)[] = [...new Set([...IN_ORDER, ...KEPT_NAMES])];

/**
 * `redact`: removes secrets from the URL, the client's User-Agent, the comment and the record's texts. No other field can contain
 * a secret.
 */
export function exchangeJsonOf(exchange: Exchange, { mark, comment }: Annotation, redact = true): ExchangeJson {
  const { instants, outcome } = exchange;
  const wait = waitOf(exchange);
  const { weir, ...lengths } = phasesOf(instants, wait, exchange.slowed);
  const values: ExchangeJson = {
    id: exchange.id,
    url: shownUrl(urlOf(exchange), redact),
    method: exchange.method,
    status: statusOf(outcome),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    startTime: instants.startTime,
    ...lengths,
    latency: timedLatencyOf(exchange),
    requestBodySize: exchange.requestBodySize,
    encodedBodySize: exchange.encodedBodySize,
    decodedBodySize: exchange.decodedBodySize,
    contentEncoding: exchange.contentEncoding,
    protocol: exchange.protocol,
    client: shownText(exchange.client, redact),
    tags: exchange.tags,
    waiting: wait === null ? null : wait.to - wait.from,
    mark,
    comment: shownText(comment, redact) || null,
    program: exchange.program,
    failedAfter: failedAfterOf(exchange),
    weir,
    uncertainty: exchange.uncertainty,
    slowed: exchange.slowed === null ? null : slowedTimeOf(exchange),
    held: heldOf(instants),
    ...keptOf(exchange, (text) => shownText(text, redact)),
  };
  return Object.fromEntries(EXCHANGE_FIELDS.map((name) => [name, values[name]])) as unknown as ExchangeJson;
}
