import { ERROR_TYPES, type ErrorType, type Outcome } from "../model/exchange.ts";
import { statusIn } from "./har-heads.ts";
import type { JsonValue } from "./json-value.ts";

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
  if (status !== null && named === null) return { kind: "responded", status };
  const detail = error === "" ? "The file contains no response." : error;
  // If the entry has neither a status nor a known error, the browser aborted the request.
  return { kind: "failed", errorType: named ?? "client-aborted", detail, status };
}

/** The error type for an exporter's error text; `null` if no known name occurs in the text. */
function errorTypeOf(error: string): ErrorType | null {
  for (const [name, errorType] of NETWORK_ERRORS) if (error.includes(name)) return errorType;
  for (const [words, errorType] of OTHER_ERRORS) if (words.test(error)) return errorType;
  return null;
}

/** Error names of Chromium and Firefox: single errors first, then families. The first that occurs in the text counts. */
const NETWORK_ERRORS: readonly (readonly [string, ErrorType])[] = [
  ["NAME_NOT_RESOLVED", "name-not-resolved"],
  ["NAME_RESOLUTION_FAILED", "name-not-resolved"],
  ["UNKNOWN_HOST", "name-not-resolved"],
  ["ERR_DNS_", "name-not-resolved"],
  ["CONNECTION_REFUSED", "connection-refused"],
  ["CONNECTION_RESET", "server-reset"],
  ["NET_RESET", "server-reset"],
  ["CONNECTION_CLOSED", "server-closed"],
  ["EMPTY_RESPONSE", "server-closed"],
  ["NET_INTERRUPT", "server-closed"],
  ["PING_FAILED", "response-timeout"],
  ["NET_TIMEOUT", "response-timeout"],
  ["TIMED_OUT", "connection-timeout"],
  ["ADDRESS_UNREACHABLE", "host-unreachable"],
  ["INTERNET_DISCONNECTED", "host-unreachable"],
  ["NETWORK_CHANGED", "host-unreachable"],
  ["NS_ERROR_OFFLINE", "host-unreachable"],
  ["ERR_PROXY_", "upstream-proxy-failed"],
  ["ERR_TUNNEL_", "upstream-proxy-failed"],
  ["ERR_SOCKS_", "upstream-proxy-failed"],
  ["NS_ERROR_PROXY_", "upstream-proxy-failed"],
  ["CERT_COMMON_NAME_INVALID", "tls-wrong-host"],
  ["BAD_CERT_DOMAIN", "tls-wrong-host"],
  ["CERT_DATE_INVALID", "tls-expired"],
  ["EXPIRED_CERTIFICATE", "tls-expired"],
  ["CERT_", "tls-untrusted"],
  ["ERROR_UNKNOWN_ISSUER", "tls-untrusted"],
  ["SSL_", "tls-failed"],
  ["CONTENT_LENGTH_MISMATCH", "response-truncated"],
  ["INCOMPLETE_CHUNKED_ENCODING", "response-truncated"],
  ["NET_PARTIAL_TRANSFER", "response-truncated"],
  ["ERR_HTTP2_", "server-reset"],
  ["ERR_SPDY_", "server-reset"],
  ["ERR_QUIC_", "server-closed"],
  ["NS_ERROR_NET_HTTP2_", "server-reset"],
  ["NS_ERROR_NET_HTTP3_", "server-closed"],
  ["ERR_INVALID_", "response-malformed"],
  ["ERR_RESPONSE_HEADERS_", "response-malformed"],
  ["ERR_CONTENT_DECODING_", "response-malformed"],
  ["NS_ERROR_INVALID_CONTENT_ENCODING", "response-malformed"],
  ["ERR_TOO_MANY_REDIRECTS", "response-malformed"],
  ["NS_ERROR_REDIRECT_LOOP", "response-malformed"],
];

/** Error names of the client's own doing, of other runtimes, and plain words for errors. */
const OTHER_ERRORS: readonly (readonly [RegExp, ErrorType])[] = [
  [/\bERR_(?:ABORTED|BLOCKED_BY_|CACHE_|FILE_)|\bNS_(?:BINDING_ABORTED|ERROR_ABORT\b)/, "client-aborted"],
  [/\bENOTFOUND\b|\bEAI_AGAIN\b/, "name-not-resolved"],
  [/\bECONNREFUSED\b|connection refused/i, "connection-refused"],
  [/\bE(?:HOST|NET)UNREACH\b/, "host-unreachable"],
  [/\bECONNRESET\b|connection (?:was )?reset/i, "server-reset"],
  [/socket hang up/i, "server-closed"],
  [/\bETIMEDOUT\b|\btime(?:d[ -]?out|[ -]?out)\b/i, "response-timeout"],
  // Any other error that a browser names: no response came, and the client did not choose that.
  [/\bERR_[A-Z]|\bNS_ERROR_[A-Z]/, "server-closed"],
];
