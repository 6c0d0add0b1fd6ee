import { endpointKeyOf, pathOf } from "../../model/endpoint.ts";
import { hasOneOf, isError, isLasting, statusOf, timedLatencyOf, UNCOUNTED_TAGS } from "../../model/exchange.ts";
import type { HeaderField } from "../../model/head.ts";
import { slowedResponseOf, slowedUploadOf } from "../../model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import { isBrowsersOwn } from "../browsers-own.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { valuesIn } from "../facts/field-values.ts";
import { addTo, groupedBy } from "../grouped.ts";
import { memoized } from "../memoized.ts";
import { microsecondsOf, millisecondsOf } from "../microseconds.ts";
import { Users } from "../users.ts";
import { type BrowserLoad, BrowserLoads } from "./browser-loads.ts";
import { type DelayedBodies, delayedBodiesAmong, ONE_FLIGHT } from "./delayed-bodies.ts";
import type { Totals } from "./gate.ts";
import { type Link, LinkIndex } from "./link-index.ts";
import { longPollsOf } from "./long-polls.ts";
import { modelRetriesIn } from "./model-retries.ts";
import { type Span, unionOf } from "./waiting.ts";

/** One ended exchange, with derived values that several kinds use. */
export interface Request extends Span {
  readonly facts: ExchangeFacts;
  readonly id: ExchangeId;
  readonly origin: string;
  /** The path as sent. */
  readonly path: string;
  /** The endpoint as a text. All requests of the endpoint have the same string object. */
  readonly endpointKey: string;
  /** Client and origin as a text. All requests of the client to the origin have the same string object. */
  readonly route: string;
  /** Equal for requests of the same user behind the client; "" if nothing tells users apart. */
  readonly user: string;
  /** The page load of a browser to which the request belongs; `null` if there is none. */
  readonly load: BrowserLoad | null;
  readonly status: number | null;
  /** Whether the response is a static file. Pages load such files together and in large numbers. */
  readonly isStaticFile: boolean;
  /** Whether the request failed: a status of 400 or more, no usable response, or an error stated in the body. */
  readonly isError: boolean;
  /** Whether the exchange is a stream, a WebSocket or a tunnel, and so has no latency. */
  readonly isLasting: boolean;
  /** Whether the server held the response back until there was news (a long poll). */
  readonly isLongPoll: boolean;
  /**
   * From the first byte of the request's head to the last byte of the response. `null` without a whole response, or if
   * `isLasting`.
   */
  readonly latency: Milliseconds | null;
  readonly upload: Milliseconds;
  /** When the response began; `null` without a response. */
  readonly responseStart: Instant | null;
  /** From the request's last byte to the response's first byte. `null` without a response. */
  readonly server: Milliseconds | null;
  readonly transfer: Milliseconds;
  /** The part of `transfer` that a delayed acknowledgement took; 0 without one. */
  readonly acknowledgementDelay: Milliseconds;
  /** By how much each of the times may be wrong, at most. */
  readonly uncertainty: Milliseconds;
}

/** A session's exchanges by start, with the values derived from all of them. */
export interface Traffic {
  readonly requests: readonly Request[];
  readonly byId: ReadonlyMap<ExchangeId, Request>;
  readonly byClient: ReadonlyMap<string, readonly Request[]>;
  /** The requests of each endpoint, by `endpointKey`. */
  readonly endpoints: ReadonlyMap<string, readonly Request[]>;
  /** The requests of each client to each origin, by `route`. */
  readonly routes: ReadonlyMap<string, readonly Request[]>;
  /** Lists of two or more requests that are equal by `identityOf`. */
  readonly series: readonly (readonly Request[])[];
  /** For each refused call of a language model, the stream of the same call that came in the end. */
  readonly modelRetries: ReadonlyMap<ExchangeId, Request>;
  /** One entry for each endpoint with such bodies. */
  readonly delayedBodies: readonly DelayedBodies<Request>[];
  readonly links: LinkIndex;
  readonly duration: Milliseconds;
  readonly totals: Totals;
  /** The totals of which a finding must hold a share; zero to find smaller ones, too. */
  readonly gate: Totals;
}

/**
 * Derives the traffic. `facts`: in any order. Exchanges that have not ended or are in no statistic are left out.
 * `knownPolls`: the long polls, if they are known already.
 */
