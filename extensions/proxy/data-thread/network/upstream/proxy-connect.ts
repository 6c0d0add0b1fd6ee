import type { Socket } from "node:net";
import { valuesOf } from "../../../../../src/engine/model/head.ts";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import { LIMITS, MOST_INTERIM, type ResponseHead } from "../http1/message.ts";
import { ResponseReader } from "../http1/response-reader.ts";
import type { Server } from "../origin.ts";
import { errorTypeOf, type Failure } from "../sockets/error-type.ts";
import type { UpstreamProxy } from "./route.ts";

/**
 * Requests a tunnel from an upstream proxy over `socket` (RFC 9110, 9.3.6). Calls `done` once, with `null` when the
 * tunnel is open; bytes that the server has already sent are put back into the socket. If the socket is destroyed
 * first, `done` is not called.
 */
export function openTunnel(
  socket: Socket,
  { host, port }: Server,
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
  return failedWith(`The upstream proxy could not be used: ${detail} (“The server” means the upstream proxy here.)`);
}

/**
 * The failure when the upstream proxy responds with 407 (RFC 9110, 15.5.8). The client does not get the 407, because
 * the credentials are Weir's. Names the schemes if Weir's own, Basic (RFC 7617), is not among them.
 */
export function proxyCredentials({ text }: Pick<ResponseHead, "text">): Failure {
  const schemes = [...new Set(valuesOf(text, "proxy-authenticate").flatMap(schemesIn))];
  const isBasic = schemes.length === 0 || schemes.some((scheme) => scheme.toLowerCase() === "basic");
  return failedWith(isBasic ? PASSWORD : otherSchemes(schemes));
}

const PASSWORD =
  "The upstream proxy rejected the user name and password, or got none (407). Enter them in Settings, Proxy, “Upstream proxy”.";

function otherSchemes(schemes: readonly string[]): string {
  const named = schemes.slice(0, MOST_SCHEMES).join(" or ");
  return (
    `The upstream proxy takes only ${named} (407). Weir sends it a user name and password (Basic) alone. ` +
    "Run a local proxy that logs in with it, such as Px or Cntlm, and enter that one's address as the upstream proxy."
  );
}

const MOST_SCHEMES = 3;

/** The schemes of a list of challenges (RFC 9110, 11.3 and 11.6.1), which share their commas with parameters. */
function schemesIn(challenges: string): readonly string[] {
  const outsideQuotes = challenges
    .replaceAll('\\"', "")
    .split('"')
    .filter((_, index) => index % 2 === 0);
  return outsideQuotes
    .join("q")
    .split(",")
    .map((part) => part.trim().split(" "))
    .flatMap(([word = "", next = ""]) => (SCHEME.test(word) && !next.startsWith("=") ? word : []));
}

/** The longest scheme of IANA's list has 14 letters. */
const SCHEME = /^[a-z][a-z\d-]{0,31}$/i;

const NO_PROXY = failedWith("The server at the upstream proxy's address is not an HTTP proxy.");

const CLOSED = failedWith("The upstream proxy closed the connection when it was asked for a tunnel.");

const TOO_MANY = failedWith(
  `The upstream proxy sent more than ${MOST_INTERIM} interim responses before it opened the tunnel.`,
);

function failedWith(detail: string): Failure {
  return Object.freeze({ errorType: "upstream-proxy-failed", detail });
}

function refusal(head: ResponseHead): Failure {
  const { status, reason } = head;
  if (status === 407) return proxyCredentials(head);
  return failedWith(`The upstream proxy refused to connect to the server: ${`${status} ${reason}`.trim()}.`);
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
