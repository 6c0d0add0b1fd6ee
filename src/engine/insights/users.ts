import type { HeaderField } from "../model/head.ts";
import type { ExchangeFacts } from "./exchange-facts.ts";
import { fieldIn, valuesIn } from "./facts/field-values.ts";
import { isInfrastructure } from "./links/given-values.ts";
import { memoized } from "./memoized.ts";

/** A field that identifies a user: the header or cookie, and its value. */
export interface UserMark {
  readonly name: string;
  readonly value: string;
}

/** The most texts remembered. */
const MOST_TEXTS = 200_000;

/**
 * Headers that name a user or tenant, by usual names. Authorization counts by its scheme, since a client may use
 * several (RFC 9110, 11.4).
 */
const USER_HEADER =
  /^(?:api-key|remote-user|x-(?:authenticated-|forwarded-|remote-)?(?:tenant|user|account|org|customer|workspace|session-?id|auth|api-?key|access-token))/;
const isUserHeader = memoized((name) => USER_HEADER.test(name));

/** The fields of a request that identify its user. Cookies of load balancers and analytics are left out. */
export function userMarksOf(fields: readonly HeaderField[]): readonly UserMark[] {
  const marks: UserMark[] = [];
  for (const { name, value } of fields) {
    if (name === "cookie") marks.push(...cookiesIn(value));
    else if (name === "authorization") marks.push({ name: `${name} ${value.split(" ", 1)[0]?.toLowerCase()}`, value });
    else if (name === "x-user-agent") continue;
    else if (isUserHeader(name)) marks.push({ name, value });
  }
  return marks;
}

/** The cookies in a Cookie header (RFC 6265, 4.2.1). */
function cookiesIn(value: string): readonly UserMark[] {
  return value.split(";").flatMap((pair) => {
    const [name = "", ...rest] = pair.trim().split("=");
    return name === "" || isInfrastructure(name) ? [] : [{ name: `cookie ${name}`, value: rest.join("=") }];
  });
}

/**
 * Tells the users behind one client apart, such as those of a gateway. A cookie that a response to a reading request
 * renews still belongs to the same user.
 */
export class Users {
  /** By client and cookie, the value that the client sent first. */
  readonly #firsts = new Map<string, string>();
  readonly #public = new Set<string>();
  readonly #texts = new Map<string, string>();

  /** Reads a response. Exchanges must be given by start, all of them before `userOf`. */
  learn({ exchange: { client, origin, target, method }, requestFields, responseFields }: ExchangeFacts): void {
    const marks = userMarksOf(requestFields);
    if (marks.length === 0) return;
    if (isPublic(responseFields) && this.#public.size < MOST_TEXTS) this.#public.add(origin + target);
    if (method !== "GET" && method !== "HEAD") return;
    for (const line of valuesIn(responseFields, "set-cookie")) {
      const [, cookie = "", renewed = ""] = /^([^=;]*)=([^;]*)/.exec(line) ?? [];
      const name = `cookie ${cookie.trim()}`;
      const sent = marks.find((mark) => mark.name === name);
      if (sent === undefined || renewed.trim() === sent.value || renewed.trim() === "") continue;
      const key = keyOf(client, name, renewed.trim());
      const first = this.#firsts.get(keyOf(client, name, sent.value)) ?? sent.value;
      if (!this.#firsts.has(key) && this.#firsts.size < MOST_TEXTS) this.#firsts.set(key, first);
    }
  }

  /**
   * A text that is equal for requests of the same user; "" without a sign of one, and for a resource that a response
   * declares public (RFC 9111, 5.2.2.9).
   */
  userOf({ exchange: { client, origin, target }, requestFields }: ExchangeFacts): string {
    const marks = userMarksOf(requestFields);
    if (marks.length === 0 || this.#public.has(origin + target)) return "";
    const text = marks
      .map(({ name, value }) => `${name}=${this.#firsts.get(keyOf(client, name, value)) ?? value}`)
      .sort()
      .join("\n");
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MOST_TEXTS) this.#texts.set(text, text);
    return text;
  }
}

function keyOf(client: string, name: string, value: string): string {
  return `${client}\n${name}\n${value}`;
}

function isPublic(fields: readonly HeaderField[]): boolean {
  const control = fieldIn(fields, "cache-control") ?? "";
  if (!/(?:^|[\s,])public(?:[\s,]|$)/i.test(control)) return false;
  return !valuesIn(fields, "vary").some((vary) => /\*|\bcookie\b|\bauthorization\b/i.test(vary));
}
