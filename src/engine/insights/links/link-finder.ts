import { endpointKeyOf } from "../../model/endpoint.ts";
import { evictOldest } from "../../model/evict-oldest.ts";
import { isLasting, statusOf } from "../../model/exchange.ts";
import type { Link } from "../../model/link.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { fieldIn } from "../facts/field-values.ts";
import { Heap } from "../heap.ts";
import { readyOf } from "../interval.ts";
import { givenValuesOf } from "./given-values.ts";
import { InitiatorLinks } from "./initiator-links.ts";
import { KnownValues, SentValues } from "./known-values.ts";
import type { Dependency, LinkProver } from "./link-prover.ts";
import { type ExchangeValues, type LinkableExchange, scopesOf } from "./linkable-exchange.ts";
import { filesIn, namedUrlsOf, ownScriptsOf } from "./named-urls.ts";
import { OrderLinks } from "./order-links.ts";
import { ProtocolLinks } from "./protocol-links.ts";
import { ReferredLoads } from "./referred-loads.ts";
import { normalizedUrl } from "./resolved-url.ts";
import { TraceLinks } from "./trace-links.ts";
import { usedValuesOf } from "./used-values.ts";
import { ValueLinks } from "./value-links.ts";

/**
 * The links of a session, sorted by the later exchange. `refuted`: order links that were dropped, since requests to
 * their two endpoints also ran at the same time.
 */
export interface FoundLinks {
  readonly links: readonly Link[];
  readonly refuted: readonly Link[];
  /** Order links to requests that also have a proven link. */
  readonly orders: readonly Link[];
  /** By exchange, the earlier responses that named its URL, the latest at the end. */
  readonly named: ReadonlyMap<ExchangeId, readonly ExchangeId[]>;
  /** The long polls: exchanges whose response a server held back until there was news. */
  readonly longPolls: ReadonlySet<ExchangeId>;
}

/**
 * The decoded texts of an exchange; "" for a body that is not text. `initiators`: the URLs that caused the exchange
 * according to its HAR file.
 */
export interface Texts {
  readonly requestText: string;
  readonly responseText: string;
  readonly initiators: readonly string[];
}

/**
 * Finds which exchanges waited for which, in one pass over time. Exchanges must be added by start. The texts of an
 * exchange are kept only until the exchange ends.
 */
