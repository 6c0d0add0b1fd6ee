import { ERROR_TYPES, type ErrorType, type Outcome, UNKNOWN_METHOD } from "../model/exchange.ts";
import { latin1OfText } from "../quoting/utf8.ts";
import type { JsonValue } from "./json-value.ts";

/** The server and the target of a request. */
export interface Address {
  /** As in an exchange: lower-case, without the scheme's default port. */
  readonly origin: string;
  readonly port: number;
  /** Latin1 text, as on the wire. */
  readonly target: string;
}

/**
 * The address in an http, https, ws or wss URL; `null` for other URLs. Drops fragment and user-info, which are no part
 * of a request.
 */
export function addressOf(url: string): Address | null {
  const [, scheme = "", authority = "", rest = ""] = /^(https?|wss?):\/\/([^/?#\\]+)([^#]*)/i.exec(url) ?? [];
  const secure = /^(?:https|wss)$/i.test(scheme);
  const [, host = "", digits = ""] =
    /^(\[[\da-f:.]+\]|[^\s:@[\]]+)(?::(\d{0,5}))?$/i.exec(authority.replace(/^.*@/s, "")) ?? [];
  if (host === "") return null;
  const usual = secure ? 443 : 80;
  const port = digits === "" ? usual : Number(digits);
  if (port > 65_535) return null;
  const origin = `${secure ? "https" : "http"}://${host.toLowerCase()}${port === usual ? "" : `:${port}`}`;
  return {
    origin,
    port,
    target: latin1OfText(withoutBreaks(rest.startsWith("/") ? rest : `/${rest}`)).replaceAll(" ", "%20"),
  };
}

export const LONGEST_METHOD = 64;

/**
 * The method of an entry's request; `null` if it is no token (RFC 9110, 9.1) or too long. `UNKNOWN_METHOD` if the file
 * has none, as in WebPageTest's entries whose head it could not read.
 */
export function methodIn(entry: JsonValue): string | null {
  const request = entry.at("request");
  const method = request.isNull("method") ? UNKNOWN_METHOD : (request.at("method").text ?? "");
  if (method === UNKNOWN_METHOD) return method;
  return method.length <= LONGEST_METHOD && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) ? method : null;
}

/** Status and status line of a response; `null` if no server responded. */
export function statusLineOf(response: JsonValue): { readonly status: number; readonly line: string } | null {
  const status = statusIn(response);
  const version = response.at("httpVersion").text ?? "";
  if (status === null) return null;
  return {
    status,
    line: `${versionOf(version)} ${status} ${latin1OfText(withoutBreaks(response.at("statusText").text ?? ""))}`,
  };
}

/**
 * The status; `null` if there is none, which browsers write as 0. Some tools write text, with the reason phrase after
 * the number.
 */
function statusIn(response: JsonValue): number | null {
  const written = response.at("status");
  const status = written.numeric ?? Number(/^\s*(\d{3}) /.exec(written.text ?? "")?.[1] ?? 0);
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : null;
}

/**
 * Whether the status is valid in HTTP, or states that there was no response: 0 in browsers, -1 in Playwright, -2 in
 * WebPageTest. The latter two write neither headers nor content then.
 */
export function isStatusKnown(response: JsonValue): boolean {
  const { numeric } = response.at("status");
  const isEmpty = response.at("headers").items.length === 0 && !response.at("content").at("text").text;
  return statusIn(response) !== null || numeric === 0 || ((numeric === -1 || numeric === -2) && isEmpty);
}

/** The version as in a start line. Chrome writes "h2" and "http/2.0". */
function versionOf(version: string): string {
  if (/^(?:h2|http\/2(?:\.0)?)$/i.test(version)) return "HTTP/2";
  return /^HTTP\/\d(?:\.\d)?$/.test(version) ? version : "HTTP/1.1";
}

/**
 * A head as latin1 text. Drops HTTP/2 pseudo-headers, which repeat the start line, and splits headers that Firefox and
 * Chrome joined with line breaks.
 */
export function headOf(line: string, headers: JsonValue): string {
  const lines = [line];
  for (const header of headers.items) {
    const name = latin1OfText(header.at("name").text ?? "");
    if (!/^[^\s:]+$/.test(name) || name.includes("\0")) continue;
    for (const value of (header.at("value").text ?? "").split(/\r\n|[\r\n]/))
      lines.push(`${name}: ${latin1OfText(value)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, " ");
}

/**
 * The outcome of an entry: by the error type that Weir wrote, else by the error that the exporter names, else by the
 * status. An error counts even beside a status, since a body may be cut off.
 */
export function outcomeOf(entry: JsonValue): Outcome {
  const response = entry.at("response");
  const status = statusIn(response);
  const written = entry.at("_errorType").text;
  const errorType = ERROR_TYPES.find((known) => known === written) ?? null;
  const error = entry.at("_error").text ?? response.at("_error").text ?? response.at("_failureText").text ?? "";
  const named = errorType ?? errorTypeOf(error);
  if (status !== null) {
    // Chrome names ERR_ABORTED for a navigation that ends in a 204 or in a download.
    const isNoAbort = errorType === null && named === "client-aborted" && isComplete(response, status);
    if (named === null || isNoAbort || ERROR_PAGE.test(error)) return { kind: "responded", status };
  }
  const detail = error === "" ? "The file contains no response." : error;
  // A browser writes neither a status nor an error for a request that it cancelled.
  return { kind: "failed", errorType: named ?? (error === "" ? "client-aborted" : "network-failed"), detail, status };
}

/** Whether the response has no body by its status (RFC 9110, 6.4.1), or all bytes of its Content-Length. */
function isComplete(response: JsonValue, status: number): boolean {
  if (BODILESS.has(status)) return true;
  const field = response.at("headers").items.find((one) => one.at("name").text?.toLowerCase() === "content-length");
  const length = field?.at("value").numeric ?? null;
  return (
    length !== null &&
    [response.at("bodySize"), response.at("content").at("size")].some((size) => size.numeric === length)
  );
}

/** Firefox's names for a response whose status is an error (ErrorList.py). */
const ERROR_PAGE = /NS_ERROR_NET_(?:ERROR|EMPTY)_RESPONSE/;

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The error type for an exporter's error text; `null` if no known name occurs in the text. */
function errorTypeOf(error: string): ErrorType | null {
  for (const [errorType, names] of NETWORK_ERRORS) if (names.some((name) => error.includes(name))) return errorType;
  for (const [words, errorType] of OTHER_ERRORS) if (words.test(error)) return errorType;
  return null;
}

/**
 * Parts of the error names of Chromium (net_error_list.h) and Firefox (ErrorList.py): single errors first, then
 * families. The first row with a name that occurs in the text counts.
 */
const NETWORK_ERRORS: readonly (readonly [ErrorType, readonly string[]])[] = [
  ["upstream-proxy-failed", ["PROXY_", "ERR_TUNNEL_", "ERR_SOCKS_"]],
  ["name-not-resolved", ["NAME_NOT_RESOLVED", "NAME_RESOLUTION_FAILED", "UNKNOWN_HOST", "ERR_DNS_", "NS_ERROR_DNS_"]],
  ["connection-refused", ["CONNECTION_REFUSED"]],
  ["server-reset", ["CONNECTION_RESET", "NET_RESET"]],
  ["server-closed", ["CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE", "NET_INTERRUPT"]],
  ["response-timeout", ["PING_FAILED", "NET_TIMEOUT"]],
  ["connection-timeout", ["CONNECTION_TIMED_OUT"]],
  ["response-timeout", ["ERR_TIMED_OUT"]],
  [
    "host-unreachable",
    ["CONNECTION_FAILED", "ADDRESS_UNREACHABLE", "INTERNET_DISCONNECTED", "NETWORK_CHANGED", "NS_ERROR_OFFLINE"],
  ],
  ["tls-client-certificate", ["CLIENT_AUTH_"]],
  ["tls-wrong-host", ["CERT_COMMON_NAME_INVALID", "BAD_CERT_DOMAIN"]],
  ["tls-not-yet-valid", ["NOT_YET_VALID"]],
  ["tls-expired", ["CERT_DATE_INVALID", "EXPIRED_CERTIFICATE"]],
  ["tls-weak", ["CERT_WEAK_", "INADEQUATE_KEY_SIZE"]],
  [
    "tls-protocol",
    ["SSL_VERSION_", "SSL_OBSOLETE_VERSION", "SSL_ERROR_UNSUPPORTED_VERSION", "SSL_ERROR_PROTOCOL_VERSION_ALERT"],
  ],
  ["tls-untrusted", ["BAD_HSTS_CERT", "CERT_", "ERR_CERTIFICATE_", "SEC_ERROR_", "MOZILLA_PKIX_ERROR_"]],
  ["tls-failed", ["SSL_"]],
  [
    "response-truncated",
    ["CONTENT_LENGTH_MISMATCH", "INCOMPLETE_CHUNKED_ENCODING", "HEADERS_TRUNCATED", "NET_PARTIAL_TRANSFER"],
  ],
  ["network-failed", ["HTTP2_INADEQUATE_TRANSPORT_SECURITY", "HTTP2_CLIENT_REFUSED_STREAM"]],
  [
    "response-malformed",
    ["HTTP2_FLOW_CONTROL_ERROR", "HTTP2_FRAME_SIZE_ERROR", "HTTP2_COMPRESSION_ERROR", "INCOMPLETE_HTTP2_HEADERS"],
  ],
  ["server-reset", ["ERR_HTTP2_", "ERR_SPDY_", "NS_ERROR_NET_HTTP2_"]],
  [
    "response-malformed",
    [
      "ERR_INVALID_RESPONSE",
      "ERR_INVALID_HTTP_RESPONSE",
      "ERR_INVALID_CHUNKED_ENCODING",
      "ERR_RESPONSE_HEADERS_",
      "ERR_CONTENT_DECODING_",
      "NS_ERROR_INVALID_CONTENT_ENCODING",
      "NS_ERROR_CORRUPTED_CONTENT",
      "NS_ERROR_PARSING_HTTP_STATUS_LINE",
    ],
  ],
];

/** Error names of the client's own doing, of other runtimes, and plain words for errors. */
const OTHER_ERRORS: readonly (readonly [RegExp, ErrorType])[] = [
  [
    /\bERR_(?:ABORTED|BLOCKED_|CONTEXT_SHUT_DOWN)|\bNS_(?:BINDING_(?:ABORTED|CANCELLED_)|ERROR_ABORT\b)/,
    "client-aborted",
  ],
  [/\bNS_ERROR_(?:CONTENT_BLOCKED|DOCSHELL_DYING|DOM_ABORT_ERR|[A-Z]+_URI\b)/, "client-aborted"],
  [/\bENOTFOUND\b|\bEAI_AGAIN\b/, "name-not-resolved"],
  [/\bECONNREFUSED\b|connection refused/i, "connection-refused"],
  [/\bE(?:HOST|NET)UNREACH\b/, "host-unreachable"],
  [/\bECONNRESET\b|connection (?:was )?reset/i, "server-reset"],
  [/socket hang up/i, "server-closed"],
  [/\bETIMEDOUT\b|\btime(?:d[ -]?out|[ -]?out)\b/i, "response-timeout"],
  // Any other error that a browser names, for example ERR_FAILED and ERR_QUIC_PROTOCOL_ERROR: the cause is not known.
  [/\bERR_[A-Z]|\bNS_ERROR_[A-Z]|\bNS_BINDING_FAILED\b/, "network-failed"],
];
