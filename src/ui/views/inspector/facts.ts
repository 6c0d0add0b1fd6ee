import type { TlsParameters } from "../../../engine/capture/event.ts";
import { queryPairsOf } from "../../../engine/insights/facts/query-pairs.ts";
import type { BodyFacts, ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { hostOf, operationIn } from "../../../engine/model/endpoint.ts";
import { errorTypeText } from "../../../engine/model/error-text.ts";
import { type ErrorType, isError, isRepair, statusOf } from "../../../engine/model/exchange.ts";
import { isThisMachine } from "../../../engine/model/host-port.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { certificateDateText, dateText } from "../../format/clock.ts";
import { compressionText } from "../../format/compression.ts";
import { exactDurationText } from "../../format/duration.ts";
import { isSafeMethod } from "../../format/method.ts";
import { repairsText } from "../../format/repairs.ts";
import { hostBeside, requestAddress } from "../../format/request-address.ts";
import type { MenuValue } from "../dependencies.ts";
import { namedTerm } from "../filter-term.ts";
import { connectionSidesOf, http3Text, NOT_KNOWN_YET } from "./connection-sides.ts";
import { cacheFactsOf, cookiesText, type NamedValue, queryFactsOf, serverTimingText } from "./head-facts.ts";
import { statusLineOf } from "./headers.ts";

interface Fact {
  readonly name: string;
  /** The value, in pieces; a line may break between pieces (in a URL: after "/", "?" and "&"). */
  readonly pieces: readonly string[];
  readonly mono: boolean;
  /** What its menu is about; `null`: it has none. */
  readonly value: MenuValue | null;
}

export interface FactGroup {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** The exchange as named in the panel's header. */
export type Subject = ReturnType<typeof subjectOf>;

/**
 * The most characters of a value that is split into pieces. A longer value is one piece, because each piece costs an
 * element.
 */
const MOST_PIECED = 2_000;

export function subjectOf({ exchange, responseHead }: ExchangeDetail) {
  return Object.freeze({
    method: exchange.method,
    filled: !isSafeMethod(exchange.method),
    path: exchange.target,
    host: hostBeside(exchange),
    status: statusText(exchange, responseHead),
    error: isError(exchange.outcome),
  });
}

function statusText({ outcome }: ExchangeDetail["exchange"], responseHead: string | null): string {
  if (outcome !== null) return outcome.status === null ? "failed" : String(outcome.status);
  const [status = ""] = statusLineOf(responseHead).split(" ", 1);
  return status === "" ? "in flight" : `${status}, in flight`;
}

export function overviewOf(detail: ExchangeDetail): readonly FactGroup[] {
  const { exchange } = detail;
  const tags = exchange.tags.filter((tag) => tag !== "http2-offered" && !isRepair(tag));
  const repairs = repairsText(exchange.tags);
  const inFlight = exchange.outcome === null;
  const unknown = inFlight ? NOT_KNOWN_YET : "none";
  const operation = operationIn(exchange.endpoint);
  const cookies = cookiesText(detail.requestHead, "cookie");
  const cookiesSet = cookiesText(detail.responseHead, "set-cookie");
  const serverTiming = serverTimingText(detail.responseHead);
  const http3 = http3Text(detail);
  return Object.freeze([
    group("Request", [
      fact("Address", requestAddress(exchange), true),
      fact("Method", exchange.method),
      operation === null ? null : fact("Operation", operation),
      fact("Client", exchange.client),
      fact("Program", programText(exchange)),
      fact("Body", inFlight ? soFarText(detail.requestBody) : bodyText(detail.requestBody, null)),
      cookies === null ? null : fact("Cookies", cookies),
      tags.length > 0 ? fact("Tags", tags.join(", ")) : null,
    ]),
    group("Response", [
      fact("Status", outcomeText(detail)),
      ...failureFacts(exchange.outcome),
      repairs === "" ? null : fact("Repaired", repairs),
      fact("Type", exchange.contentType ?? "not given"),
      fact("Body", inFlight ? soFarText(detail.responseBody) : bodyText(detail.responseBody, exchange.decodedBodySize)),
      cookiesSet === null ? null : fact("Cookies set", cookiesSet),
      detail.oversized ? fact("Oversized", "far larger than this endpoint's other responses") : null,
    ]),
    group("Time", [
      fact("Started", dateText(exchange.instants.startTime)),
      fact("Latency", detail.latency === null ? unknown : `${exactDurationText(detail.latency)} ms`),
      serverTiming === null ? null : fact("Server-Timing", serverTiming),
      detail.unit === null ? null : fact("Experiment", `unit ${detail.unit}, in no statistic`),
      detail.failedAfter === null ? null : fact("Failed after", `${exactDurationText(detail.failedAfter)} ms`),
      detail.phases.weir === null ? null : fact("Weir’s own time", `${exactDurationText(detail.phases.weir)} ms`),
    ]),
    group("Protocol", [
      ...connectionSidesOf(detail).map(([name, value]) => fact(name, value)),
      detail.server === null ? null : fact("Server", detail.server.address, true),
      http3 === null ? null : fact("HTTP/3", http3),
    ]),
    ...queryGroupsOf(exchange.target),
    ...groupOf("Caching", cacheFactsOf(detail.requestHead, detail.responseHead)),
  ]);
}

/** The query's parameters; the menu of each is about its whole value. */
function queryGroupsOf(target: string): readonly FactGroup[] {
  const pairs = queryPairsOf(target);
  const facts = queryFactsOf(target).map(([name, shown], index) => {
    const [whole, value] = pairs[index] ?? [name, shown];
    // The last fact may stand for the parameters that are left out.
    if (name === "…" && index < pairs.length) return fact(name, shown);
    const term = namedTerm("q", whole, value);
    return { ...fact(name, shown), value: { term, text: value, line: `${whole}=${value}` } };
  });
  return facts.length === 0 ? [] : [group("Query", facts)];
}

function groupOf(title: string, values: readonly NamedValue[]): readonly FactGroup[] {
  const facts = values.map(([name, value]) => fact(name, value));
  return facts.length === 0 ? [] : [group(title, facts)];
}

function failureFacts(outcome: ExchangeDetail["exchange"]["outcome"]): readonly Fact[] {
  if (outcome?.kind !== "failed") return [];
  const why = errorTypeText(outcome.errorType);
  // A detail that only repeats the reason is omitted.
  return [fact("Why", why), ...(outcome.detail === `${why}.` ? [] : [fact("Detail", outcome.detail)])];
}

/** The client's program. The system names only programs on this computer, and only while they are connected. */
function programText({ program, client, clientConnection }: ExchangeDetail["exchange"]): string {
  if (program !== null) return program;
  const address = client.split(" ", 1)[0] ?? "";
  if (clientConnection === null || address === "unknown") return "unknown";
  return isThisMachine(address)
    ? "unknown: the system does not name the program, or the program had exited"
    : "unknown: the program runs on another computer";
}

/**
 * A hint about a connection. `host`: the host that the user could let pass through; `unverified`: the host whose
 * certificate the user could accept; `null`: none.
 */
export interface Note {
  readonly text: string;
  readonly host: string | null;
  readonly unverified: string | null;
}

/** The hint about the exchange's connection; `null` if there is none. */
export function noteOf({ exchange }: ExchangeDetail): Note | null {
  const { tags, outcome, origin } = exchange;
  const host = hostOf(origin)
    .replace(/:\d*$/, "")
    .replace(/^\[|\]$/g, "");
  if (tags.includes("not-http")) return Object.freeze({ text: NOT_HTTP, host, unverified: null });
  if (tags.includes("no-request")) return Object.freeze({ text: NO_REQUEST, host: null, unverified: null });
  if (outcome?.kind !== "failed") return null;
  if (UNTRUSTED.includes(outcome.errorType)) return Object.freeze({ text: NOT_TRUSTED, host: null, unverified: host });
  return PASSABLE.includes(outcome.errorType) ? Object.freeze({ text: PASS_THROUGH, host, unverified: null }) : null;
}

const NOT_HTTP = "This is not HTTP, so Weir cannot read it.";
const NO_REQUEST =
  "The client closed the connection after it received Weir's certificate, and sent no request. Browsers do so with spare connections. Node.js, its gRPC clients, Bun and wget also do so when they do not trust the certificate.";
const PASS_THROUGH = "This host passes through: Weir does not decrypt its TLS.";

const NOT_TRUSTED =
  "If you have the certificate of its issuer, add that file: this host is then verified by it, too (--upstream-ca FILE adds one for all hosts). Without verification, others can read and change this traffic.";

/** Failures that an accepted certificate ends. */
const UNTRUSTED: readonly ErrorType[] = ["tls-untrusted", "tls-expired", "tls-not-yet-valid", "tls-wrong-host"];

/** TLS failures that Weir no longer causes once the host passes through. */
const PASSABLE: readonly ErrorType[] = ["client-rejected-certificate", "client-tls-failed", "tls-renegotiation"];

/** Facts about TLS on both sides; empty if there is none on either. */
export function tlsOf({ clientTls, server }: ExchangeDetail): readonly FactGroup[] {
  const tls = server?.tls ?? null;
  const resumed = "resumed: certificates were verified on an earlier connection";
  return Object.freeze([
    ...(clientTls === null ? [] : [connectionGroup("Connection from the client", clientTls, "resumed")]),
    ...(tls === null ? [] : [connectionGroup("Connection to the server", tls, resumed)]),
    ...(tls?.certificates ?? []).map((certificate, index) =>
      group(index === 0 ? "Server's certificate" : `Issuer ${index}`, [
        fact("Subject", certificate.subject),
        fact("Issuer", certificate.issuer),
        certificate.names === "" ? null : fact("Names", certificate.names),
        fact("Valid", `${certificateDateText(certificate.validFrom)} to ${certificateDateText(certificate.validTo)}`),
        fact("SHA-256", certificate.fingerprint, true),
      ]),
    ),
  ]);
}

function connectionGroup(title: string, tls: TlsParameters, resumed: string): FactGroup {
  return group(title, [
    fact("Version", tls.version),
    fact("Cipher", tls.cipher),
    fact("ALPN", tls.alpn ?? "none agreed"),
    fact("Session", tls.resumed ? resumed : "new"),
  ]);
}

/** A body on one line: "JSON, gzip, 418 B from 742 B". `isStoredDecoded`: as in stored-body.ts. */
export function bodySummaryOf(facts: BodyFacts, decoded: number | null, isStoredDecoded: boolean): string {
  const type = facts.contentType?.split(";", 1)[0] ?? "no type given";
  const name = /[/+]json$/.test(type) ? "JSON" : type;
  const parts = [name];
  if (facts.contentEncoding !== null) parts.push(facts.contentEncoding);
  const size = decoded === null || decoded === facts.size ? "" : ` from ${bytesPhrase(decoded)}`;
  parts.push(`${bytesPhrase(facts.size)}${size}`);
  const whole = isStoredDecoded ? (decoded ?? facts.size) : facts.size;
  if (facts.kept < whole) parts.push(`only ${bytesPhrase(facts.kept)} kept`);
  return parts.join(", ");
}

/** How much of a body is stored while its exchange is in flight. */
function soFarText({ kept }: BodyFacts): string {
  return kept === 0 ? "none so far" : `${bytesPhrase(kept)} so far`;
}

function bodyText(facts: BodyFacts, decoded: number | null): string {
  if (facts.size === 0) return "none";
  const compressed = facts.contentEncoding !== null && facts.contentEncoding !== "identity" && decoded !== null;
  if (!compressed || decoded === 0) return bytesPhrase(facts.size);
  const ratio = compressionText(decoded / facts.size);
  return `${bytesPhrase(facts.size)} from ${bytesPhrase(decoded)}, ${facts.contentEncoding}: ${ratio}`;
}

function outcomeText({ exchange, responseHead }: ExchangeDetail): string {
  const line = statusLineOf(responseHead);
  if (line !== "") return line;
  const status = statusOf(exchange.outcome);
  if (status !== null) return `${status}, answered by Weir`;
  return exchange.outcome === null ? "in flight" : "none";
}

function fact(name: string, value: string, mono = false): Fact {
  const pieces = mono && value.length <= MOST_PIECED ? value.split(/(?<=[/?&])(?!\/)/) : [value];
  return Object.freeze({ name, pieces: Object.freeze(pieces), mono, value: null });
}

function group(title: string, facts: readonly (Fact | null)[]): FactGroup {
  return Object.freeze({ title, facts: Object.freeze(facts.filter((each) => each !== null)) });
}
