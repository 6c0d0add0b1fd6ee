import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { RawPeer } from "./raw-peer.ts";

/** A server that sends what a test writes. */
export interface RawServer {
  readonly port: number;
  /** All connections so far. */
  readonly peers: readonly RawPeer[];
  /** The TCP connections that are open. */
  readonly transports: ReadonlySet<Socket>;
  /** Resolves with the connection of this index, from 0, once it is open. */
  peer(index: number): Promise<RawPeer>;
  stop(): Promise<void>;
}

/** Calls `serve` for each connection, which closes if `serve` fails. */
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

/** Responds to every request with what `answer` returns for its head; requests have no body. */
export function answering(answer: (head: string) => string | Uint8Array): (peer: RawPeer) => Promise<void> {
  return async (peer) => {
    for (;;) peer.send(answer(await peer.head()));
  };
}

/** A response with this body. */
export function ok(body: string, ...lines: readonly string[]): string {
  const head = ["HTTP/1.1 200 OK", `Content-Length: ${body.length}`, ...lines].join("\r\n");
  return `${head}\r\n\r\n${body}`;
}
