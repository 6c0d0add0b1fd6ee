import type { MessageCaptured, PageDescribed } from "../capture/event.ts";
import type { Annotation } from "../model/annotation.ts";
import { type Exchange, protocolName, UNKNOWN_PROTOCOL } from "../model/exchange.ts";
import { fieldsOf, type HeaderField, headLossOf, isCutHead, reasonOf, statusIn } from "../model/head.ts";
import type { Instant } from "../model/units.ts";
import { textOf } from "../quoting/utf8.ts";
import { instantOfHttpDate, isoOf } from "./date-time.ts";
import { bodyOf, contentOf, type HarBody, messageOf, type Redaction } from "./har-bodies.ts";
import { type BrowserFacts, browserFieldsOf } from "./har-fields.ts";
import { harRecordOf } from "./har-record.ts";
import { timeOf, timingsOf } from "./har-timings.ts";
import { REDACTED, redactedFields, shownText, shownUrl } from "./redaction.ts";
import { urlOf } from "./url.ts";

/*
 * HAR 1.2. Its terms are used only in the files `har*.ts`: its `connect` includes `ssl`, its `wait` begins after the
 * upload, and -1 means "does not apply".
 */

/** One exchange with its stored content. */
export interface HarSource extends BrowserFacts {
  readonly responseHead: string | null;
  /** Both bodies are decoded as far as possible. */
  readonly requestBody: HarBody;
  readonly responseBody: HarBody;
  /** The server's IP address without its port; `null` if no server was reached. */
  readonly serverAddress: string | null;
  readonly annotation: Annotation;
  /** The id of its page in `log.pages`; `null` if it belongs to none. */
  readonly pageref: string | null;
  readonly messages: Iterable<Pick<MessageCaptured, "at" | "side" | "kind" | "bytes" | "cut">>;
}

/** A page load. `id`: as in `HarSource.pageref`. */
export interface HarPage extends Pick<PageDescribed, "title" | "marks"> {
  readonly id: string;
  readonly at: Instant;
}

/** A document is `harStart`, the entries with `HAR_SEPARATOR` between them, and `harEnd`. */
export function harStart(version: string, pages: readonly HarPage[], redact: boolean): string {
  const creator = JSON.stringify({ name: "Weir", version });
  const comment = redact ? "Secrets were redacted on export." : "Secrets were not redacted on export.";
  const listed = JSON.stringify(pages.map((page) => pageOf(page, redact)));
  return `{"log":{"version":"1.2","creator":${creator},"_schema":1,"comment":${JSON.stringify(comment)},"pages":${listed},"entries":[\n`;
}

function pageOf({ id, title, at, marks }: HarPage, redact: boolean): object {
  return {
    startedDateTime: isoOf(at),
    id: shownText(id, redact),
    title: textOf(shownText(title, redact)),
    pageTimings: Object.fromEntries(marks),
  };
}

export const HAR_SEPARATOR = ",\n";

/** `leftOut`: how many bodies and messages the export left out. */
export function harEnd(leftOut: number): string {
  return `\n]${leftOut === 0 ? "" : `,"_leftOut":${leftOut}`}}}\n`;
}

/**
 * One entry as JSON text without line breaks, in pieces, since there may be many messages. Fields that begin with `_`
 * are not defined by HAR.
 */
export function* harEntry(source: HarSource, redaction: Redaction): Generator<string> {
  const entry = JSON.stringify(entryOf(source, redaction));
  if (!source.exchange.tags.includes("websocket")) return yield entry;
  yield `${entry.slice(0, -1)},"_webSocketMessages":[`;
  let separator = "";
  for (const message of source.messages) {
    yield separator + JSON.stringify(messageOf(message, source.exchange.target, redaction));
    separator = ",";
  }
  yield "]}";
}

function entryOf(source: HarSource, redaction: Redaction): object {
  const { redact } = redaction;
  const { exchange, serverAddress, annotation, pageref } = source;
  const { outcome, connection, reused, client, tags, instants } = exchange;
  const timings = timingsOf(exchange);
  return {
    ...(pageref === null ? {} : { pageref: shownText(pageref, redact) }),
    startedDateTime: isoOf(instants.startTime),
    time: timeOf(timings),
    request: requestOf(source, redaction),
    response: responseOf(source, redaction),
    cache: {},
    timings,
    ...(serverAddress === null ? {} : { serverIPAddress: serverAddress }),
    ...(connection === null ? {} : { connection: String(connection) }),
    ...harRecordOf(exchange, redact),
    ...(exchange.program === null ? {} : { _program: exchange.program }),
    ...(exchange.slowed === null ? {} : { _slowed: exchange.slowed }),
    ...(outcome?.kind === "failed" ? { _error: shownText(outcome.detail, redact), _errorType: outcome.errorType } : {}),
    ...(outcome === null ? { _inFlight: true } : {}),
    ...(annotation.comment === "" ? {} : { comment: shownText(annotation.comment, redact) }),
    ...(annotation.mark === null ? {} : { _mark: annotation.mark }),
    ...browserFieldsOf(source, redact),
    _client: shownText(client, redact),
    _reused: reused,
    _tags: tags,
  };
}

