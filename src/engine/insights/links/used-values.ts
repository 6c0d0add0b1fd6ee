import { pathOf } from "../../model/endpoint.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { formDecoded, formPairsOf, percentDecoded } from "../facts/query-pairs.ts";
import { memoized } from "../memoized.ts";
import { takeJsonValues } from "./json-values.ts";
import { isIdName, isLongEnough, LONGEST_VALUE, SHORTEST_VALUE } from "./value-form.ts";

/** The most values kept of one request. */
const MOST_VALUES = 1_500;

/** A value longer than this is a text, not a list. */
const LONGEST_LIST = 16_384;

/**
 * Where a request used a value: as an id (in its path, or under a name for ids, such as `userId`), in a header, in a
 * cookie, or elsewhere.
 */
export type Use = "id" | "field" | "cookie" | "other";

/**
 * The decoded values of a request that may repeat values of a response: URL, path, segments and query values; header
 * values, cookies and credentials, whole and in parts; strings and numbers of the body.
 */
export function usedValuesOf(
  { exchange, requestFields, query }: ExchangeFacts,
  body: string,
): ReadonlyMap<string, Use> {
  const used = new Map<string, Use>();
  const add = (value: string, use: Use) => {
    if (value.length < SHORTEST_VALUE || value.length > LONGEST_VALUE || used.size >= MOST_VALUES) return;
    if (use === "id" || !used.has(value)) used.set(value, use);
  };
  const addAll = (value: string, use: Use) => {
    // No part is longer.
    if (value.length < SHORTEST_VALUE) return;
    for (const part of partsOf(value)) add(part, use);
  };
  const { method, origin, target } = exchange;
  const path = pathOf(target);
  for (const value of path === target ? [target] : [target, path]) {
    add(origin + value, "other");
    add(value, "other");
  }
  for (const segment of path.split("/")) {
    addAll(percentDecoded(segment), "id");
    if (segment.includes("%")) add(segment, "id");
  }
  for (const [name, value] of query) {
    addAll(value, isIdName(name) ? "id" : "other");
    if (/^[[{]/.test(value))
      takeJsonValues(value, (one, member) => add(one, isIdName(member) ? "id" : "other"), isLongEnough);
  }
  for (const { name, value } of requestFields) {
    if (value.length < SHORTEST_VALUE || isOwnBusiness(name, method)) continue;
    if (name === "cookie") for (const part of cookieValuesOf(value)) add(part, "cookie");
    else for (const part of [value, ...fieldPartsOf(name, value)]) add(part, "field");
  }
  if (body === "") return used;
  if (/^\s*[[{"]/.test(body))
    takeJsonValues(body, (value, name) => addAll(value, isIdName(name) ? "id" : "other"), isLongEnough);
  else if (isForm(body)) for (const [name, value] of formPairsOf(body)) addAll(value, isIdName(name) ? "id" : "other");
  else
    for (const [, between, quoted, line] of body.matchAll(MARKUP_VALUE))
      add(formDecoded(between ?? quoted ?? line ?? ""), "other");
  return used;
}

/** The value; the value without a file extension; and its items if it is a list. */
function partsOf(value: string): readonly string[] {
  const parts = [value];
  const [, stem] = /^(.{6,})\.[a-z\d]{1,8}$/i.exec(value) ?? [];
  if (stem !== undefined) parts.push(stem);
  if (value.length <= LONGEST_LIST && /[,;|:=()@!]/.test(value)) parts.push(...value.split(/[,;|:=()@!]/));
  return parts;
}

/**
 * Whether a header's value proves nothing: the header describes the client, browsers set it by themselves, or it
 * contains a cache's validators (RFC 9110, 13.1). For methods other than GET and HEAD, If-Match does prove a
 * dependency: the client must have read the resource that it changes.
 */
function isOwnBusiness(name: string, method: string): boolean {
  if (name === "if-match") return method === "GET" || method === "HEAD";
  return isAlwaysOwn(name);
}

const isAlwaysOwn = memoized(
  (name) => OWN_BUSINESS.has(name) || /^(?:sec-|if-|accept|access-control-|x-forwarded-|x-b3-)/.test(name),
);

const OWN_BUSINESS: ReadonlySet<string> = new Set([
  ...[
    "host",
    "user-agent",
    "origin",
    "referer",
    "connection",
    "cache-control",
    "pragma",
    "te",
    "upgrade",
    "via",
    "dnt",
  ],
  ...[
    "content-length",
    "content-type",
    "content-encoding",
    "transfer-encoding",
    "range",
    "expect",
    "date",
    "forwarded",
  ],
  ...["traceparent", "tracestate", "baggage", "x-request-id", "x-correlation-id", "x-amzn-trace-id", "b3", "priority"],
]);

/** The values in a Cookie header (RFC 6265, 4.2.1). */
function cookieValuesOf(cookies: string): readonly string[] {
  return cookies
    .split(/;\s*/)
    .map((pair) => percentDecoded(pair.slice(pair.indexOf("=") + 1).replace(/^"(.*)"$/, "$1")));
}

/** The parts of a header's value. Credentials are given without their scheme (RFC 9110, 11.4). */
function fieldPartsOf(name: string, value: string): readonly string[] {
  const said = /authorization$/.test(name) ? value.replace(/^\S+\s+/, "") : value;
  return said.split(/[\s,;="]+/);
}

function isForm(body: string): boolean {
  return /^[\w.%+~[\]*-]+=/.test(body) && !/[\s{<]/.test(body);
}

/**
 * The values in markup and similar text: texts between tags, values in quotes, and lines without spaces, as in SOAP and
 * multipart forms.
 */
const MARKUP_VALUE = />([^<>\s]{6,2048})<|"([^"\s]{6,2048})"|^([^\s:;"<>]{6,2048})\r?$/gm;
