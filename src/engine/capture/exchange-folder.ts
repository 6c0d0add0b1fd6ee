import { abbreviatedTarget, endpointOf } from "../model/endpoint.ts";
import { type Exchange, streamTagOf, type Tag, UNKNOWN_YET } from "../model/exchange.ts";
import { headerOf, isCutHead, listOf, STORED_HEAD } from "../model/head.ts";
import { startedAt } from "../model/phases.ts";
import type { ExchangeId } from "../model/units.ts";
import { textOfLatin1 } from "../quoting/utf8.ts";
import type { CaptureEvent, ExchangeEnded, RequestStarted, ResponseHeld, ResponseStarted } from "./event.ts";
import { RECORD } from "./record.ts";

/** How many characters of the User-Agent distinguish clients, at most. */
const USER_AGENT_LENGTH = 256;

/** RFC 6838, 4.2: at most 127 characters each for type and subtype; anything longer is no media type. */
const MEDIA_TYPE_LENGTH = 255;

/** The most characters that memory keeps of a method; longer ones can be neither copied nor sent again. */
const LONGEST_METHOD = 64;

/** The fields that an exchange has from its events as they are, under the record's names. */
const AT_START = Object.keys(RECORD["request-started"]).filter((name) => name in UNKNOWN_YET);
const AT_END = Object.keys(RECORD["exchange-ended"]).filter((name) => name in UNKNOWN_YET);

type Changing = { -readonly [Key in keyof Exchange]: Exchange[Key] };

/** Folds events into exchanges. Keeps only exchanges in flight. */
export class ExchangeFolder {
  readonly #inFlight = new InFlight<Changing>();
  /**
   * The client of the latest exchange. The next exchange usually has the same client; reusing the string makes
   * comparisons cheap.
   */
  #client = "";

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * Applies an event and returns its exchange; `null` if the event changes no exchange in flight. Each exchange has one
   * object for all of its events, to save allocations: read the object before the next event, and do not keep it.
   */
  fold(event: CaptureEvent): Exchange | null {
    if (event.type === "response-held") return this.#hold(event);
    if (event.type !== "request-started" && event.type !== "response-started" && event.type !== "exchange-ended") {
      return null;
    }
    const known = this.#inFlight.get(event.id);
    if (event.type === "request-started") return known === null ? this.#start(event) : null;
    if (known === null) return null;
    if (event.type === "response-started") answer(known, event);
    else {
      this.#inFlight.delete(event.id);
      end(known, event);
    }
    return known;
  }

  #hold({ id, at, level }: ResponseHeld): Exchange | null {
    const known = this.#inFlight.get(id);
    if (known === null || level === 0) return null;
    known.instants = { ...known.instants, released: at };
    return known;
  }

  #start(event: RequestStarted): Exchange {
    const client = clientOf(event.clientAddress, event.head);
    if (client !== this.#client) this.#client = client;
    const exchange = exchangeStarted(event, this.#client);
    this.#inFlight.set(exchange.id, exchange);
    return exchange;
  }
}

/** The client's address, and its User-Agent if there is one. */
export function clientOf(address: string, head: string): string {
  const agent = headerOf(head, "user-agent");
  if (agent === null || agent === "") return address;
  // Joined, not concatenated: a concatenation refers to the slice, and the slice to the whole head (V8).
  return [address, agent.slice(0, USER_AGENT_LENGTH)].join(" ");
}

function exchangeStarted(event: RequestStarted, client: string): Changing {
  const { id, at, origin, protocol, head, tags } = event;
  const method = event.method.length > LONGEST_METHOD ? `${event.method.slice(0, LONGEST_METHOD)}…` : event.method;
  const target = abbreviatedTarget(textOfLatin1(event.target));
  const exchange: Changing = {
    ...UNKNOWN_YET,
    id,
    endpoint: endpointOf(method, origin, target),
    method,
    origin,
    target,
    client,
    instants: startedAt(at, null),
    protocol,
    tags: isStoredWhole(head) || tags.includes("malformed") ? tags : [...tags, "head-cut"],
  };
  copy(AT_START, event, exchange);
  return exchange;
}

function answer(exchange: Changing, { head }: ResponseStarted): void {
  exchange.contentType = mediaTypeOf(headerOf(head, "content-type"));
  exchange.contentEncoding = lowerCaseOf(listOf(head, "content-encoding"));
  if (!isStoredWhole(head)) exchange.tags = withTag(exchange.tags, "head-cut");
}

