import type { ErrorType } from "../../../../../src/engine/model/exchange.ts";
import type { Bytes } from "../../../../../src/engine/model/units.ts";

/** Why something failed: an error type, and a sentence with the system's code. */
export interface Failure {
  readonly errorType: ErrorType;
  readonly detail: string;
}

export const CLIENT_GONE: Failure = Object.freeze({
  errorType: "client-aborted",
  detail: "The client closed the connection before the whole response had arrived.",
});

/**
 * The failure of an exchange whose client violated HTTP/2. A violation on one stream ends all streams of the
 * connection. `isRead`: whether the request had arrived.
 */
export function http2BrokenByClient(isRead: boolean): Failure {
  const detail = "The client broke the rules of HTTP/2, so Weir closed its connection.";
  return { errorType: isRead ? "client-aborted" : "request-malformed", detail };
}

/**
 * The failure of a request whose stream ended with PROTOCOL_ERROR before any response. RFC 9113, 8.1.1, requires this
 * code for a malformed request; Node does not say which side sent the code. `length`: the request's Content-Length;
 * `missing`: how many of these bytes had not arrived.
 */
export function requestReset(length: Bytes, missing: Bytes): Failure {
  const reset = "The request's stream was reset with PROTOCOL_ERROR, as HTTP/2 requires for a malformed request.";
  const arrived = ` Only ${length - missing} of the ${length} bytes of its Content-Length had arrived.`;
  return { errorType: "request-malformed", detail: missing > 0 ? reset + arrived : reset };
}

/** The failure of a request whose stream ended with ENHANCE_YOUR_CALM, without saying which side sent the code. */
export const TOO_MANY_FIELDS: Failure = Object.freeze({
  errorType: "request-malformed",
  detail: "The client reset the request's stream, or Weir did because the trailers have too many fields.",
});

/** Whether Node ended an HTTP/2 connection because the peer broke the protocol. */
export function isHttp2Violation(error: Error | null): boolean {
  return error !== null && codeOf(error) === "ERR_HTTP2_ERROR";
}

export const STOPPED: Failure = Object.freeze({
  errorType: "proxy-stopped",
  detail: "Weir was stopped while the exchange was in flight.",
});

/** docs/security.md S5: the failure names the setting. */
export const PRIVATE_TARGET: Failure = Object.freeze({
  errorType: "target-refused",
  detail:
    "Clients from the network may not reach private addresses through Weir. " +
    "To allow it, turn on “Allow private addresses from the local network” in Settings, Proxy, or start Weir with --allow-private-targets.",
});

/** docs/security.md S21: the failure of a client of a transparent port whose server's name leads to this computer. */
export const LEADS_BACK: Failure = Object.freeze({
  errorType: "loop-refused",
  detail:
    "The server's name leads back to this computer, as an entry of the hosts file makes it. " +
    "Give Weir the server's real address: a line name=address:port in Settings, Proxy, Host overrides, or --host-override.",
});

/** The code of the error with which Weir breaks off its own connection once that has come back to Weir. */
export const LED_BACK = "ERR_LED_BACK";

const LOOP: Failure = Object.freeze({
  errorType: "loop-refused",
  detail:
    "A redirect led Weir's own connection to the server back to Weir. " +
    "Let the redirect leave out the user as whom Weir runs.",
});

type Cause = readonly [ErrorType, string];

/** Codes of the system and the resolver (errno(3), getaddrinfo(3)). */
const SYSTEM: Readonly<Record<string, Cause>> = {
  ENOTFOUND: ["name-not-resolved", "No address was found for the server's name."],
  EAI_AGAIN: ["name-not-resolved", "The name server could not be reached, or could not answer."],
  EAI_FAIL: ["name-not-resolved", "The name server refused to answer."],
  ERR_TOO_MANY_LOOKUPS: [
    "name-not-resolved",
    "Too many names were looked up at once, and this look-up had taken the longest.",
  ],
  EAI_NODATA: ["name-not-resolved", "The server's name has no address."],
  ECONNREFUSED: ["connection-refused", "Nothing listens on the server's port."],
  ETIMEDOUT: ["connection-timeout", "The server did not answer the attempt to connect."],
  EHOSTUNREACH: ["host-unreachable", "There is no network route to the server's host."],
  EHOSTDOWN: ["host-unreachable", "The server's host is down."],
  ENETUNREACH: ["host-unreachable", "There is no network route to the server's network."],
  ENETDOWN: ["host-unreachable", "The network is down."],
  EADDRNOTAVAIL: ["host-unreachable", "The server's address cannot be used from this computer."],
  EMFILE: ["host-unreachable", "Weir has reached the system's limit of open connections and files per program."],
  ENFILE: ["host-unreachable", "This computer has reached its limit of open connections and files."],
  EACCES: ["host-unreachable", "The system does not allow a connection to the server's address."],
  EPERM: ["host-unreachable", "The system does not allow a connection to the server's address."],
  ECONNRESET: ["server-reset", "The server reset the connection."],
  EPIPE: ["server-reset", "The server closed the connection while the request was being sent."],
  ERR_HTTP2_PING_UNANSWERED: ["response-timeout", "The server was silent, and did not even answer a PING."],
  ERR_HTTP2_TRAILER_TOO_LONG: [
    "request-malformed",
    "A trailer field of the request is over 64 KB, which most HTTP/2 servers refuse.",
  ],
  ERR_HTTP2_NO_SETTINGS: [
    "response-malformed",
    "The client spoke HTTP/2 without TLS, so Weir did too, and this server did not answer in HTTP/2. Let the client speak HTTP/1.1.",
  ],
  ECONNABORTED: ["server-reset", "The connection to the server was broken off."],
};

