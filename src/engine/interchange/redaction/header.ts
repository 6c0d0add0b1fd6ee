import type { HeaderField } from "../../model/head.ts";
import { REDACTED, type Redact } from "./nested.ts";
import { isSecretName } from "./secret-name.ts";

/** Headers whose whole value is a URL, absolute or relative. */
const URL_HEADERS: ReadonlySet<string> = new Set(["location", "content-location", "referer"]);

/** Challenges (RFC 9110, 11.6 and 11.7), which may carry a handshake's token (RFC 4559, 4). */
const CHALLENGES: ReadonlySet<string> = new Set(["www-authenticate", "proxy-authenticate"]);

/** A header's value without secrets. `text` redacts text, `url` a whole URL. */
export function redactedHeaderBy(name: string, value: string, text: Redact, url: Redact): string {
  const lower = name.toLowerCase();
  if (isSecretHeader(lower)) return (SCHEME.exec(value)?.[0] ?? "") + (value === "" ? "" : REDACTED);
  if (CHALLENGES.has(lower)) return text(value.replaceAll(HANDSHAKE, `$1${REDACTED}`));
  if (lower === "sec-websocket-protocol") return value.split(",").map(redactedProtocol).join(",");
  if (lower === "host") return value.replace(/^.*@/s, `${REDACTED}@`);
  if (CREDENTIALS.test(value)) return (SCHEME.exec(value)?.[0] ?? "") + REDACTED;
  if (lower === "refresh") return redactedRefresh(value, url);
  if (URL_HEADERS.has(lower) || /^(?:[a-z][a-z0-9+.-]*:\/)?\//i.test(value)) return url(value);
  const shown = value.replaceAll(BRACKETED, url);
  // Commas and semicolons within JSON and markup do not end a parameter.
  return /[{[\\]|<[/?!]/.test(shown)
    ? text(shown)
    : shown.replaceAll(PARAMETER, (part) => redactedParameter(part, text));
}

function isSecretHeader(lower: string): boolean {
  return isSecretName(lower) || CREDENTIAL_HEADERS.test(lower);
}

/** Headers with credentials whose names are ordinary words elsewhere; `DPoP`: RFC 9449, 4.1. */
const CREDENTIAL_HEADERS = /^(?:dpop|(?:[\w-]{1,64}-)?authentication)$/;

/** The scheme of credentials (RFC 9110, 11.4), which reveals only their kind. */
const SCHEME = /^(?:basic|bearer|digest|dpop|negotiate|ntlm) /i;

/**
 * A scheme and at least 12 characters are credentials, in a header of any name. Shorter values may be prose. Weir's own
 * rule; not from a specification.
 */
const CREDENTIALS = /^(?:basic|bearer|digest|dpop|negotiate|ntlm) [\w+/~.-]{12,}=*$/i;

const HANDSHAKE = /\b((?:negotiate|ntlm|kerberos)[ \t]+)[\w+/~.-]+=*/gi;

/** A URL in angle brackets, as in Link (RFC 8288). */
const BRACKETED = /(?<=<)[^<>\s]+(?=>)/g;

const PARAMETER = /[^;,]+/g;

/** Redacts `name=value` or `name="value"` in a list. */
function redactedParameter(part: string, text: Redact): string {
  const equals = part.indexOf("=");
  const name = /^[ \t]*([\w.-]+)[ \t]*$/.exec(part.slice(0, Math.max(0, equals)))?.[1];
  const isSecret = name !== undefined && equals < part.length - 1 && isSecretName(name);
  return isSecret ? part.slice(0, equals + 1) + REDACTED : text(part);
}

/** Redacts the URL after the seconds in a Refresh header. The URL may be in quotes (WHATWG HTML, 4.2.5.3). */
function redactedRefresh(value: string, url: Redact): string {
  const begin = /^[\s\d.]*[;,]?\s*(?:url\s*=\s*)?['"]?/i.exec(value)?.[0] ?? "";
  return begin + url(value.slice(begin.length));
}

/**
 * Redacts an unknown subprotocol: some clients send a token here, since a web page can set no other header of a
 * WebSocket.
 */
function redactedProtocol(protocol: string): string {
  const [blanks = ""] = /^\s*/.exec(protocol) ?? [];
  return protocol.trim() === "" || KNOWN_PROTOCOL.test(protocol.trim()) ? protocol : blanks + REDACTED;
}

/** Subprotocols of the WebSocket Subprotocol Name Registry (IANA), and others that are widely used. */
const KNOWN_PROTOCOL =
  /^(?:(?:wamp|ocpp|mqtt|stomp|soap|sip|xmpp|amqp|msrp|bfcp|coap|rfb|wss|ws|json|binary|base64|chat)(?:v?[\d.]+)?(?:\.json|\.msgpack)?|mqttv[\d.]+|v\d+\.stomp|graphql-ws|graphql-transport-ws|(?:base64\.)?(?:binary|channel|v\d\.channel|v\d\.base64\.channel)?\.?k8s\.io|actioncable-(?:v\d-json|unsupported)|vite-(?:hmr|ping)|janus-protocol|jsonrpc|json-rpc|access_token|bearer)$/i;

/**
 * Redacts the secrets in all fields. Some peers take a bare CR as a line end (RFC 9112, 2.2). A line that begins with
 * white space continues the previous line (RFC 9112, 5.2).
 */
export function redactedFieldsBy(
  fields: readonly HeaderField[],
  redact: (name: string, value: string) => string,
): readonly HeaderField[] {
  let latest = "";
  const redactedLine = (line: string): string => {
    const colon = line.indexOf(":");
    if (colon > 0 && !/^[ \t]/.test(line)) {
      latest = line.slice(0, colon).trim();
      const name = line.slice(0, colon);
      return `${TOKEN.test(latest) ? name : redactedMalformed(name, redact)}:${redact(latest, line.slice(colon + 1))}`;
    }
    if (/^[ \t]/.test(line)) return isSecretHeader(latest.toLowerCase()) ? ` ${REDACTED}` : redact(latest, line);
    return redactedMalformed(line, redact);
  };
  return fields.map(({ name, value }) => {
    const line = `${name}:${value}`.split("\r").map(redactedLine).join("\r");
    const colon = line.indexOf(":");
    return colon < 0 ? { name: line, value: "" } : { name: line.slice(0, colon), value: line.slice(colon + 1) };
  });
}

/** Matches a header's name, which is a token (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Redacts a line that is not a valid field. It may have a name and a value with another separator: `token=x`,
 * `password x`.
 */
function redactedMalformed(line: string, redact: (name: string, value: string) => string): string {
  const [, before = "", name = "", value = ""] =
    /^(\s*([\w.-]{1,256})(?:[ \t]*=[ \t]*|[ \t]+))(\S[\s\S]*)$/.exec(line) ?? [];
  return value !== "" && isSecretName(name) ? before + REDACTED : redact("", line);
}
