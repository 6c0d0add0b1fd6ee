import { EVENT_STREAM } from "../model/duration.ts";
import { type Endpoint, endpointOf } from "../model/endpoint.ts";
import type { Exchange, Tag } from "../model/exchange.ts";
import { headerOf } from "../model/head.ts";
import { startedAt } from "../model/phases.ts";
import type { CaptureEvent, ExchangeEnded, RequestStarted, ResponseStarted } from "./event.ts";
import { InFlight } from "./in-flight.ts";

/** Our choice: a User-Agent tells clients apart by its first so many characters. */
const USER_AGENT_LENGTH = 256;

/** RFC 6838, 4.2: a type and a subtype have at most 127 characters each. Anything longer is no media type. */
const MEDIA_TYPE_LENGTH = 255;

type Changing = { -readonly [Key in keyof Exchange]: Exchange[Key] };

/** Folds events into exchanges. Holds only those in flight. */
export class Recorder {
  readonly #inFlight = new InFlight<Changing>();
  /** The latest, which mostly is the next one, too: the same text again is known without a look at it. */
  #client = "";

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * The exchange as it is after the event; `null` where the event changes none. Events of an exchange that did not
   * start here, or has ended, change nothing. What is given is the same object from an exchange's start to its end, since
   * this runs for every event: read it before the next one is folded, and do not keep it.
   */
  fold(event: CaptureEvent): Exchange | null {
    if (event.type !== "request-started" && event.type !== "response-started" && event.type !== "exchange-ended") {
      return null;
    }
    const known = this.#inFlight.get(event.id);
    if (event.type === "request-started") return known === null ? this.#begin(event) : null;
    if (known === null) return null;
    if (event.type === "response-started") answer(known, event);
    else {
      this.#inFlight.delete(event.id);
      end(known, event);
    }
    return known;
  }

  #begin(event: RequestStarted): Exchange {
    const client = clientOf(event.clientAddress, event.head);
    if (client !== this.#client) this.#client = client;
    const exchange = exchangeStarted(event, this.#client);
    this.#inFlight.set(exchange.id, exchange);
    return exchange;
  }
}

/** Client address and User-Agent, as far as there is one. */
export function clientOf(address: string, head: string): string {
  const agent = headerOf(head, "user-agent");
  return agent === null || agent === "" ? address : `${address} ${agent.slice(0, USER_AGENT_LENGTH)}`;
}

function exchangeStarted(event: RequestStarted, client: string): Changing {
  const { id, at, method, origin, target, protocol, clientConnection, clientStream, tags } = event;
  const endpoint: Endpoint = endpointOf(method, origin, target);
  return {
    id,
    endpoint,
    method,
    origin,
    target,
    client,
    instants: startedAt(at, null),
    endTime: null,
    outcome: null,
    requestBodySize: 0,
    encodedBodySize: 0,
    decodedBodySize: null,
    contentEncoding: null,
    contentType: null,
    reused: null,
    connection: null,
    stream: null,
    waitedFor: null,
    clientConnection,
    clientStream,
    program: null,
    protocol,
    tags,
  };
}

function answer(exchange: Changing, { head }: ResponseStarted): void {
  exchange.contentType = mediaTypeOf(headerOf(head, "content-type"));
  exchange.contentEncoding = lowerCaseOf(headerOf(head, "content-encoding"));
}

function end(exchange: Changing, ended: ExchangeEnded): void {
  exchange.instants = ended.instants;
  exchange.endTime = ended.at;
  exchange.outcome = ended.outcome;
  exchange.requestBodySize = ended.requestBodySize;
  exchange.encodedBodySize = ended.encodedBodySize;
  // A body without a coding is its own decoded form; others are measured later (`body-decoded`), and a HAR file says it itself.
  // Nothing is decoded to nothing, whatever coding its head names: a 304, the answer to a HEAD.
  const isOwnForm = isPlain(exchange.contentEncoding) || ended.encodedBodySize === 0;
  const isPlainBody = isOwnForm && !ended.tags.includes("imported");
  const isWhole = ended.outcome.kind === "responded" && isPlainBody;
  exchange.decodedBodySize = isWhole ? ended.encodedBodySize : null;
  exchange.reused = ended.reused;
  exchange.connection = ended.connection;
  exchange.stream = ended.stream;
  exchange.waitedFor = ended.waitedFor;
  exchange.tags = taggedAs(exchange.contentType, ended.tags);
}

/** Who tells an end may not know that it was an event stream: of a session that was cut off, or where its type is spelt unusually. */
function taggedAs(contentType: string | null, tags: readonly Tag[]): readonly Tag[] {
  return contentType === EVENT_STREAM && !tags.includes("event-stream") ? [...tags, "event-stream"] : tags;
}

function isPlain(contentEncoding: string | null): boolean {
  return contentEncoding === null || contentEncoding === "identity";
}

/** Without parameters, lower-case. */
function mediaTypeOf(value: string | null): string | null {
  if (value === null) return null;
  const semicolon = value.indexOf(";");
  return lowerCaseOf((semicolon < 0 ? value : value.slice(0, semicolon)).trimEnd());
}

function lowerCaseOf(value: string | null): string | null {
  return value === null || value === "" || value.length > MEDIA_TYPE_LENGTH ? null : value.toLowerCase();
}
