import type { BodyFacts, ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { isError, protocolName, statusOf } from "../../../engine/model/exchange.ts";
import { isThisMachine } from "../../../engine/model/listen-address.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { certificateDateText, dateText } from "../../format/clock.ts";
import { compressionText } from "../../format/compression.ts";
import { exactDurationText } from "../../format/duration.ts";
import { errorTypeText } from "../../format/error-type.ts";
import { isSafeMethod } from "../../format/method.ts";
import { hostBeside, requestAddress } from "../../format/request-address.ts";
import { statusLineOf } from "./headers.ts";

/** A caption and what is known. */
interface Fact {
  readonly name: string;
  /** Its value, in pieces between which a line may break: an address after "/", "?" and "&". */
  readonly pieces: readonly string[];
  readonly mono: boolean;
}

/** A group of facts under a heading. */
export interface FactGroup {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** The panel's head. */
export interface Subject {
  readonly method: string;
  readonly filled: boolean;
  readonly path: string;
  readonly host: string;
  readonly status: string;
  readonly error: boolean;
}

/** Our choice: a longer value breaks anywhere, since each piece is an element. */
const MOST_PIECED = 2_000;

/** What the engine is told of an exchange when it has ended, and not before. */
export const AT_END = "known at its end";

export function subjectOf({ exchange, responseHead }: ExchangeDetail): Subject {
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
  const tags = exchange.tags.filter((tag) => tag !== "http2-offered");
  const inFlight = exchange.outcome === null;
  const unknown = inFlight ? AT_END : "none";
  return Object.freeze([
    group("Request", [
      fact("Address", requestAddress(exchange), true),
      fact("Method", exchange.method),
      fact("Client", exchange.client),
      fact("Program", programText(exchange)),
      fact("Protocol", protocolText(exchange)),
      fact("Body", inFlight ? soFarText(detail.requestBody) : bodyText(detail.requestBody, null)),
      tags.length > 0 ? fact("Tags", tags.join(", ")) : null,
    ]),
    group("Response", [
      fact("Status", outcomeText(detail)),
      ...failureFacts(exchange.outcome),
      fact("Type", exchange.contentType ?? "not said"),
      fact("Body", inFlight ? soFarText(detail.responseBody) : bodyText(detail.responseBody, exchange.decodedBodySize)),
      detail.oversized ? fact("Oversized", "far larger than this endpoint's other responses") : null,
    ]),
    group("Time and connection", [
      fact("Started", dateText(exchange.instants.startTime)),
      fact("Latency", detail.latency === null ? unknown : `${exactDurationText(detail.latency)} ms`),
      detail.failedAfter === null ? null : fact("Failed after", `${exactDurationText(detail.failedAfter)} ms`),
      fact("Connection", inFlight ? AT_END : connectionText(exchange.reused)),
      detail.server === null ? null : fact("Server", detail.server.address, true),
      detail.overhead === null ? null : fact("Proxy overhead", `${exactDurationText(detail.overhead)} ms`),
    ]),
  ]);
}

function failureFacts(outcome: ExchangeDetail["exchange"]["outcome"]): readonly Fact[] {
  if (outcome?.kind !== "failed") return [];
  const why = errorTypeText(outcome.errorType);
  // Where the detail knows no more it is not said twice.
  return [fact("Why", why), ...(outcome.detail === `${why}.` ? [] : [fact("Detail", outcome.detail)])];
}

/** Of a client on this computer a system may tell it, while it is connected. */
function programText({ program, client, clientConnection }: ExchangeDetail["exchange"]): string {
  if (program !== null) return program;
  const address = client.split(" ", 1)[0] ?? "";
  if (clientConnection === null || address === "unknown") return "unknown";
  return isThisMachine(address) ? "unknown: the system does not tell, or it had ended" : "unknown: on another computer";
}

/** decisions.md, HTTP/2: where it is off in Weir, that is said where it changed something. */
function protocolText({ protocol, tags }: ExchangeDetail["exchange"]): string {
  const because = tags.includes("http2-offered")
    ? ", seen over HTTP/1.1 because of Weir: the client offered HTTP/2"
    : "";
  return `${protocolName(protocol)}${because}`;
}

/** What is known about the TLS to the server; `null` where there was none. */
export function tlsOf(detail: ExchangeDetail): readonly FactGroup[] | null {
  const tls = detail.server?.tls ?? null;
  if (tls === null) return null;
  return Object.freeze([
    group("Connection to the server", [
      fact("Version", tls.version),
      fact("Cipher", tls.cipher),
      fact("ALPN", tls.alpn ?? "none agreed"),
      fact("Session", tls.resumed ? "resumed: the certificates were checked on an earlier connection" : "new"),
    ]),
    ...tls.certificates.map((certificate, index) =>
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

/** "JSON, gzip, 418 B from 742 B": what a body is, in one line. */
export function bodySummaryOf(facts: BodyFacts, decoded: number | null): string {
  const type = facts.contentType?.split(";", 1)[0] ?? "no type said";
  const name = /[/+]json$/.test(type) ? "JSON" : type;
  const parts = [name];
  if (facts.contentEncoding !== null) parts.push(facts.contentEncoding);
  const size = decoded === null || decoded === facts.size ? "" : ` from ${bytesPhrase(decoded)}`;
  parts.push(`${bytesPhrase(facts.size)}${size}`);
  if (facts.kept < facts.size) parts.push(`${bytesPhrase(facts.kept)} of it kept`);
  return parts.join(", ");
}

/** Of an exchange in flight only that is told which has been kept. */
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

function connectionText(reused: boolean | null): string {
  if (reused === null) return "none was made";
  return reused ? "reused" : "new";
}

function fact(name: string, value: string, mono = false): Fact {
  const pieces = mono && value.length <= MOST_PIECED ? value.split(/(?<=[/?&])(?!\/)/) : [value];
  return Object.freeze({ name, pieces: Object.freeze(pieces), mono });
}

function group(title: string, facts: readonly (Fact | null)[]): FactGroup {
  return Object.freeze({ title, facts: Object.freeze(facts.filter((each) => each !== null)) });
}
