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

/** Chromium's names of network errors. */
const NETWORK_ERRORS: readonly (readonly [string, ErrorType])[] = [
  ["NAME_NOT_RESOLVED", "name-not-resolved"],
  ["CONNECTION_REFUSED", "connection-refused"],
  ["CONNECTION_RESET", "server-reset"],
  ["CONNECTION_CLOSED", "server-closed"],
  ["EMPTY_RESPONSE", "server-closed"],
  ["TIMED_OUT", "connection-timeout"],
  ["ADDRESS_UNREACHABLE", "host-unreachable"],
  ["CERT_COMMON_NAME_INVALID", "tls-wrong-host"],
  ["CERT_DATE_INVALID", "tls-expired"],
  ["CERT_", "tls-untrusted"],
  ["SSL_", "tls-failed"],
  ["CONTENT_LENGTH_MISMATCH", "response-truncated"],
];

/** Error names of Firefox, Node.js and other runtimes, and plain words for errors. */
const OTHER_ERRORS: readonly (readonly [RegExp, ErrorType])[] = [
  [/\bENOTFOUND\b|\bEAI_AGAIN\b|UNKNOWN_HOST/, "name-not-resolved"],
  [/\bECONNREFUSED\b|connection refused/i, "connection-refused"],
  [/\bE(?:HOST|NET)UNREACH\b/, "host-unreachable"],
  [/\bECONNRESET\b|NET_RESET|connection (?:was )?reset/i, "server-reset"],
  [/socket hang up|NET_INTERRUPT/i, "server-closed"],
  [/\bETIMEDOUT\b|NET_TIMEOUT|\btime(?:d[ -]?out|[ -]?out)\b/i, "response-timeout"],
];