/** Node's names for X509_V_ERR_* (openssl-verify(1)), and codes of Node itself (ERR_TLS_…). */
const CERTIFICATE: Readonly<Record<string, Cause>> = {
  CERT_HAS_EXPIRED: ["tls-expired", "The server's certificate has expired."],
  CERT_NOT_YET_VALID: ["tls-not-yet-valid", "The server's certificate is not valid yet."],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls-wrong-host", "The server's certificate is for another host."],
  HOSTNAME_MISMATCH: ["tls-wrong-host", "The server's certificate is for another host."],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls-untrusted", "The server's certificate is self-signed."],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "tls-untrusted",
    "The server's certificate comes from an authority that Weir does not trust.",
  ],
  UNABLE_TO_GET_ISSUER_CERT: ["tls-untrusted", "An issuer of the server's certificate is missing."],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["tls-untrusted", "Weir does not know the issuer of the server's certificate."],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "tls-untrusted",
    "Weir does not know the issuer of the server's certificate. The server may have left out an intermediate certificate.",
  ],
  CERT_REVOKED: ["tls-untrusted", "The server's certificate has been revoked."],
  CERT_UNTRUSTED: ["tls-untrusted", "Weir does not trust the server's certificate."],
  CERT_REJECTED: ["tls-untrusted", "Weir rejects the server's certificate."],
  CERT_SIGNATURE_FAILURE: ["tls-untrusted", "The signature on the server's certificate is wrong."],
  CERT_CHAIN_TOO_LONG: ["tls-untrusted", "The server's chain of certificates is too long."],
  PATH_LENGTH_EXCEEDED: [
    "tls-untrusted",
    "An issuer in the server's chain of certificates may not issue certificates.",
  ],
  INVALID_CA: ["tls-untrusted", "An issuer in the server's chain of certificates is not a certificate authority."],
  INVALID_PURPOSE: ["tls-untrusted", "The server's certificate is not meant for servers."],
  ERR_TLS_DH_PARAM_SIZE: ["tls-weak", "The server's key exchange is too weak."],
};

/** Patterns for OpenSSL's reasons (ERR_SSL_…). The first match counts. */
const OPENSSL: readonly (readonly [RegExp, ErrorType, string])[] = [
  [/CERTIFICATE_REQUIRED|PEER_DID_NOT_RETURN/, "tls-client-certificate", "The server asks for a client certificate."],
  [
    // The server's alert is about our client certificate (RFC 8446, 6.2). Up to TLS 1.2, some servers also send it if
    // they got no certificate.
    /ALERT_(?:UNKNOWN_CA|(?:BAD_|NO_|UNSUPPORTED_)?CERTIFICATE)/,
    "tls-client-certificate",
    "The server rejected Weir's client certificate, or got none.",
  ],
  [
    // By default, OpenSSL 3 refuses servers without secure renegotiation. RFC 5746, 4.1, would allow a client to accept
    // such servers.
    /UNSAFE_LEGACY_RENEGOTIATION_DISABLED/,
    "tls-renegotiation",
    "The server lacks secure renegotiation (RFC 5746), without which Weir does not connect. Let its host pass through, or update the server.",
  ],
  [/TOO_WEAK|TOO_SMALL|INSUFFICIENT_SECURITY|LEGACY/, "tls-weak", "The server's keys or signatures are too weak."],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|RECORD_LAYER/,
    "tls-protocol",
    "The server does not speak TLS on this port.",
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE/,
    "tls-protocol",
    "The server supports no safe version of TLS.",
  ],
  [/NO_APPLICATION_PROTOCOL/, "tls-protocol", "The server supports none of the offered HTTP versions."],
  [/UNRECOGNIZED_NAME/, "tls-wrong-host", "The server does not know this host name."],
];

