import * as fc from "fast-check";
import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import { RECORD } from "../../src/engine/capture/record.ts";
import { operationIn } from "../../src/engine/model/endpoint.ts";
import { ERROR_TYPES, type Exchange, TAGS, UNKNOWN_YET } from "../../src/engine/model/exchange.ts";
import {
  type Fields,
  KEPT,
  KEPT_FROM_END,
  KEPT_FROM_START,
  type KeptFields,
  type Packing,
  type Values,
} from "../../src/engine/model/exchange-fields.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { exchange } from "./exchange.ts";

/**
 * The capture events of an exchange; an exchange in flight has no end event. The client has an address and a
 * User-Agent.
 */
export function eventsOf(made: Exchange): CaptureEvent[] {
  const [clientAddress = "", ...agent] = made.client.split(" ");
  const header = (name: string, value: string | null): string => (value === null ? "" : `${name}: ${value}\r\n`);
  const { id, method, origin, target, protocol, tags, instants, outcome } = made;
  const started: CaptureEvent = {
    type: "request-started",
    id,
    at: instants.startTime,
    method,
    origin,
    target,
    head: `${method} ${target} HTTP/1.1\r\nHost: test\r\n${header("User-Agent", agent.join(" ") || null)}\r\n`,
    clientAddress,
    protocol,
    ...keptOf(made, KEPT_FROM_START),
    tags,
  };
  const status = outcome?.status ?? null;
  const operation = operationIn(made.endpoint);
  const answered: CaptureEvent = {
    type: "response-started",
    id,
    at: instants.startTime,
    status: status ?? 0,
    head: `HTTP/1.1 ${status} OK\r\n${header("Content-Type", made.contentType)}${header("content-encoding", made.contentEncoding)}\r\n`,
  };
  if (outcome === null || made.endTime === null) return [started];
  const ended: CaptureEvent = {
    type: "exchange-ended",
    id,
    at: made.endTime,
    instants,
    outcome,
    requestBodySize: made.requestBodySize,
    encodedBodySize: made.encodedBodySize,
    ...keptOf(made, KEPT_FROM_END),
    uncertainty: made.uncertainty,
    ...(made.slowed === null ? {} : { slowed: made.slowed }),
    ...(operation === null ? {} : { operation: { kind: "graphql" as const, name: operation } }),
    tags,
  };
  return [started, ...(status === null ? [] : [answered]), ended];
}

/** The fields of an event that the exchange keeps; an optional one is absent where the exchange has none. */
function keptOf<Of extends Fields>(made: Exchange, fields: Of): Values<Of> {
  const names = Object.keys(fields) as (keyof KeptFields)[];
  const given = names.filter((name) => made[name] !== null || (KEPT[name] as Packing).as !== "optional");
  return Object.fromEntries(given.map((name) => [name, made[name]])) as Values<Of>;
}

/**
 * Arbitrary sessions with few endpoints, so that some endpoints get rows. Ids count from 1 in the order of the starts.
 */
export function anyExchanges(limit = 60): fc.Arbitrary<readonly Exchange[]> {
  return fc.array(anySketch, { maxLength: limit }).map((sketches) => {
    let start = 1_000;
    return sketches.map(({ gap, latency, inFlight, failed, status, ...rest }, index) => {
      start += gap;
      const end = inFlight ? null : start + latency;
      const errorType = ERROR_TYPES[status % ERROR_TYPES.length] ?? "server-reset";
      const made = exchange({
        id: index + 1,
        start,
        end,
        status,
        ...(failed
          ? {
              outcome: {
                kind: "failed",
                errorType,
                detail: "gone",
                status: status in FAILED_WITH ? (FAILED_WITH[status] ?? null) : 502,
              },
            }
          : {}),
        ...(status === 200 ? {} : { contentType: "text/html" }),
        instants:
          end === null
            ? { headReceived: null, requestStart: null, requestEnd: null }
            : { responseStart: start + latency * rest.share },
        ...rest,
      });
      return Object.freeze(inFlight ? { ...made, ...UNTIL_ITS_END } : made);
    });
  });
}

/** What an exchange in flight lacks: the record's fields of its end, and the type of its response. */
const UNTIL_ITS_END: Partial<Exchange> = Object.fromEntries(
  Object.entries(UNKNOWN_YET).filter(([name]) => name in RECORD["exchange-ended"] || name === "contentType"),
);

/**
 * The status of an exchange after a failure, by its status without the failure: a WebSocket was opened (101), a
 * response was not complete.
 */
const FAILED_WITH: Readonly<Record<number, number | null>> = { 101: 101, 200: null };

const anySlowed = fc.record(
  {
    request: fc.double({ min: 0, max: 500, noNaN: true }),
    upload: fc.double({ min: 0, max: 500, noNaN: true }),
    response: fc.double({ min: 0, max: 500, noNaN: true }),
  },
  { noNullPrototype: true },
);

/** A value of a field that exchanges keep as it is. */
function anyValueOf(packing: Packing): fc.Arbitrary<unknown> {
  switch (packing.as) {
    case "nullable":
    case "optional":
      return fc.option(anyValueOf(packing.of), { freq: 2 });
    case "figure":
      return fc.constantFrom(1, 2, 7, 2 ** 31 - 1);
    case "flag":
      return fc.boolean();
    case "word":
      return fc.constantFrom("first", "second");
    case "choice":
      return fc.constantFrom(...packing.of);
    default:
      throw new Error(`no ${packing.as} is drawn`);
  }
}

/** Arbitrary values of fields that an exchange keeps as they are. */
export function anyKeptIn<Of extends Partial<typeof KEPT>>(fields: Of) {
  return Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, anyValueOf(of)])) as {
    readonly [Name in keyof Of & keyof KeptFields]: fc.Arbitrary<KeptFields[Name]>;
  };
}

const anySketch = fc.record({
  ...anyKeptIn(KEPT),
  gap: fc.integer({ min: 0, max: 3_000 }),
  latency: fc.double({ min: 0, max: 400, noNaN: true }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  inFlight: fc.nat(9).map((dice) => dice === 0),
  failed: fc.nat(7).map((dice) => dice === 0),
  status: fc.constantFrom(200, 200, 101, 204, 304, 404, 500, 503),
  method: fc.constantFrom("GET", "GET", "POST"),
  origin: fc.constantFrom("https://api.test", "http://cdn.test:8080"),
  target: fc.constantFrom("/users", "/users?page=1", "/users?Page=2", "/items/7", "*"),
  client: fc.constantFrom("127.0.0.1 curl/8.5", "10.0.0.2"),
  encodedBodySize: fc.constantFrom(0, 10, 2_000, 30_000, 200_000),
  requestBodySize: fc.nat(100),
  slowed: fc.option(anySlowed, { freq: 3 }),
  tags: fc.nat(12).map((dice) => (TAGS[dice] === undefined ? [] : [TAGS[dice]])),
});

/**
 * A percentile by its definition: rank (n-1)p between the neighbours in the sorted values; `null` if there are no
 * values.
 */
export function plainPercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const low = sorted[Math.floor(rank)];
  const high = sorted[Math.ceil(rank)];
  return low === undefined || high === undefined ? null : low + (high - low) * (rank - Math.floor(rank));
}

export const instant = (time: number): Instant => time as Instant;
