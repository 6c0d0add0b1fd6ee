import { type AddressInfo, createServer, type Socket } from "node:net";
import { constants, deflateRawSync } from "node:zlib";
import { answerParent } from "../child.ts";
import { upgraded } from "./frames.ts";

/*
 * A hostile server. The first segment of a path names what it does; `/good/N` has N bytes, and every other path gets a
 * short response.
 */

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";

/** What a request for a path meets. */
const ANSWERS: Readonly<Record<string, (socket: Socket, head: string) => void>> = {
  good: (socket, head) => {
    const length = Number(/\/good\/(\d+)/.exec(head)?.[1]);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${"g".repeat(length)}`);
  },
  reset: (socket) => socket.resetAndDestroy(),
  close: (socket) => socket.end(),
  cut: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhalf"),
  hang: () => {},
  late: (socket) => setTimeout(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 1_000),
  chunk: (socket) => socket.write(`${CHUNKED}\r\n5\r\nhello\r\nnonsense\r\n`),
  head: (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"),
  chunks: (socket) => pump(socket, `${CHUNKED}\r\n`, "1 \r\nx\r\n".repeat(8_000)),
  heads: (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${"h".repeat(120_000)}\r\nContent-Length: 0\r\n\r\n`),
  events: (socket) =>
    pump(socket, `${CHUNKED}Content-Type: text/event-stream\r\n\r\n`, "9\r\ndata: x\n\n\r\n".repeat(4_000)),
  frames: (socket, head) => pump(socket, upgraded(head), Buffer.from([0x89, 0]).toString("latin1").repeat(32_000)),
  quiet: (socket, head) => socket.write(upgraded(head)),
  bombs: (socket, head) => pump(socket, upgraded(head, DEFLATE), BOMB),
};

const DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n";
/** A binary message of 16 MiB of zeros, compressed (RFC 7692, 7.2.1), in one frame of up to 64 KiB. */
const BOMB = bombOf(16 * 1024 * 1024);

const server = createServer({ noDelay: true }, (socket) => {
  let head = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    head += bytes.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const request = head.slice(0, end);
    head = "";
    // The bytes of an upload, and of a client's frames, are read and dropped.
    if (/^POST|\r\nupgrade:/i.test(request)) socket.removeAllListeners("data").resume();
    const answer = ANSWERS[/^\S+ \/(\w*)/.exec(request)?.[1] ?? ""];
    if (answer !== undefined) answer(socket, request);
    else if (!request.startsWith("POST")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
}).listen(0, "127.0.0.1", () => answerParent({ port: (server.address() as AddressInfo).port }, () => null));

/** Sends `start`, then `piece` again and again, as fast as the peer reads. */
function pump(socket: Socket, start: string, piece: string): void {
  const bytes = Buffer.from(piece, "latin1");
  const more = (): void => {
    if (socket.destroyed) return;
    if (socket.write(bytes)) setImmediate(more);
    else socket.once("drain", more);
  };
  socket.write(start);
  more();
}

function bombOf(size: number): string {
  const data = deflateRawSync(Buffer.alloc(size), { level: 9, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  const head = Buffer.from([0xc2, 126, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([head, data]).toString("latin1");
}
