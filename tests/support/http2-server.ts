import { once } from "node:events";
import * as http2 from "node:http2";
import type { Socket } from "node:net";
import { servedBy } from "./test-authority.ts";
import type { TestProxy } from "./test-proxy.ts";

/** An HTTP/2 server, over TLS by default. */
export interface Http2Server {
  readonly port: number;
  /** All HTTP/2 connections so far, including closed ones. */
  readonly sessions: readonly http2.ServerHttp2Session[];
  stop(): Promise<void>;
}

/** Handles a stream. */
export type ServeStream = (
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  raw: readonly string[],
) => void;

/** Calls `serve` for each stream. Calls `serveHttp1` for each HTTP/1.1 request, if HTTP/1.1 is allowed. */
export async function http2Server(
  { servers }: Pick<TestProxy, "servers">,
  serve: ServeStream,
  { clear = false, ...options }: http2.SecureServerOptions & { readonly clear?: boolean } = {},
  serveHttp1: ((request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void) | null = null,
): Promise<Http2Server> {
  const sessions: http2.ServerHttp2Session[] = [];
  const sockets = new Set<Socket>();
  const server = clear ? http2.createServer(options) : http2.createSecureServer({ ...options, ...servedBy(servers) });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("session", (session: http2.ServerHttp2Session) => {
    sessions.push(session);
    session.on("error", () => {});
  });
  server.on(
    "stream",
    (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, _flags: number, raw: string[]) => {
      stream.on("error", () => {});
      serve(stream, headers, raw);
    },
  );
  if (serveHttp1 !== null)
    server.on("request", (request, response) => {
      if (request.httpVersionMajor === 1) serveHttp1(request, response);
    });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    sessions,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Answers with a short text. */
export function hello(stream: http2.ServerHttp2Stream): void {
  stream.respond({ ":status": 200 });
  stream.end("hello");
}

/** Answers with the request: its body as body, its other parts as headers. */
export function echo(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
  const pieces: Buffer[] = [];
  stream.on("data", (bytes: Buffer) => pieces.push(bytes));
  stream.on("end", () => {
    const told = Object.entries(headers).map(([name, value]) => [`x-${name.replace(":", "-")}`, String(value)]);
    stream.respond({ ":status": 200, ...Object.fromEntries(told) });
    stream.end(Buffer.concat(pieces));
  });
}
