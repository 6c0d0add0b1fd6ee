import type { ErrorType } from "./exchange.ts";

const TEXTS: Readonly<Record<ErrorType, string>> = {
  "name-not-resolved": "The server's name could not be resolved",
  "connection-refused": "The server refused the connection",
  "connection-timeout": "The server did not accept the connection in time",
  "host-unreachable": "The server could not be reached",
  "tls-untrusted": "The server's certificate is not trusted",
  "tls-expired": "The server's certificate has expired",
  "tls-not-yet-valid": "The server's certificate is not valid yet",
  "tls-wrong-host": "The server's certificate is for another name",
  "tls-weak": "The server's certificate or key is too weak",
  "tls-protocol": "The server offers no safe TLS version",
  "tls-client-certificate": "The server asked for a client certificate",
  "tls-renegotiation": "The server lacks secure TLS renegotiation",
  "tls-timeout": "The TLS handshake with the server took too long",
  "tls-failed": "The TLS handshake with the server failed",
  "server-reset": "The server reset the connection",
  "server-closed": "The server closed the connection without a response",
  "response-malformed": "The response could not be read safely",
  "response-truncated": "The response was cut short",
  "response-timeout": "The server did not respond in time",
  "request-malformed": "The request could not be read safely",
  "request-truncated": "The request was cut short",
  "client-aborted": "The client gave up",
  "client-rejected-certificate": "The client rejected Weir's certificate",
  "client-tls-failed": "The TLS handshake with the client failed",
  "upstream-proxy-failed": "The upstream proxy did not forward the request",
  "loop-refused": "Refused: the request would loop back to Weir",
  "target-refused": "Refused: this client may not reach that address",
  "request-refused": "Refused: a request to Weir itself",
  "proxy-stopped": "The proxy was stopped",
  "network-failed": "The request failed for another reason",
};

/** Why no usable response reached the client, as text. */
export function errorTypeText(errorType: ErrorType): string {
  return TEXTS[errorType];
}
