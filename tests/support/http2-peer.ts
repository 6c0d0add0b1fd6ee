import { once } from "node:events";
import * as http2 from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { RawPeer } from "./raw-peer.ts";
import type { TestProxy } from "./test-proxy.ts";

/** The response on a stream. */
export interface StreamReply {
  readonly status: number;
  readonly headers: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader;
  readonly body: Buffer;
  readonly trailers: http2.IncomingHttpHeaders;
}

/** An HTTP/2 client that uses the proxy: over TLS for `https`, with prior knowledge for `http`. */
export async function http2Client(
  proxy: Pick<TestProxy, "port" | "clientCa">,
  origin: string,
  options: http2.ClientSessionOptions = {},
): Promise<http2.ClientHttp2Session> {
  const { hostname, port, protocol } = new URL(origin);
  const authority = `${hostname}:${port === "" ? 443 : port}`;
  const socket = await (protocol === "https:"
    ? secured(proxy, authority)
    : RawPeer.tunnel(proxy.port, authority).then((peer) => peer.socket));
  return await sessionOver(socket, origin, options);
}

/** A client's HTTP/2 connection over an open socket, after the server's preface has arrived. */
export async function sessionOver(
  socket: Socket,
  origin: string,
  options: http2.ClientSessionOptions = {},
): Promise<http2.ClientHttp2Session> {
  socket.removeAllListeners("data");
  const session = http2.connect(origin, { ...options, createConnection: () => socket });
  session.on("error", () => {});
  // HTTP/2 cannot use a socket that is closed in one direction.
  socket.on("end", () => session.destroy());
  await once(session, "remoteSettings");
  return session;
}

async function secured(proxy: Pick<TestProxy, "port" | "clientCa">, authority: string): Promise<Socket> {
  const { socket } = await RawPeer.secure(proxy.port, authority, proxy.clientCa, ["h2", "http/1.1"]);
  const chosen = (socket as TLSSocket).alpnProtocol;
  if (chosen !== "h2") throw new Error(`the proxy chose ${String(chosen)}`);
  return socket;
}

/** Sends a request and reads the whole response; rejects if the stream is reset. */
export async function ask(
  session: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body: Buffer | string | null = null,
): Promise<StreamReply> {
  const stream = session.request(headers, { endStream: body === null });
  if (body !== null) stream.end(body);
  return await replyOn(stream);
}

/** Reads the response on a stream. */
export async function replyOn(stream: http2.ClientHttp2Stream): Promise<StreamReply> {
  return await new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let head: StreamReply["headers"] | null = null;
    let trailers: http2.IncomingHttpHeaders = {};
    let ended = false;
    stream.on("response", (headers) => {
      head = headers;
    });
    stream.on("trailers", (fields) => {
      trailers = fields;
    });
    stream.on("data", (bytes: Buffer) => pieces.push(bytes));
    stream.on("end", () => {
      ended = true;
    });
    stream.on("error", reject);
    stream.on("close", () => {
      if (head === null || !ended) return reject(new Error(`the stream closed early, code ${stream.rstCode}`));
      resolve({ status: Number(head[":status"]), headers: head, body: Buffer.concat(pieces), trailers });
    });
  });
}
