import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { RawPeer } from "./raw-peer.ts";

/** A server that sends exactly the bytes that a test writes. */
export interface RawServer {
  readonly port: number;
  /** All connections so far, including closed ones. */
  readonly peers: readonly RawPeer[];
  /** The TCP connections that are open. */
  readonly transports: ReadonlySet<Socket>;
  /** Resolves with the connection number `index`, from 0, when it is open. */
  peer(index: number): Promise<RawPeer>;
  stop(): Promise<void>;
}

/** Calls `serve` for each connection. If `serve` fails, the connection is closed. */
export async function rawServer(
  serve: (peer: RawPeer) => unknown = () => {},
  secure: tls.TlsOptions | null = null,
): Promise<RawServer> {
  const peers: RawPeer[] = [];
  const sockets = new Set<Socket>();
  let arrived: () => void = () => {};
  const accept = (socket: Socket): void => {
    const peer = new RawPeer(socket);
    peers.push(peer);
    arrived();
    Promise.resolve()
      .then(() => serve(peer))
      .catch(() => peer.close());
  };
  const server: Server =
    secure === null
      ? createServer({ allowHalfOpen: true, noDelay: true }, accept)
      : tls.createServer({ allowHalfOpen: true, noDelay: true, ...secure }, accept);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    peers,
    transports: sockets,
    peer: async (index) => {
      for (;;) {
        const peer = peers[index];
        if (peer !== undefined) return peer;
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Answers each request with the result of `answer` for the request's head; requests have no body. */
export function answering(answer: (head: string) => string | Uint8Array): (peer: RawPeer) => Promise<void> {
  return async (peer) => {
    for (;;) peer.send(answer(await peer.head()));
  };
}

/** A 200 response with the given body. */
export function ok(body: string, ...lines: readonly string[]): string {
  const head = ["HTTP/1.1 200 OK", `Content-Length: ${body.length}`, ...lines].join("\r\n");
  return `${head}\r\n\r\n${body}`;
}
