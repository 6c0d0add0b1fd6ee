import { isTooUncertain } from "../../model/exchange.ts";
import { waitOf } from "../../model/phases.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fieldIn } from "../facts/field-values.ts";
import { largestOf } from "./draft.ts";
import { inMs, leftOutText } from "./text.ts";
import { hasRange, type Request } from "./traffic.ts";
import type { Span } from "./waiting.ts";

/** The first value of a request header, by its lower-case name; `null` if there is none. */
export function requestField({ facts }: Request, name: string): string | null {
  return fieldIn(facts.requestFields, name);
}

/** The first value of a response header, by its lower-case name; `null` if there is none. */
export function responseField({ facts }: Request, name: string): string | null {
  return fieldIn(facts.responseFields, name);
}

/** Whether the request only reads: GET and HEAD (RFC 9110, 9.2.1), and operations sent by POST. */
export function isReading({ facts }: Request): boolean {
  return isSafe(facts.exchange.method) || (facts.endpoint.operation !== null && facts.exchange.method === "POST");
}

export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether the request is a preflight (Fetch, 3.3.2). */
export function isPreflight(request: Request): boolean {
  return request.facts.exchange.method === "OPTIONS" && requestField(request, "access-control-request-method") !== null;
}

/** Whether there is an If-None-Match or If-Modified-Since (RFC 9110, 13.1). */
export function isConditional({ facts }: Request): boolean {
  return facts.requestFields.some(({ name }) => name === "if-none-match" || name === "if-modified-since");
}

/** Whether the response is large by nature: a part of a resource, audio, video, an archive or another download. */
export function isLargeByNature(request: Request): boolean {
  const type = request.facts.exchange.contentType ?? "";
  if (isPart(request) || LARGE_TYPE.test(type)) return true;
  return /^\s*attachment\b/i.test(responseField(request, "content-disposition") ?? "");
}

const LARGE_TYPE =
  /^(?:audio|video)\/|^application\/(?:octet-stream|zip|gzip|zstd|x-(?:gzip|tar|gtar|bzip2?|xz|7z-compressed|rar-compressed|msdownload|apple-diskimage|debian-package|rpm|iso9660-image)|vnd\.(?:rar|debian\.binary-package|android\.package-archive)|java-archive)(?:\s*;|$)/;

/** The span in which the client waited for the server to begin its response. */
export function serverSpanOf(request: Request): Span {
  return { client: request.client, start: serverStartOf(request), end: serverEndOf(request) };
}

export function serverStartOf(request: Request): number {
  return serverEndOf(request) - (request.server ?? 0);
}

export function serverEndOf({ responseStart, start }: Request): number {
  return responseStart ?? start;
}

/** The span from the DNS lookup, or the first address tried, until the connection can carry the request. */
export function setUpSpanOf({ client, start: begun, facts: { exchange } }: Request): Span {
  const { domainLookupStart, connectStart, connectEnd } = exchange.instants;
  const start = domainLookupStart ?? connectStart ?? begun + (waitOf(exchange)?.to ?? 0);
  return { client, start, end: Math.max(start, connectEnd ?? start) };
}

/** Whether a time of the request is on the same side of the limit, whatever the clock's uncertainty. */
export function isSureBeside(limit: Milliseconds, time: Milliseconds, { uncertainty }: Request): boolean {
  return !isTooUncertain({ uncertainty }) || Math.abs(time - limit) >= uncertainty;
}

/** "; 9 left out: their times are uncertain by up to 44 ms"; "" if none is left out. */
export function leftOutClause(leftOut: readonly Request[]): string {
  if (leftOut.length === 0) return "";
  return `; ${leftOutText(leftOut.length)} by up to ${inMs(largestOf(leftOut.map(({ uncertainty }) => uncertainty)))}`;
}

/** Whether the response is a part of a resource (RFC 9110, 14), or the request asks for one. */
export function isPart(request: Request): boolean {
  return request.status === 206 || hasRange(request);
}

/**
 * Whether the response is one user's and no cache may keep it (RFC 9111, 5.2.2.5), so that a client which needs it
 * later has to ask again.
 */
export function mustAskAgain(request: Request): boolean {
  return (
    request.user !== "" && !request.isStaticFile && /\bno-store\b/i.test(responseField(request, "cache-control") ?? "")
  );
}

/** Whether the request is a health check, by the paths and User-Agents that are usual for them. */
export function isHealthCheck({ path, facts }: Request): boolean {
  return HEALTH_PATH.test(path) || HEALTH_AGENT.test(facts.exchange.client);
}

const HEALTH_PATH =
  /(?:^|\/)_?(?:health(?:z|check|-check|_check)?|livez|readyz|liveness|readiness|ping)(?:\/(?:live|ready|liveness|readiness))?$/i;
const HEALTH_AGENT = /\b(?:kube-probe|ELB-HealthChecker|GoogleHC|UptimeRobot|Pingdom)\b/;

/** The Retry-After in ms (RFC 9110, 10.2.3); `null` if there is none or if it gives a date. */
export function retryAfterOf(request: Request): number | null {
  const value = responseField(request, "retry-after");
  return value !== null && /^\d+$/.test(value) ? Number(value) * 1_000 : null;
}