export class LinkFinder {
  readonly #sent = new SentValues();
  readonly #provers: readonly LinkProver[];
  readonly #order: OrderLinks;
  readonly #namers = new UrlNamers();
  readonly #named = new Map<ExchangeId, readonly ExchangeId[]>();
  readonly #due = new Heap<Due>(
    (left, right) => left.at < right.at || (left.at === right.at && left.turn < right.turn),
  );
  /** The ids by `index`. */
  readonly #ids: ExchangeId[] = [];
  readonly #starts: Instant[] = [];
  readonly #ends: Instant[] = [];
  readonly #found: { readonly to: number; readonly basis: LinkProver["basis"]; readonly dependency: Dependency }[] = [];
  readonly #loads = new ReferredLoads((load) => {
    for (const prover of this.#provers) prover.evicted?.(load);
  });
  readonly #stored = new StoredResponses();
  readonly #clients = new Numbers();
  readonly #endpoints = new Numbers();
  readonly #endpointNumbers = new Map<ExchangeFacts["endpoint"], number>();
  #turn = 0;

  /**
   * `window`: how long after a response a request may start and still get an order link (docs/specification.md; a
   * setting).
   */
  constructor(window: Milliseconds) {
    this.#provers = proversOf(this.#sent, window);
    this.#order = new OrderLinks(window);
  }

  add(facts: ExchangeFacts, texts: Texts): void {
    const linkable = this.#linkableOf(facts, texts);
    this.#ids.push(facts.exchange.id);
    this.#starts.push(linkable.start);
    this.#ends.push(linkable.end);
    this.#advance(linkable.start);
    for (const prover of this.#provers) {
      for (const dependency of prover.dependencies(linkable))
        this.#found.push({ to: linkable.index, basis: prover.basis, dependency });
    }
    const namers = this.#namers.of(linkable);
    if (namers.length > 0) this.#named.set(facts.exchange.id, namers);
    for (const scope of scopesOf(linkable))
      for (const value of linkable.values.used.keys()) this.#sent.add(scope, value);
    this.#order.started(linkable);
    if (linkable.firstByte !== null) this.#push(linkable.firstByte, linkable, false);
    this.#push(linkable.ready, linkable, true);
  }

  /**
   * The links of all exchanges added so far; more may be added later. `longPolls`: exchanges that get no order link,
   * since a server held them back until there was news. `until`: all exchanges that are added later start at this
   * instant or after it.
   */
  links(longPolls: ReadonlySet<ExchangeId>, until: number = Number.POSITIVE_INFINITY): FoundLinks {
    this.#advance(until);
    const proven = this.#proven();
    const waits = new Set<ExchangeId>();
    for (const { basis, to } of proven) if (basis !== "trace") waits.add(to);
    const { links, refuted } = this.#order.links(longPolls);
    const free = ({ to }: Link) => !waits.has(to);
    const all = [...proven, ...links.filter(free)];
    all.sort((one, other) => one.to - other.to || one.from - other.from);
    const orders = links.filter(({ to }) => waits.has(to));
    return { links: all, refuted: refuted.filter(free), orders, named: this.#named, longPolls };
  }

  /** The proven links. For each pair of exchanges, only the link with the most trusted basis. */
  #proven(): readonly Link[] {
    const links = new Map<string, Link>();
    for (const { to, basis, dependency } of this.#found) {
      const { from, evidence, holds } = dependency;
      const key = `${from} ${to}`;
      if (links.has(key) || !(holds?.() ?? true)) continue;
      const gap = (this.#starts[to] as Instant) - (this.#ends[from] as Instant);
      links.set(key, { from: this.#idOf(from), to: this.#idOf(to), kind: "proven", basis, gap, evidence });
    }
    return [...links.values()];
  }

  #answer(linkable: LinkableExchange): void {
    for (const prover of this.#provers) prover.answer(linkable);
    this.#namers.add(linkable);
  }

  #end(linkable: LinkableExchange): void {
    for (const prover of this.#provers) prover.ended(linkable);
    this.#order.ended(linkable);
    linkable.values = NO_VALUES;
  }

  #push(at: number, linkable: LinkableExchange, isEnd: boolean): void {
    this.#turn += 1;
    this.#due.push({ at, turn: this.#turn, linkable, isEnd });
  }

  #advance(until: number): void {
    for (let due = this.#due.top; due !== null && due.at <= until; due = this.#due.top) {
      this.#due.pop();
      if (due.isEnd) this.#end(due.linkable);
      else this.#answer(due.linkable);
    }
  }

  #linkableOf(facts: ExchangeFacts, { requestText, responseText, initiators }: Texts): LinkableExchange {
    const { client, origin, target, instants, tags, outcome } = facts.exchange;
    const url = normalizedUrl(origin + target);
    const number = this.#clients.of(client);
    const told = this.#stored.readBy(number, url, facts, {
      given: givenValuesOf(facts, responseText),
      named: namedUrlsOf(facts, url, responseText),
      files: filesIn(facts, responseText),
      ownScripts: ownScriptsOf(facts, responseText),
      contentType: facts.exchange.contentType ?? "",
      isRead: responseText !== "",
    });
    const { contentType, isRead } = told;
    const load = this.#loads.loadOf({ facts, client: number, url, contentType, isRead });
    const start = instants.startTime;
    const end = endOf(facts);
    const ready = readyOf({ start, end });
    const { responseStart } = instants;
    return {
      index: this.#ids.length,
      facts,
      client: number,
      load,
      scope: load?.scope ?? number,
      endpoint: this.#endpointNumberOf(facts.endpoint),
      url,
      contentType,
      start,
      firstByte: responseStart === null ? null : (Math.min(responseStart, ready) as Instant),
      end,
      ready,
      lasts: isLasting(tags, statusOf(outcome)),
      values: {
        used: usedValuesOf(facts, requestText),
        given: told.given,
        named: told.named,
        files: told.files,
        ownScripts: told.ownScripts,
        initiators,
      },
    };
  }

  /** An endpoint may occur as several equal objects. */
  #endpointNumberOf(endpoint: ExchangeFacts["endpoint"]): number {
    let number = this.#endpointNumbers.get(endpoint);
    if (number === undefined) {
      number = this.#endpoints.of(endpointKeyOf(endpoint));
      this.#endpointNumbers.set(endpoint, number);
    }
    return number;
  }

  #idOf(index: number): ExchangeId {
    return this.#ids[index] as ExchangeId;
  }
}

