/** Whether a header, by its lower-case name, is left out of the comparison. */
export function isLeftOut(name: string, leftOut: ReadonlySet<string>): boolean {
  return leftOut.has(name) || IDENTIFIERS.test(name);
}

/** Headers that identify one request, client or connection. */
const IDENTIFIERS =
  /(?:^|[-_])(?:id|uuid|nonce|token|signature|key|ray)$|^(?:traceparent|tracestate|b3|cf-connecting-ip|x-real-ip|forwarded|baggage)$|^(?:x-b3|x-forwarded|sec)-/;

export const REQUEST_LEFT_OUT: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-length",
  "cookie",
  "date",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "keep-alive",
  "origin",
  "proxy-authorization",
  "proxy-connection",
  "range",
  "referer",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

/**
 * Response headers that are left out: times, identifiers and lengths; also the server's own durations, since durations
 * are what must be explained.
 */
export const RESPONSE_LEFT_OUT: ReadonlySet<string> = new Set([
  "alt-svc",
  "connection",
  "content-length",
  "content-md5",
  "content-range",
  "date",
  "digest",
  "etag",
  "expires",
  "keep-alive",
  "last-modified",
  "link",
  "location",
  "nel",
  "ratelimit-remaining",
  "ratelimit-reset",
  "report-to",
  "retry-after",
  "server-timing",
  "set-cookie",
  "trailer",
  "transfer-encoding",
  "x-envoy-upstream-service-time",
  "x-process-time",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-response-time",
  "x-runtime",
]);

/** Headers that describe the response, and so follow from what was requested. */
export const CONSEQUENCES: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-type",
  "vary",
  "accept-ranges",
]);
