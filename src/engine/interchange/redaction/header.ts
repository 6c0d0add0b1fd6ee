import type { HeaderField } from "../../model/head.ts";
import { REDACTED } from "./known-secrets.ts";
import { isSecretHeader } from "./secret-name.ts";

/**
 * The fields of a head without secrets, which `redact` removes from text. A field whose name is no token (RFC 9110,
 * 5.6.2), such as a folded line, and a value with a bare CR are not understood and lose all.
 */
export function redactedFieldsBy(
  fields: readonly HeaderField[],
  redact: (text: string) => string,
): readonly HeaderField[] {
  return fields.map(({ name, value }) => {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return { name: REDACTED, value: value === "" ? "" : REDACTED };
    return { name: redact(name), value: value.includes("\r") ? REDACTED : redactedValue(name, value, redact) };
  });
}

function redactedValue(name: string, value: string, redact: (text: string) => string): string {
  const lower = name.toLowerCase();
  if (isSecretHeader(lower)) return value === "" ? "" : (SCHEME.exec(value)?.[0] ?? "") + REDACTED;
  if (CHALLENGES.test(lower)) return redact(value.replaceAll(HANDSHAKE, `$1${REDACTED}`));
  if (lower === "host") return value.replace(/^.*@/s, `${REDACTED}@`);
  if (lower === "link") return value.replaceAll(/(?<=<)[^<>\s]+(?=>)/g, redact);
  if (lower === "sec-websocket-protocol") return value.replaceAll(/[^,\s]+/g, redactedProtocol);
  return redact(value);
}

/** The scheme of credentials (RFC 9110, 11.4), which reveals only their kind. */
const SCHEME = /^(?:basic|bearer|digest|dpop|negotiate|ntlm) /i;

/** Challenges (RFC 9110, 11.6 and 11.7), which may carry a handshake's token (RFC 4559, 4). */
const CHALLENGES = /^(?:www|proxy)-authenticate$/;
const HANDSHAKE = /\b((?:negotiate|ntlm|kerberos)[ \t]+)[\w+/~.-]+=*/gi;

/** Some pages send a token as a subprotocol, since they can set no other header of a WebSocket. */
function redactedProtocol(protocol: string): string {
  return KNOWN_PROTOCOL.test(protocol) ? protocol : REDACTED;
}

/** Subprotocols of the WebSocket Subprotocol Name Registry (IANA), and others that are widely used. */
const KNOWN_PROTOCOL =
  /^(?:(?:wamp|ocpp|mqtt|stomp|soap|sip|xmpp|amqp|msrp|bfcp|coap|rfb|wss|ws|json|binary|base64|chat)(?:v?[\d.]{1,8})?(?:\.json|\.msgpack)?|mqttv[\d.]{1,8}|v\d{1,2}\.stomp|graphql(?:-transport)?-ws|(?:base64\.)?(?:binary|channel|v\d\.channel|v\d\.base64\.channel)?\.?k8s\.io|actioncable-(?:v\d-json|unsupported)|vite-(?:hmr|ping)|janus-protocol|json-?rpc|access_token|bearer)$/i;