/** One prover for each basis that can prove a link, the most trusted first. */
function proversOf(sent: SentValues, window: Milliseconds): readonly LinkProver[] {
  return [
    new ProtocolLinks(),
    new InitiatorLinks(new KnownValues(sent, window)),
    new TraceLinks(),
    new ValueLinks(new KnownValues(sent, window)),
  ];
}

const NO_VALUES: ExchangeValues = Object.freeze({
  used: new Map(),
  given: [],
  named: [],
  files: [],
  ownScripts: "none",
  initiators: [],
});

/** The first byte or the end of a response, in the future. */
interface Due {
  readonly at: number;
  readonly turn: number;
  readonly linkable: LinkableExchange;
  readonly isEnd: boolean;
}

/** Assigns each text a number, counting from 0. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

function endOf({ exchange: { instants, endTime } }: ExchangeFacts): Instant {
  return instants.responseEnd ?? endTime ?? instants.startTime;
}

/** The most responses remembered, and the most values and URLs of one. */
const MOST_RESPONSES = 5_000;
const MOST_OF_ONE = 500;

/** What a response told its client. */
interface ResponseValues extends Pick<ExchangeValues, "given" | "named" | "files" | "ownScripts"> {
  readonly contentType: string;
  /** Whether the response's text is known. */
  readonly isRead: boolean;
}

/** Remembers what responses told, since a client reads its stored response again after a 304 (RFC 9111, 4.3.4). */
class StoredResponses {
  readonly #stored = new Map<string, ResponseValues>();

  /** What the client reads after this response: `own`, or for a 304 what its stored response told. */
  readBy(
    client: number,
    url: string,
    { exchange, responseFields }: ExchangeFacts,
    own: ResponseValues,
  ): ResponseValues {
    const status = statusOf(exchange.outcome);
    const isKept = fieldIn(responseFields, "etag") !== null || fieldIn(responseFields, "last-modified") !== null;
    if (this.#stored.size === 0 && !isKept) return own;
    const key = `${client} ${url}`;
    if (status === 304) return this.#stored.get(key) ?? own;
    if (status !== 200 || exchange.method !== "GET") return own;
    this.#stored.delete(key);
    if (isKept && own.given.length + own.named.length + own.files.length <= MOST_OF_ONE) this.#stored.set(key, own);
    evictOldest(this.#stored, MOST_RESPONSES);
    return own;
  }
}

/**
 * The most URLs remembered (`MOST_URLS`), and the most responses remembered for one URL, the latest ones
 * (`MOST_NAMERS`).
 */
const MOST_URLS = 100_000;
const MOST_NAMERS = 8;

/** The responses that named a URL, whether or not they caused the request for it. */
class UrlNamers {
  /** The responses by client and URL. */
  readonly #namers = new Map<string, readonly ExchangeId[]>();

  /** Adds the URLs that a response names. Call it at the response's first byte. */
  add({ client, values, facts }: LinkableExchange): void {
    for (const { url } of values.named) {
      const key = `${client} ${url}`;
      const namers = this.#namers.get(key) ?? [];
      this.#namers.delete(key);
      this.#namers.set(key, [...namers.slice(1 - MOST_NAMERS), facts.exchange.id]);
      evictOldest(this.#namers, MOST_URLS);
    }
  }

  /** The responses to the same client that have named the request's URL so far, the latest at the end. */
  of({ client, url }: LinkableExchange): readonly ExchangeId[] {
    return (this.#namers.size === 0 ? undefined : this.#namers.get(`${client} ${url}`)) ?? [];
  }
}