/** The failure for an error of a socket, the resolver or TLS towards a server. */
export function errorTypeOf(error: Error): Failure {
  const code = codeOf(error);
  if (code === LED_BACK) return LOOP;
  if (error.message.startsWith("Client network socket disconnected"))
    return { errorType: "server-closed", detail: "The server closed the connection during the TLS handshake." };
  if (code === "ETIMEDOUT" && "syscall" in error && (error.syscall === "read" || error.syscall === "write"))
    return { errorType: "server-reset", detail: "The server's host can no longer be reached. (ETIMEDOUT)" };
  const known = SYSTEM[code] ?? CERTIFICATE[code];
  if (known !== undefined) return { errorType: known[0], detail: `${known[1]} (${code})` };
  // OpenSSL's verify errors that are not in Node's list have only a message.
  if (/(key|md|digest|algorithm) too weak|key too small/i.test(error.message))
    return { errorType: "tls-weak", detail: `The server's keys or signatures are too weak. (${error.message})` };
  if (code.startsWith("ERR_HTTP2_")) return http2FailureOf(code, error.message);
  const isTls =
    code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO" || code === "UNSPECIFIED";
  if (!isTls) return { errorType: "server-reset", detail: `The connection to the server failed. (${reasonOf(error)})` };
  const reason = OPENSSL.find(([pattern]) => pattern.test(code));
  if (reason !== undefined) return { errorType: reason[1], detail: `${reason[2]} (${reasonOf(error)})` };
  return { errorType: "tls-failed", detail: `The TLS handshake with the server failed. (${reasonOf(error)})` };
}

/** Codes with which Node itself may reset a stream, so they do not show which side caused the reset. */
const OURS: Readonly<Record<string, string>> = {
  PROTOCOL_ERROR: "The server reset the request's stream, or Weir did because HTTP/2 does not allow the response.",
  ENHANCE_YOUR_CALM:
    "The server reset the request's stream, or Weir did because the response's head has too many fields.",
};

/** The failure for an HTTP/2 error of Node, about one stream or the whole connection. */
function http2FailureOf(code: string, message: string): Failure {
  const name = /NGHTTP2_\w+/.exec(message)?.[0].slice("NGHTTP2_".length) ?? message;
  if (code === "ERR_HTTP2_ERROR")
    return { errorType: "response-malformed", detail: `The server broke the rules of HTTP/2. (${name})` };
  if (code !== "ERR_HTTP2_STREAM_ERROR")
    return { errorType: "server-reset", detail: `The server broke off the connection. (${name})` };
  const who = OURS[name] ?? "The server reset the request's stream.";
  return { errorType: "server-reset", detail: `${who} (${name})` };
}

/**
 * Alerts with which a client rejects our certificate (RFC 8446, 6.2). OpenSSL and rustls send DECRYPT_ERROR if the
 * signature is not from the root that they trust, as after our root was renewed.
 */
const REJECTIONS =
  /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE(?!_)|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR)/;

/** The failure of a client's TLS handshake; `null` if the client closed without an alert, since that proves nothing. */
export function clientTlsFailureOf(error: Error | null): Failure | null {
  const code = error === null ? "" : codeOf(error);
  if (error === null || code === "ECONNRESET" || code === "EPIPE") return null;
  const words = ` (${reasonOf(error)})`;
  if (REJECTIONS.test(code))
    return { errorType: "client-rejected-certificate", detail: `The client rejected Weir's certificate.${words}` };
  return { errorType: "client-tls-failed", detail: `The TLS handshake with the client failed.${words}` };
}

/** The system's code, or OpenSSL's reason as `ERR_SSL_…`; "" if there is neither. */
function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function reasonOf(error: Error): string {
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : null;
  return reason ?? (codeOf(error) || error.message);
}

/** The error types that have a status other than 502. */
const STATUSES: Readonly<Partial<Record<ErrorType, number>>> = {
  "connection-timeout": 504,
  "tls-timeout": 504,
  "response-timeout": 504,
  "loop-refused": 508,
  "target-refused": 403,
  "proxy-stopped": 503,
  "request-malformed": 400,
  "request-truncated": 400,
};

/** The status of the response that Weir generates if a failure left the client without one (RFC 9110, 15). */
export function statusFor(errorType: ErrorType): number {
  return STATUSES[errorType] ?? 502;
}
