import { once } from "node:events";
import { connect, type Socket } from "node:net";
import * as tls from "node:tls";
import type { Route, Target } from "./job.ts";

/** Time limit in ms without a byte from the peer. */
const SILENCE = 10_000;

/** The trusted roots: of the proxies, and of the origin. */
let trusted: tls.SecureContext | null = null;

export function trust(certificates: readonly string[]): void {
  trusted = tls.createSecureContext({ ca: [...certificates] });
}

/** The only protocol offered in ALPN, so that no other can be chosen. */
type Protocol = "http/1.1" | "h2";

/** A socket for requests to the target. Each handshake is a full one, and the certificate is verified. */
export async function openConnection(route: Route, target: Target, protocol: Protocol = "http/1.1"): Promise<Socket> {
  const socket = connect({ port: route.port, host: "127.0.0.1", noDelay: true });
  socket.setTimeout(SILENCE, () => socket.destroy(new Error(`nothing was heard for ${SILENCE} ms`)));
  await once(socket, "connect");
  if (!target.secure) return socket;
  if (route.kind === "proxy") await openTunnel(socket, `${target.host}:${target.port}`);
  if (trusted === null) throw new Error("nobody is trusted yet");
  const secured = tls.connect({ socket, servername: target.host, secureContext: trusted, ALPNProtocols: [protocol] });
  await once(secured, "secureConnect");
  if (protocol === "h2" && secured.alpnProtocol !== "h2") throw new Error("HTTP/2 was not agreed on");
  return secured;
}

/** Twenty paths, so that a recording proxy gets several endpoints and targets. */
export const PATHS: readonly string[] = Array.from(
  { length: 20 },
  (_, number) => `/api/items/${number % 5}?page=${number}`,
);

/** The header fields that each request has. */
export const CLIENT_FIELDS: readonly (readonly [name: string, value: string])[] = [
  ["User-Agent", "Mozilla/5.0 (X11; Linux x64) bench/1.0"],
  ["Accept", "application/json, text/plain, */*"],
  ["Accept-Language", "en-GB,en;q=0.8"],
  ["Cookie", "session=2f6c1a9e7b3d4c58; theme=dark"],
];

export function headFor(
  method: string,
  path: string,
  route: Route,
  target: Target,
  ...more: readonly string[]
): string {
  const host = `${target.host}:${target.port}`;
  const isAbsolute = route.kind === "proxy" && !target.secure;
  return [
    `${method} ${isAbsolute ? `http://${host}` : ""}${path} HTTP/1.1`,
    `Host: ${host}`,
    ...CLIENT_FIELDS.map((field) => field.join(": ")),
    ...more,
    "\r\n",
  ].join("\r\n");
}

/** Detects the end of a response without parsing: each small response of the origin ends with `}` and a line feed. */
export class AnswerEnd {
  #isChunked: boolean | null = null;

  /** Throws if the first response is not a 200. */
  isIn(bytes: Buffer): boolean {
    this.#isChunked ??= isChunked(bytes.toString("latin1"));
    const { length } = bytes;
    return this.#isChunked
      ? bytes[length - 5] === ZERO && bytes[length - 3] === LF && bytes[length - 1] === LF
      : bytes[length - 2] === BRACE && bytes[length - 1] === LF;
  }
}

function isChunked(head: string): boolean {
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(`not the answer that was expected: ${head.slice(0, 500)}`);
  return /\r\ntransfer-encoding: *chunked/i.test(head);
}

const ZERO = 0x30;
const BRACE = 0x7d;
const LF = 0x0a;

async function openTunnel(socket: Socket, authority: string): Promise<void> {
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const [bytes] = (await once(socket, "data")) as [Buffer];
    head += bytes.toString("latin1");
  }
  socket.pause();
  if (!/^HTTP\/1\.[01] 200/.test(head)) throw new Error(`CONNECT was refused: ${head.split("\r\n")[0]}`);
}