export function trafficOf(
  facts: Iterable<ExchangeFacts>,
  links: Iterable<Link>,
  knownPolls?: ReadonlySet<ExchangeId>,
): Traffic {
  const counted = withoutBrowsersOwn(inOrder([...facts].filter(counts)));
  const longPolls = knownPolls ?? longPollsOf(counted);
  const known: Known = { loads: new BrowserLoads(), users: new Users(), texts: new Map() };
  const requests: Request[] = [];
  const byId = new Map<ExchangeId, Request>();
  const byClient = new Map<string, Request[]>();
  const endpoints = new Map<string, NewRequest[]>();
  const routes = new Map<string, Request[]>();
  let bytes: Bytes = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const one of counted) known.users.learn(one);
  for (const one of counted) {
    const request = requestOf(one, longPolls.has(one.exchange.id), known);
    requests.push(request);
    byId.set(request.id, request);
    addTo(byClient, request.client, request);
    addTo(endpoints, request.endpointKey, request);
    addTo(routes, request.route, request);
    bytes += bytesOf(request);
    end = Math.max(end, request.end);
  }
  const delayedBodies = [...endpoints.values()].flatMap((own) => delayedBodiesAmong(own.filter(isSmall)) ?? []);
  for (const { requests: delayed, usual } of delayedBodies)
    for (const request of delayed) request.acknowledgementDelay = request.transfer - usual;
  const totals = { waiting: waitingOfAll(byClient), bytes };
  const series = seriesOf(endpoints);
  const modelRetries = modelRetriesIn(requests, identityOf);
  return {
    modelRetries,
    delayedBodies,
    requests,
    byId,
    byClient,
    endpoints,
    routes,
    series,
    links: new LinkIndex(links),
    duration: requests.length === 0 ? 0 : end - (requests[0]?.start ?? 0),
    totals,
    gate: totals,
  };
}

/** The same traffic with other links. */
export function withLinks(traffic: Traffic, links: Iterable<Link>): Traffic {
  return { ...traffic, links: new LinkIndex(links) };
}

function counts({ exchange: { endTime, tags } }: ExchangeFacts): boolean {
  return endTime !== null && !hasOneOf(tags, UNCOUNTED_TAGS);
}

/** Leaves out what browsers request for themselves, unless the session contains nothing else. */
function withoutBrowsersOwn(counted: readonly ExchangeFacts[]): readonly ExchangeFacts[] {
  const others = counted.filter((facts) => !isBrowsersOwn(facts));
  return others.length === 0 ? counted : others;
}

/** The facts sorted by start; they usually come in that order. */
function inOrder(counted: readonly ExchangeFacts[]): readonly ExchangeFacts[] {
  return counted.toSorted(
    ({ exchange: one }, { exchange: other }) => one.instants.startTime - other.instants.startTime || one.id - other.id,
  );
}

/** How long clients waited, summed over clients, in whole microseconds. */
function waitingOfAll(byClient: Traffic["byClient"]): Milliseconds {
  let waiting = 0;
  for (const own of byClient.values()) {
    const spans = own.flatMap((request) => waitSpanOf(request) ?? []);
    waiting += unionOf(spans.map(({ start, end }) => ({ start: microsecondsOf(start), end: microsecondsOf(end) })));
  }
  return millisecondsOf(waiting);
}

function seriesOf(endpoints: ReadonlyMap<string, readonly Request[]>): readonly (readonly Request[])[] {
  return [...endpoints.values()]
    .flatMap((own) => repeatedIn(own, ({ facts }) => facts.exchange.target))
    .flatMap((alike) => repeatedIn(alike, identityOf));
}

/** Lists of two or more requests with the same key, by when the second one began. */
function repeatedIn(requests: readonly Request[], keyOf: (request: Request) => string | null) {
  const repeated = [...groupedBy(requests, keyOf).values()].flatMap((own) => {
    const [, second] = own;
    return second === undefined ? [] : [{ own, second }];
  });
  repeated.sort(({ second: one }, { second: other }) => one.start - other.start || one.id - other.id);
  return repeated.map(({ own }) => own);
}

/**
 * A text that is equal for equal requests: same client, user, method, URL, Range, Accept and body. A static file's
 * Accept does not count unless its Vary names it. `null` if the body is unknown.
 */
export function identityOf(request: Request): string | null {
  const { route, facts, user, isStaticFile } = request;
  const { method, target } = facts.exchange;
  const body = sentBodyOf(request);
  const variant = isStaticFile && !variesByAccept(request) && !hasRange(request) ? "" : variantOf(request);
  return body === null ? null : `${route}\n${user}\n${method} ${target}\n${variant}\n${body}`;
}

/** The values of Range and Accept as one text. */
function variantOf({ facts }: Request): string {
  const fields = facts.requestFields.filter(({ name }) => name === "range" || name === "accept");
  return fields.map(({ name, value }) => `${name}:${value}\n`).join("");
}

/** Whether there is a Range or Content-Range (RFC 9110, 14). */
export function hasRange({ facts }: Request): boolean {
  return facts.requestFields.some(({ name }) => name === "range" || name === "content-range");
}