function end(exchange: Changing, ended: ExchangeEnded): void {
  const { released } = exchange.instants;
  exchange.instants = released === undefined ? ended.instants : Object.freeze({ ...ended.instants, released });
  exchange.endTime = ended.at;
  copy(AT_END, ended, exchange);
  // A body without a coding is its own decoded form. So is an empty body, even if its head names a coding, as in a 304
  // or a response to HEAD. Other decoded sizes come later, from `body-decoded` or from a HAR file.
  const isOwnForm = isPlain(exchange.contentEncoding) || ended.encodedBodySize === 0;
  const isPlainBody = isOwnForm && !ended.tags.includes("imported");
  const isWhole = ended.outcome.kind === "responded" && isPlainBody;
  exchange.decodedBodySize = isWhole ? ended.encodedBodySize : null;
  const isCut = exchange.tags.includes("head-cut");
  const tags = taggedAs(exchange.contentType, ended.tags);
  exchange.tags = isCut ? withTag(tags, "head-cut") : tags;
  const operation = ended.operation?.name ?? null;
  if (operation !== null) exchange.endpoint = endpointOf(exchange.method, exchange.origin, exchange.target, operation);
}

/** Copies fields of an event. An absent one is `null`. */
function copy(names: readonly string[], event: CaptureEvent, exchange: Changing): void {
  const from: Readonly<Record<string, unknown>> = event;
  const to = exchange as unknown as Record<string, unknown>;
  for (const name of names) to[name] = from[name] ?? null;
}

/**
 * Adds the tag that the media type implies. The event may lack the tag: after a crash, in an imported file, or if the
 * type has an unusual spelling.
 */
function taggedAs(contentType: string | null, tags: readonly Tag[]): readonly Tag[] {
  const tag = streamTagOf(contentType);
  return tag === null ? tags : withTag(tags, tag);
}

function withTag(tags: readonly Tag[], tag: Tag): readonly Tag[] {
  return tags.includes(tag) ? tags : [...tags, tag];
}

/** Whether storage keeps the whole head. The head comes from a peer, or from storage. */
function isStoredWhole(head: string): boolean {
  return head.length <= STORED_HEAD && !isCutHead(head);
}

function isPlain(contentEncoding: string | null): boolean {
  return contentEncoding === null || contentEncoding === "identity";
}

/** The media type without parameters, lower-case. */
function mediaTypeOf(value: string | null): string | null {
  if (value === null) return null;
  const semicolon = value.indexOf(";");
  return lowerCaseOf((semicolon < 0 ? value : value.slice(0, semicolon)).trimEnd());
}

function lowerCaseOf(value: string | null): string | null {
  return value === null || value === "" || value.length > MEDIA_TYPE_LENGTH ? null : value.toLowerCase();
}

/**
 * A value for each exchange in flight. An array holds the values, and a Map only their indexes. A Map with the values
 * would keep ended exchanges in memory: when a Map grows, V8 keeps its old table until the next full collection
 * (docs/measurements.md).
 */
export class InFlight<Value extends object> {
  readonly #indexes = new Map<ExchangeId, number>();
  readonly #values: (Value | null)[] = [];
  readonly #free: number[] = [];

  constructor(known: Iterable<readonly [ExchangeId, Value]> = []) {
    for (const [id, value] of known) this.set(id, value);
  }

  get size(): number {
    return this.#indexes.size;
  }

  /** Returns `null` if the exchange has not begun or has ended. */
  get(id: ExchangeId): Value | null {
    const index = this.#indexes.get(id);
    return index === undefined ? null : (this.#values[index] ?? null);
  }

  set(id: ExchangeId, value: Value): void {
    const index = this.#indexes.get(id) ?? this.#free.pop() ?? this.#values.length;
    this.#indexes.set(id, index);
    this.#values[index] = value;
  }

  delete(id: ExchangeId): void {
    const index = this.#indexes.get(id);
    if (index === undefined) return;
    this.#indexes.delete(id);
    this.#values[index] = null;
    this.#free.push(index);
  }

  /** The values, in no particular order. */
  *values(): Generator<Value> {
    for (const value of this.#values) if (value !== null) yield value;
  }
}
