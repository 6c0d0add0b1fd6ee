import { statusOf } from "../../model/exchange.ts";
import type { HeaderField } from "../../model/head.ts";
import type { LinkEvidence } from "../../model/link.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fieldIn } from "../facts/field-values.ts";
import { evidenceOf } from "./link-evidence.ts";
import type { Dependency, LinkProver } from "./link-prover.ts";
import type { LinkableExchange } from "./linkable-exchange.ts";
import { resolvedUrl } from "./resolved-url.ts";

/** How long after a redirect or a preflight the client may send the request that belongs to it. */
const FOLLOWED_WITHIN: Milliseconds = 10_000;

/**
 * A client obeys Retry-After if it returns after `OBEYED_FROM` to `OBEYED_UNTIL` times the delay. After a short delay,
 * it may return up to `FOLLOWED_WITHIN` late.
 */
const OBEYED_FROM = 0.9;
const OBEYED_UNTIL = 2;

interface Cause {
  readonly linkable: LinkableExchange;
  readonly evidence: LinkEvidence;
  readonly from: number;
  readonly until: number;
}

/**
 * Finds requests that follow from HTTP itself: requests after a redirect, a preflight or Retry-After, and requests with
 * new credentials after a 401 or 407.
 */
export class ProtocolLinks implements LinkProver {
  readonly basis = "protocol";
  readonly #waiting = new WaitingRequests<Cause>();

  dependencies(linkable: LinkableExchange): readonly Dependency[] {
    if (this.#waiting.isEmpty) return NONE;
    const { client, url, start, facts } = linkable;
    const request = `${facts.exchange.method} ${url}`;
    const after = (cause: Cause) => cause.from <= start && cause.linkable.start < start;
    const found = [
      this.#waiting.match(client, `redirect ${url}`, start, after),
      this.#waiting.match(client, `preflight ${request}`, start, after),
      this.#waiting.match(
        client,
        `credentials ${request}`,
        start,
        (cause) => after(cause) && hasNewCredentials(cause.linkable, linkable),
      ),
      this.#waiting.match(client, `retry ${request}`, start, after),
    ];
    return found.flatMap((cause) => (cause === null ? [] : [{ from: cause.linkable.index, evidence: cause.evidence }]));
  }

  /**
   * Expects the request that follows a redirect. Called at the response's head, since clients do not wait for the body.
   */
  answer(linkable: LinkableExchange): void {
    const status = statusOf(linkable.facts.exchange.outcome);
    if (status === null || status < 300 || status > 399 || status === 304) return;
    const location = fieldIn(linkable.facts.responseFields, "location");
    if (location === null) return;
    const url = resolvedUrl(linkable.url, location);
    if (url !== null)
      this.#wait(
        linkable,
        `redirect ${url}`,
        evidenceOf("redirect", "location", location),
        linkable.firstByte ?? linkable.ready,
        linkable.end + FOLLOWED_WITHIN,
      );
  }

  ended(linkable: LinkableExchange): void {
    const { exchange, requestFields, responseFields } = linkable.facts;
    const status = statusOf(exchange.outcome);
    const wanted = exchange.method === "OPTIONS" ? fieldIn(requestFields, "access-control-request-method") : null;
    if (wanted !== null)
      this.#wait(
        linkable,
        `preflight ${wanted} ${linkable.url}`,
        evidenceOf("preflight", "access-control-request-method", wanted),
        linkable.ready,
        linkable.end + FOLLOWED_WITHIN,
      );
    const same = `${exchange.method} ${linkable.url}`;
    if (status === 401 || status === 407)
      this.#wait(
        linkable,
        `credentials ${same}`,
        evidenceOf("credentials", "status", String(status)),
        linkable.ready,
        Number.POSITIVE_INFINITY,
      );
    const delay = status === 429 || status === 503 ? retryDelayOf(responseFields) : null;
    if (delay !== null)
      this.#wait(
        linkable,
        `retry ${same}`,
        evidenceOf("retry-after", "retry-after", fieldIn(responseFields, "retry-after") ?? ""),
        linkable.end + delay * OBEYED_FROM,
        linkable.end + Math.max(delay * OBEYED_UNTIL, delay + FOLLOWED_WITHIN),
      );
  }

  #wait(linkable: LinkableExchange, what: string, evidence: LinkEvidence, from: number, until: number): void {
    this.#waiting.add(linkable.client, what, { linkable, evidence, from, until });
  }
}

const NONE: readonly Dependency[] = Object.freeze([]);

function hasNewCredentials(refused: LinkableExchange, sent: LinkableExchange): boolean {
  const [before, now] = [refused, sent].map(({ facts: { requestFields } }) =>
    requestFields.filter(({ name }) => CREDENTIALS.has(name)).map(({ value }) => value),
  );
  return now !== undefined && now.length > 0 && now.join("\n") !== before?.join("\n");
}

const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-api-key",
  "x-auth-token",
]);

/**
 * How long a response asks its client to wait (RFC 9110, 10.2.3): seconds, or a date relative to the response's Date;
 * `null` if it does not ask.
 */
function retryDelayOf(fields: readonly HeaderField[]): Milliseconds | null {
  const value = fieldIn(fields, "retry-after")?.trim() ?? "";
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const [until, now] = [httpTimeOf(value), httpTimeOf(fieldIn(fields, "date") ?? "")];
  return until === null || now === null ? null : Math.max(0, until - now);
}

/** Milliseconds since 1970 of an IMF-fixdate (RFC 9110, 5.6.7); `null` for any other text. */
function httpTimeOf(text: string): number | null {
  const isDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text.trim());
  const time = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/**
 * Responses after which the client is expected to send a certain request, by client and request. Each response matches
 * one request; the earliest response matches first.
 */
class WaitingRequests<Cause extends { readonly until: number }> {
  readonly #waiting = new Map<string, Cause[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(client: number, what: string, cause: Cause): void {
    const key = `${client} ${what}`;
    const causes = this.#waiting.get(key);
    if (causes === undefined) this.#waiting.set(key, [cause]);
    else causes.push(cause);
  }

  /**
   * Removes and returns the earliest response for which `accepts` is true; `null` if there is none. Drops responses
   * that expired before `now`.
   */
  match(client: number, what: string, now: number, accepts: (cause: Cause) => boolean): Cause | null {
    const key = `${client} ${what}`;
    const causes = this.#waiting.get(key)?.filter(({ until }) => until >= now);
    if (causes === undefined) return null;
    const at = causes.findIndex(accepts);
    const [taken = null] = at < 0 ? [] : causes.splice(at, 1);
    if (causes.length === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, causes);
    return taken;
  }
}
