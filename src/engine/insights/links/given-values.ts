import type { ExchangeFacts } from "../exchange-facts.ts";
import { fieldIn } from "../facts/field-values.ts";
import { percentDecoded } from "../facts/query-pairs.ts";
import { claimsOf } from "../facts/web-token.ts";
import { memoized } from "../memoized.ts";
import { type TakeValue, takeJsonValues } from "./json-values.ts";
import { canProve, isLongEnough } from "./value-form.ts";

/** The most values kept of one response. Values of headers come before values of the body. */
const MOST_VALUES = 2_000;

/** A value that a response gave. Captured text: secret and hostile. */
export interface GivenValue {
  readonly source: "location" | "set-cookie" | "header" | "body";
  /** The name of the header, cookie, attribute or JSON member; "id" for a part of Location; "" if there is none. */
  readonly name: string;
  readonly value: string;
}

/**
 * The values of a response that prove a dependency if a later request uses them: values of headers and cookies, and
 * strings and numbers in the body.
 */
export function givenValuesOf({ exchange, responseFields }: ExchangeFacts, body: string): readonly GivenValue[] {
  const given = new Map<string, GivenValue>();
  const near = exchange.instants.startTime;
  const add = (source: GivenValue["source"], name: string, value: string) => {
    if (given.size >= MOST_VALUES || !canProve(value, name, near) || given.has(value)) return;
    given.set(value, { source, name, value });
  };
  for (const { name, value } of responseFields) {
    if (name === "location") {
      for (const part of value.split(/[/?&=#]/)) add("location", "id", percentDecoded(part));
    } else if (name === "set-cookie") {
      const [, cookie = "", text = ""] = /^([^=;]*)=\s*"?([^;"]*)/.exec(value) ?? [];
      if (!isInfrastructure(cookie)) add("set-cookie", cookie.trim(), percentDecoded(text.trim()));
    } else if (!isAboutMessage(name)) add("header", name, value);
  }
  takeBodyValues(body, fieldIn(responseFields, "content-type") ?? "", (value, name) => {
    add("body", name, value);
    if (value.startsWith("eyJ")) takeClaims(value, (claim, member) => add("body", member, claim));
  });
  return [...given.values()];
}

function takeBodyValues(body: string, type: string, take: TakeValue): void {
  if (body === "") return;
  if (/html|xml/i.test(type) || /^\s*</.test(body)) takeMarkupValues(body, take);
  else if (!/css|javascript/i.test(type)) takeJsonValues(body, take, isLongEnough);
}

/**
 * Calls `take` with the values of form fields, meta tags and other attributes, with texts between tags, and with the
 * JSON values in inline scripts.
 */
function takeMarkupValues(text: string, take: TakeValue): void {
  for (const [, tag = ""] of text.matchAll(/<((?:input|meta|button|option|select)\b[^<>]*)>/gi)) {
    const attributes = new Map<string, string>();
    for (const [, name = "", double, single] of tag.matchAll(ATTRIBUTE))
      attributes.set(name.toLowerCase(), double ?? single ?? "");
    const value = attributes.get("value") ?? attributes.get("content");
    if (value !== undefined) take(value, attributes.get("name") ?? attributes.get("property") ?? "");
  }
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (!/^(?:integrity|nonce|class|style|d|points|viewbox|xmlns|srcset)$/i.test(name))
      take(double ?? single ?? "", name);
  }
  for (const [, name = "", value = ""] of text.matchAll(
    /<(?:\w{1,64}:)?([\w.-]{1,128})(?:[^\w.<>-][^<>]*)?>([^<>\s]{6,2048})</g,
  ))
    take(value, name);
  for (const [, script = ""] of text.matchAll(/<script\b[^<>]*>([^<]*)/gi)) takeJsonValues(script, take, isLongEnough);
}

/** Matches an attribute with a quoted value. The repetitions are bounded, so that matching takes linear time. */
const ATTRIBUTE = /(?<![\w:-])([\w:-]{1,64})\s{0,8}=\s{0,8}(?:"([^"<>]{1,2048})"|'([^'<>]{1,2048})')/g;

function takeClaims(value: string, take: TakeValue): void {
  for (const [name, claim] of Object.entries(claimsOf(value) ?? {}))
    if (typeof claim === "string" || typeof claim === "number") take(String(claim), name === "sub" ? "id" : name);
}

/**
 * Whether a header describes the message, the connection, the cache or this request. No later request needs its value.
 */
const isAboutMessage = memoized((name) => {
  if (ABOUT_MESSAGE.has(name)) return true;
  return /^(?:access-control-|content-(?!location)|cross-origin-|sec-|x-cache|x-amz-cf|x-b3-|cf-|x-served|x-timer|x-envoy|x-ratelimit|ratelimit|x-runtime|x-frame|x-xss|x-robots)/.test(
    name,
  );
});

const ABOUT_MESSAGE: ReadonlySet<string> = new Set([
  ...[
    "accept-ranges",
    "age",
    "allow",
    "alt-svc",
    "cache-control",
    "connection",
    "date",
    "expires",
    "keep-alive",
    "link",
  ],
  ...[
    "last-modified",
    "nel",
    "origin-trial",
    "p3p",
    "permissions-policy",
    "pragma",
    "proxy-authenticate",
    "referrer-policy",
  ],
  ...[
    "report-to",
    "reporting-endpoints",
    "retry-after",
    "server",
    "server-timing",
    "strict-transport-security",
    "timing-allow-origin",
  ],
  ...[
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
    "via",
    "warning",
    "www-authenticate",
    "x-powered-by",
    "x-request-id",
  ],
  ...[
    "x-correlation-id",
    "x-trace-id",
    "x-amzn-trace-id",
    "x-amzn-requestid",
    "x-amz-request-id",
    "x-amz-id-2",
    "traceresponse",
  ],
  ...[
    "traceparent",
    "request-id",
    "x-github-request-id",
    "x-content-type-options",
    "x-dns-prefetch-control",
    "x-varnish",
    "host",
  ],
]);

/**
 * The names of cookies whose values prove no dependency: those of known load balancers, bot checks and analytics.
 * `value-links.ts` also leaves out rotating cookies.
 */
const INFRASTRUCTURE =
  /^(?:AWSALB|AWSALBCORS|AWSELB|AWSELBCORS|GCLB|ROUTEID|SERVERID|SRVNAME|INGRESSCOOKIE|ARRAffinity(?:SameSite)?|BIGipServer.*|TS[\da-f]{6,}|citrix_ns_id.*|NSC_.*|incap_ses_.*|visid_incap_.*|nlbi_.*|__cf_bm|__cflb|__cfruid|_cfuvid|cf_clearance|ak_bmsc|bm_s[vz]|bm_mi|_abck|datadome|_ga.*|_gid|_gat.*|_gcl_au|_fbp|_fbc|_hj.*|_uet.*|__utm.*|_pk_.*|ajs_.*|mp_.*|amplitude_.*|optimizely.*|OptanonConsent|lb|lbc|route|sticky|backend|stickounet|hwlb)$/i;

export function isInfrastructure(cookie: string): boolean {
  return INFRASTRUCTURE.test(cookie.trim());
}
