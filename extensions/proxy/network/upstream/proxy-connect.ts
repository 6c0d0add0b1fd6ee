import type { Socket } from "node:net";
import { hostPort } from "../../../../src/engine/model/host-port.ts";
import { LIMITS, MOST_INTERIM } from "../http1/limits.ts";
import type { ResponseHead } from "../http1/message.ts";
import { ResponseReader } from "../http1/response-reader.ts";
import { errorTypeOf, type Failure } from "../sockets/error-type.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";

/**
 * Requests a tunnel from an upstream proxy over `socket` (RFC 9110, 9.3.6). Calls `done` once, with `null` when the
 * tunnel is open; bytes that the server has already sent are put back into the socket. If the socket is destroyed
 * first, `done` is not called.
 */
export function openTunnel(
  socket: Socket,
  { host, port }: { readonly host: string; readonly port: number },
  { authorization }: UpstreamProxy,
  done: (failure: Failure | null) => void,
): void {
  const authority = hostPort(host, port);
  const reader = new ResponseReader(LIMITS);
  reader.expect("CONNECT");
  let interim = 0;
  const finish = (failure: Failure | null): void => {
    socket.off("data", received);
    socket.off("end", ended);
    socket.off("error", failed);
    socket.pause();
    done(failure);
  };
  const received = (bytes: Buffer): void => {
    reader.feed(bytes);
    const head = finalHead(reader, () => {
      interim += 1;
      return interim <= MOST_INTERIM;
    });
    if (head === null) return;
    if (head === "too many") return finish(TOO_MANY);
    if (head === "malformed") return finish(NO_PROXY);
    if (head.status < 200 || head.status > 299) return finish(refusal(head));
    const early = reader.rest();
    finish(null);
    if (early.length > 0) socket.unshift(early);
  };
  const ended = (): void => finish(CLOSED);
  const failed = (error: Error): void => finish(proxyFailure(errorTypeOf(error)));
  socket.on("data", received);
  socket.on("end", ended);
  socket.on("error", failed);
  const credentials = authorization === null ? "" : `Proxy-Authorization: ${authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`, "latin1");
  socket.resume();
}

/** The failure of an upstream proxy, from the failure of the connection to the proxy. */
export function proxyFailure({ detail }: Failure): Failure {
  return {
    errorType: "upstream-proxy-failed",
    detail: `The upstream proxy could not be used: ${detail} (“The server” means the upstream proxy here.)`,
  };
}

/**
 * The failure when the upstream proxy responds with 407 (RFC 9110, 15.5.8). The client does not get the 407, because
 * the credentials are Weir's.
 */
export const PROXY_CREDENTIALS: Failure = Object.freeze({
  errorType: "upstream-proxy-failed",
  detail:
    "The upstream proxy rejected the user name and password, or got none (407). Enter them in Settings, Proxy, “Upstream proxy”.",
});

const NO_PROXY: Failure = Object.freeze({
  errorType: "upstream-proxy-failed",
  detail: "The server at the upstream proxy's address is not an HTTP proxy.",
});

const CLOSED: Failure = Object.freeze({
  errorType: "upstream-proxy-failed",
  detail: "The upstream proxy closed the connection when it was asked for a tunnel.",
});

const TOO_MANY: Failure = Object.freeze({
  errorType: "upstream-proxy-failed",
  detail: `The upstream proxy sent more than ${MOST_INTERIM} interim responses before it opened the tunnel.`,
});

function refusal({ status, reason }: ResponseHead): Failure {
  if (status === 407) return PROXY_CREDENTIALS;
  return {
    errorType: "upstream-proxy-failed",
    detail: `The upstream proxy refused to connect to the server: ${`${status} ${reason}`.trim()}.`,
  };
}

/** The head of the response once it is complete. `mayPass` is asked about each interim response, which is skipped. */
function finalHead(reader: ResponseReader, mayPass: () => boolean): ResponseHead | "malformed" | "too many" | null {
  for (;;) {
    const event = reader.next();
    if (event === null) return null;
    if (event.kind === "refused") return "malformed";
    if (event.kind === "head" && (event.head.status >= 200 || event.head.status === 101)) {
      // Takes the `end` event of a 2xx to CONNECT, so that `rest` returns the tunnel's bytes.
      if (event.head.status < 300) reader.next();
      return event.head;
    }
    if (event.kind === "head" && !mayPass()) return "too many";
  }
}
