import { phasesOf } from "../../../model/phases.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { addTo, groupedBy } from "../../grouped.ts";
import { atOrigin, type Context, draftOf, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { smallestOf, sumOf } from "../numbers.ts";
import { responseField, setUpSpanOf } from "../request.ts";
import { addedWaiting, savedWaiting } from "../saved-waiting.ts";
import { clientOf, counted, inMs } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";
import { lengthOf, type Span } from "../waiting.ts";

/** docs/specification.md, new-connections. */
const LEAST_REQUESTS = 5;
const LEAST_SHARE = 0.8;

/** The longest pause after which a connection should still be open. */
const KEPT_UP_TO: Milliseconds = 120_000;

/** How many earlier requests are examined to find out whether a connection could have been free (`hadOneFree`). */
const LOOKED_BACK = 50;

/**
 * RFC 9110, 15.2.2. Requests with this status are left out, since their connection changes the protocol and cannot be
 * reused.
 */
const SWITCHING_PROTOCOLS = 101;

const CLIENTS_ADVICE =
  "Let the client keep its connections open: use one shared client object or session, with keep-alive on.";

/** A client's requests to one origin. */
interface Use {
  readonly client: string;
  readonly origin: string;
  readonly requests: readonly Request[];
  readonly opened: number;
  /** Whether only the client opened connections, and Weir reused its own to the server. */
  readonly isHidden: boolean;
  /** The requests that opened a connection although an earlier connection could have been free. */
  readonly avoidable: readonly Request[];
  /**
   * Whether the client is the cause: no response closes its connection, and the client opened about as many connections
   * to Weir as it sent requests. If its connections are unknown, as in a HAR file, only the responses count.
   */
  readonly isClients: boolean;
}

/** Connections that are set up again and again, because the client or the server does not keep them open. */
export function newConnections({ traffic, found }: Context): readonly Draft[] {
  const uses: Use[] = [];
  for (const own of traffic.routes.values()) {
    const requests = own.filter(({ status }) => status !== SWITCHING_PROTOCOLS);
    const use = useOf(requests) ?? hiddenUseOf(requests);
    if (use !== null) uses.push(use);
  }
  const byCause = groupedBy(uses, ({ client, origin, isClients, isHidden }) =>
    isClients ? `client ${client} ${isHidden}` : `server ${origin}`,
  );
  const slow = slowPhases(found);
  return [...byCause.values()].flatMap((own) =>
    own.every(({ isHidden }) => isHidden) ? (hiddenDraft(own, traffic) ?? []) : (draftFor(own, slow, traffic) ?? []),
  );
}

function useOf(requests: readonly Request[]): Use | null {
  if (requests.length < LEAST_REQUESTS) return null;
  let [carried, opened] = [0, 0];
  for (const { facts } of requests) {
    if (facts.exchange.reused !== null) carried += 1;
    if (facts.exchange.reused === false) opened += 1;
  }
  if (opened < LEAST_SHARE * carried || opened < LEAST_REQUESTS) return null;
  const fresh = requests.filter(isOnNewConnection);
  return fresh.length < LEAST_SHARE * carried ? null : useBy(fresh, requests, false);
}

/** A client that opens a connection to Weir for nearly every request, while Weir reuses its own to the server. */
function hiddenUseOf(requests: readonly Request[]): Use | null {
  const known = new Set<number>();
  const fresh = requests.filter(({ facts: { exchange } }) => {
    const isNew = exchange.clientConnection !== null && !known.has(exchange.clientConnection);
    if (isNew) known.add(exchange.clientConnection as number);
    return isNew;
  });
  const isMost = fresh.length >= LEAST_SHARE * requests.length && fresh.length >= LEAST_REQUESTS;
  return isMost && !requests.some(refusesReuse) ? useBy(fresh, requests, true) : null;
}

/** `fresh`: the requests that opened a connection. `null` if too few of them could have used an earlier one. */
function useBy(fresh: readonly Request[], requests: readonly Request[], isHidden: boolean): Use | null {
  const [first] = requests;
  const avoidable = avoidableIn(fresh, requests);
  const isEnough = avoidable.length >= Math.max(LEAST_REQUESTS - 1, LEAST_SHARE * (fresh.length - 1));
  if (first === undefined || !isEnough) return null;
  const connections = new Set(requests.map(({ facts }) => facts.exchange.clientConnection));
  const isClients = connections.has(null) || connections.size >= LEAST_SHARE * requests.length;
  return {
    client: first.client,
    origin: first.origin,
    requests,
    opened: fresh.length,
    isHidden,
    avoidable,
    isClients: isHidden || (isClients && !requests.some(refusesReuse)),
  };
}

/** The requests on a new connection that could have used an earlier one. */
function avoidableIn(fresh: readonly Request[], requests: readonly Request[]): readonly Request[] {
  const indexes = new Map(requests.map((request, index) => [request, index]));
  return fresh.filter((request, before) => {
    const index = indexes.get(request) ?? 0;
    return hadOneFree(request, before, requests.slice(Math.max(0, index - LOOKED_BACK), index));
  });
}

/**
 * Whether the request set up a connection. Set-ups of 0 ms do not count, since Firefox writes them into HAR files for
 * requests on open connections.
 */
function isOnNewConnection(request: Request): boolean {
  const { start, end } = setUpSpanOf(request);
  return request.facts.exchange.reused === false && end > start;
}

/**
 * Whether a connection could have been free: an earlier request had ended shortly before, and fewer requests were
 * running than connections had been `opened`.
 */
function hadOneFree({ start }: Request, opened: number, earlier: readonly Request[]): boolean {
  const running = earlier.filter(({ end }) => end > start).length;
  return running < opened && earlier.some(({ end }) => end <= start && start - end <= KEPT_UP_TO);
}

/** Whether the response says that its connection closes (RFC 9112, 9.3 and 9.6). */
function refusesReuse(request: Request): boolean {
  if (/\bclose\b/i.test(responseField(request, "connection") ?? "")) return true;
  return (
    request.facts.exchange.protocol === "http/1.0" && !/keep-alive/i.test(responseField(request, "connection") ?? "")
  );
}

function draftFor(uses: readonly Use[], slow: SlowPhases, traffic: Traffic): Draft | null {
  const setUpLengthOf = (request: Request) => lengthOf(spanWithout(request, slow));
  const setUpOf = (requests: readonly Request[]) =>
    savedWaiting(traffic, new Map(requests.map((one) => [one, lengthOf(one) - setUpLengthOf(one)])));
  const dearest = uses.toSorted((left, right) => setUpOf(right.avoidable) - setUpOf(left.avoidable));
  const [first] = dearest;
  if (first === undefined) return null;
  const avoidable = uses.flatMap((use) => use.avoidable);
  const total = sumOf(uses, (use) => use.requests.length);
  const opened = sumOf(uses, (use) => use.opened);
  const time = setUpOf(avoidable);
  const clients = new Set(uses.map(({ client }) => client));
  const closed = uses.flatMap(({ requests }) => requests).filter(refusesReuse).length;
  const subject = first.isClients ? `${clientOf(first.client)} opened` : `${first.origin} needed`;
  return draftOf({
    kind: "new-connections",
    scope: atOrigin(first.origin, clients.size === 1 ? first.client : null),
    time,
    confidence: "certain",
    telling: avoidable.toSorted((left, right) => setUpLengthOf(right) - setUpLengthOf(left)),
    summary: `${subject} ${counted(opened, "new connection")} for ${counted(total, "request")}; the set-up of ${counted(avoidable.length, "avoidable connection")} took ${inMs(time)}.`,
    advice: first.isClients
      ? CLIENTS_ADVICE
      : "Let the server keep connections open (keep-alive, no Connection: close) for longer than clients pause between requests.",
    evidence: figures({
      "new connections": `${opened} for ${counted(total, "request")}`,
      "avoidable connections": avoidable.length,
      "mean set-up time of an avoidable connection": inMs(time / Math.max(1, avoidable.length)),
      "responses with Connection: close": closed,
      origins: [...new Set(uses.map(({ origin }) => origin))].slice(0, 5).join(", "),
    }),
    basis:
      "The DNS, Connect and TLS time of connections opened while an earlier connection to the same origin may have been free, without what overlaps other requests of the client.",
  });
}

/**
 * The finding about set-ups that the client does not wait for while Weir is between it and the server. `null` if no
 * set-up of a connection to these servers was measured.
 */
function hiddenDraft(uses: readonly Use[], traffic: Traffic): Draft | null {
  const usual = new Map(uses.map(({ origin }) => [origin, usualSetUpOf(origin, traffic)]));
  const avoidable = uses.flatMap((use) => use.avoidable);
  const setUpOf = ({ origin }: Request) => usual.get(origin)?.length ?? 0;
  const isUpTo = uses.some(({ origin }) => usual.get(origin)?.isUpTo === true);
  const time = addedWaiting(traffic, new Map(avoidable.map((one) => [one, lengthOf(one) + setUpOf(one)])));
  const [first] = uses.toSorted((left, right) => right.avoidable.length - left.avoidable.length);
  if (first === undefined || time === 0) return null;
  const requests = uses.flatMap((use) => use.requests);
  const opened = sumOf(uses, (use) => use.opened);
  const isShared = requests.some(
    ({ facts: { exchange } }) => exchange.stream !== null && exchange.clientStream === null,
  );
  return draftOf({
    kind: "new-connections",
    scope: atOrigin(first.origin, first.client),
    time,
    confidence: "likely",
    telling: avoidable,
    summary: `${clientOf(first.client)} opened ${counted(opened, "new connection")} for ${counted(requests.length, "request")}. Weir hides the cost: without Weir, ${counted(avoidable.length, "avoidable connection")} would take ${isUpTo ? "up to" : "about"} ${inMs(time)} to set up.`,
    advice: CLIENTS_ADVICE,
    evidence: figures({
      "new connections": `${opened} for ${counted(requests.length, "request")}`,
      "avoidable connections": avoidable.length,
      "median time of Weir's own set-up": inMs(medianOf(avoidable.map(setUpOf))),
      "Weir's connections to the server": isShared ? "kept open, HTTP/2" : "kept open",
      origins: [...new Set(uses.map(({ origin }) => origin))].slice(0, 5).join(", "),
    }),
    basis: `${isUpTo ? "Up to: an" : "An"} estimate without Weir: the ${isUpTo ? "" : "median "}TCP and TLS time of Weir's connections to the server, for each connection opened while an earlier one may have been free. Work that the client itself adds to each set-up is not included.`,
  });
}

/** What setting up a connection to a server usually takes. */
interface SetUp {
  readonly length: Milliseconds;
  /** Whether the length is only an upper bound. */
  readonly isUpTo: boolean;
}

/** From this number on, one set-up that took long by chance does not decide. */
const ENOUGH_SETUPS = 3;

/** The median TCP and TLS time of the connections to an origin; `null` if none was measured. */
function usualSetUpOf(origin: string, { requests }: Traffic): SetUp | null {
  const own = requests.filter((request) => request.origin === origin);
  const quickest = smallestOf(own.flatMap(({ server }) => server ?? []));
  const lengths = own.flatMap(({ uncertainty, facts: { exchange } }) => {
    const { connectStart, connectEnd } = exchange.instants;
    if (exchange.reused !== false || connectStart === null || connectEnd === null) return [];
    const length = connectEnd - connectStart;
    // TCP and a full TLS handshake take three round trips at most (RFC 5246, 7.3), a response at least one.
    return [Math.max(length - uncertainty, Math.min(length, 3 * quickest))];
  });
  return lengths.length === 0 ? null : { length: medianOf(lengths), isUpTo: lengths.length < ENOUGH_SETUPS };
}

/** For each request, the set-up phases that a `slow-connection-setup` finding reports. */
type SlowPhases = ReadonlyMap<ExchangeId, readonly SetUpPhase[]>;
type SetUpPhase = "dns" | "connect" | "tls";

/** Slow phases that take at least this many times as long as the rest of the set-up are a cause of their own. */
const OUT_OF_PROPORTION = 3;

function slowPhases(found: readonly Draft[]): SlowPhases {
  const slow = new Map<ExchangeId, SetUpPhase[]>();
  for (const { kind, attribute, covers } of found)
    if (kind === "slow-connection-setup" && attribute !== null)
      for (const id of covers) addTo(slow, id, attribute.value as SetUpPhase);
  return slow;
}

/**
 * The span of the connection's set-up. If the slow phases are `OUT_OF_PROPORTION`, they are left out, since another
 * finding reports them.
 */
function spanWithout(request: Request, slow: SlowPhases): Span {
  const span = setUpSpanOf(request);
  const phases = phasesOf(request.facts.exchange.instants);
  const length = sumOf(slow.get(request.id) ?? [], (phase) => phases[phase] ?? 0);
  const rest = span.end - span.start - length;
  return length >= OUT_OF_PROPORTION * rest ? { ...span, end: span.start + Math.max(0, rest) } : span;
}