function variesByAccept({ facts }: Request): boolean {
  return valuesIn(facts.responseFields, "vary").some((vary) => /\*|\baccept\b(?!-)/i.test(vary));
}

/** A text that is equal for equal request bodies; "" without a body, `null` if the body is unknown. */
function sentBodyOf({ facts }: Request): string | null {
  return facts.requestBody.hash ?? (facts.exchange.requestBodySize === 0 ? "" : null);
}

/** Whether the client waits until the response ends. */
export function isAwaited({ isLasting, isLongPoll }: Request): boolean {
  return !isLasting && !isLongPoll;
}

/** Whether the response is small enough to be sent before the first acknowledgement. */
function isSmall(request: Request): boolean {
  const size = request.facts.exchange.encodedBodySize;
  return isAwaited(request) && request.latency !== null && size > 0 && size <= ONE_FLIGHT;
}

interface Known {
  readonly loads: BrowserLoads;
  readonly users: Users;
  readonly texts: Map<string, string>;
}

/** Equal texts as one string object, so that they take memory once. */
function shared(text: string, texts: Known["texts"]): string {
  const known = texts.get(text) ?? text;
  texts.set(known, known);
  return known;
}

type NewRequest = Request & { acknowledgementDelay: Milliseconds };

function requestOf(facts: ExchangeFacts, isLongPoll: boolean, { loads, users, texts }: Known): NewRequest {
  const { exchange, endpoint } = facts;
  const { instants, outcome, tags, endTime, slowed } = exchange;
  const status = statusOf(outcome);
  const lasting = isLasting(tags, status) || facts.model?.isStream === true;
  const { requestStart, requestEnd, responseStart, responseEnd } = instants;
  const sent = requestEnd ?? requestStart;
  const path = pathOf(exchange.target);
  return {
    facts,
    id: exchange.id,
    client: exchange.client,
    origin: exchange.origin,
    path,
    endpointKey: shared(endpointKeyOf(endpoint), texts),
    route: shared(`${exchange.client}\n${exchange.origin}`, texts),
    user: users.userOf(facts),
    load: loads.loadOf(facts),
    start: instants.startTime,
    end: Math.max(instants.startTime, responseEnd ?? endTime ?? instants.startTime),
    status,
    isStaticFile: isStatic(exchange.contentType, path),
    isError: isError(outcome) || facts.applicationError || (facts.model?.error ?? null) !== null,
    isLasting: lasting,
    isLongPoll,
    latency: lasting ? null : timedLatencyOf(exchange),
    upload: sent === null || requestStart === null ? 0 : sent - requestStart - slowedUploadOf(instants, slowed),
    responseStart,
    server: sent === null || responseStart === null ? null : Math.max(0, responseStart - sent),
    transfer:
      responseStart === null || responseEnd === null
        ? 0
        : responseEnd - responseStart - slowedResponseOf(instants, responseEnd, slowed),
    acknowledgementDelay: 0,
    uncertainty: exchange.uncertainty,
  };
}

/** Whether a response with this media type is a static file; without a type, by its path. */
function isStatic(type: string | null, path: string): boolean {
  return type === null ? STATIC_PATH.test(path) : isStaticType(type);
}

const isStaticType = memoized((type) => STATIC_TYPE.test(type));

const STATIC_TYPE =
  /^(?:image|font|audio|video)\/|^text\/(?:css|javascript|ecmascript)$|^application\/(?:(?:x-)?javascript|ecmascript|wasm|font-\w+|vnd\.mapbox-vector-tile|vnd\.apple\.mpegurl|dash\+xml)$/;
const STATIC_PATH =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|map|woff2?|ttf|otf|mp4|webm|m4s|ts|m3u8|mp3|ogg|pbf|wasm)$/i;

/**
 * The span in which the client waited; for a stream, until the response began. `null` for a long poll, and for a stream
 * without a response.
 */
export function waitSpanOf(request: Request): Span | null {
  if (request.isLongPoll) return null;
  if (!request.isLasting) return request;
  const { client, start, responseStart: end } = request;
  return end === null ? null : { client, start, end };
}

function bytesOf({ facts: { exchange, requestFields, responseFields } }: Request): Bytes {
  const heads = linesSizeOf(requestFields) + linesSizeOf(responseFields);
  return exchange.requestBodySize + exchange.encodedBodySize + heads;
}

/** Bytes of header lines as HTTP/1.1 writes them. */
export function linesSizeOf(fields: readonly HeaderField[]): Bytes {
  let size = 0;
  for (const { name, value } of fields) size += name.length + value.length + 4;
  return size;
}