function requestOf({ exchange, requestHead, requestBody }: HarSource, redaction: Redaction): object {
  const { redact } = redaction;
  const fields = fieldsOf(requestHead);
  return {
    method: exchange.method,
    url: textOf(shownUrl(urlOf(exchange), redact)),
    httpVersion: protocolName(exchange.protocol),
    cookies: requestCookies(fields, redact),
    headers: headersOf(fields, redact),
    queryString: queryOf(shownUrl(exchange.target, redact)),
    ...bodyOf(requestBody, exchange.requestBodySize, exchange.target, headerIn(fields, "content-type"), redaction),
    headersSize: headSizeOf(requestHead),
    bodySize: exchange.requestBodySize,
    ...headCommentOf(exchange, requestHead),
  };
}

/**
 * HAR's `response`. Without a response, the fields are empty, and the status is the one that Weir sent instead, or 0.
 * While the exchange is in flight, the response has the fields received so far.
 */
function responseOf({ exchange, responseHead, responseBody }: HarSource, redaction: Redaction): object {
  const { redact } = redaction;
  const { outcome } = exchange;
  const fields = fieldsOf(responseHead ?? "");
  const version = exchange.protocol === UNKNOWN_PROTOCOL ? "" : (/^\S+/.exec(responseHead ?? "")?.[0] ?? "");
  return {
    status: (outcome === null ? statusIn(responseHead ?? "") : outcome.status) ?? 0,
    statusText: textOf(shownText(reasonOf(responseHead ?? ""), redact)),
    httpVersion: shownText(version, redact),
    cookies: responseCookies(fields, redact),
    headers: headersOf(fields, redact),
    content: contentOf(exchange, responseBody, headerIn(fields, "content-type"), redaction),
    redirectURL: textOf(shownUrl(headerIn(fields, "location") ?? "", redact)),
    headersSize: headSizeOf(responseHead),
    bodySize: responseHead === null ? -1 : exchange.encodedBodySize,
    ...headCommentOf(exchange, responseHead),
  };
}

function headCommentOf({ tags }: Exchange, head: string | null): object {
  const loss = tags.includes("malformed") ? null : headLossOf(head);
  return loss === null ? {} : { comment: loss };
}

/**
 * The size of a head in bytes; -1 if there is none, or if only a part is stored. Also -1 for HTTP/2, where heads are
 * compressed (RFC 7541), so that their size on the wire is unknown.
 */
function headSizeOf(head: string | null): number {
  return head === null || isCutHead(head) || / HTTP\/2\r\n|^HTTP\/2 /.test(head.slice(0, head.indexOf("\n") + 1))
    ? -1
    : head.length;
}

function headersOf(fields: readonly HeaderField[], redact: boolean): object[] {
  const shown = redact ? redactedFields(fields) : fields;
  return shown.map(({ name, value }) => ({ name: textOf(name), value: textOf(value) }));
}

function headerIn(fields: readonly HeaderField[], lower: string): string | null {
  return fields.find(({ name }) => name.toLowerCase() === lower)?.value ?? null;
}

function queryOf(target: string): object[] {
  const start = target.indexOf("?");
  if (start < 0 || start === target.length - 1) return [];
  return target
    .slice(start + 1)
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const name = unescaped(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? "" : unescaped(pair.slice(equals + 1));
      return { name, value };
    });
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return textOf(text);
  }
}

/** The pairs of all Cookie headers (RFC 6265, 4.2). */
function requestCookies(fields: readonly HeaderField[], redact: boolean): object[] {
  return valuesOf(fields, "cookie")
    .flatMap((value) => value.split(";"))
    .filter((pair) => pair.trim() !== "")
    .map((pair) => pairOf(pair, redact));
}

/** One cookie per Set-Cookie header, with its attributes (RFC 6265, 4.1). */
function responseCookies(fields: readonly HeaderField[], redact: boolean): object[] {
  return valuesOf(fields, "set-cookie").map((value) => {
    const [pair = "", ...attributes] = value.split(";");
    const known = new Map(
      attributes.map((attribute) => {
        const { name, value: text } = split(attribute);
        return [name.toLowerCase(), text];
      }),
    );
    const expires = instantOfHttpDate(known.get("expires") ?? "");
    return {
      ...pairOf(pair, redact),
      ...shownIn(known, "path", redact),
      ...shownIn(known, "domain", redact),
      ...(expires === null ? {} : { expires: isoOf(expires) }),
      httpOnly: known.has("httponly"),
      secure: known.has("secure"),
      ...(known.has("samesite") ? { sameSite: known.get("samesite") } : {}),
    };
  });
}

function valuesOf(fields: readonly HeaderField[], lower: string): string[] {
  return fields.flatMap(({ name, value }) => (name.toLowerCase() === lower ? [textOf(value)] : []));
}

/** An attribute of a cookie, if it has one. */
function shownIn(known: ReadonlyMap<string, string>, name: "path" | "domain", redact: boolean): object {
  const value = known.get(name);
  return value === undefined ? {} : { [name]: shownText(value, redact) };
}

/** A cookie. One without an equals sign has a value and no name (RFC 6265bis, 5.6). */
function pairOf(pair: string, redact: boolean): object {
  const isNamed = pair.includes("=");
  const { name, value } = split(isNamed ? pair : `=${pair}`);
  return { name: shownText(name, redact), value: redact ? REDACTED : value };
}

function split(pair: string): { name: string; value: string } {
  const equals = pair.indexOf("=");
  if (equals < 0) return { name: pair.trim(), value: "" };
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
}
