import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { answerParent } from "../child.ts";
import { CLIENT_FRAME, SERVER_FRAME, upgraded } from "./frames.ts";
import { SMALL_BODY, SMALL_FIELDS } from "./small-answer.ts";

/*
 * The origin behind all proxies: raw sockets that do as little as possible, so that the proxies are measured.
 *
 *   GET /api/…    a small JSON answer       GET /bytes/N   N bytes
 *   PUT /upload   reads the body            GET /socket    WebSocket; each reply has the message's size
 */

const [certificate = "", key = ""] = process.argv.slice(2);

const SMALL = Buffer.concat([
  Buffer.from(["HTTP/1.1 200 OK", ...SMALL_FIELDS.map((field) => field.join(": ")), "\r\n"].join("\r\n")),
  SMALL_BODY,
]);
const TAKEN = Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n{}\n");
const PIECE = Buffer.alloc(64 * 1024, "0123456789abcdef");

const plain = createServer({ noDelay: true }, serve);
const secure = tls.createServer({ cert: readFileSync(certificate), key: readFileSync(key), noDelay: true }, serve);
answerParent({ plain: await listen(plain), secure: await listen(secure) }, () => null);

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function serve(socket: Socket): void {
  let pending: Buffer | null = null;
  let bodyLeft = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    if (bodyLeft > 0) {
      bodyLeft -= bytes.length;
      if (bodyLeft <= 0) socket.write(TAKEN);
      return;
    }
    const head = pending === null ? bytes : Buffer.concat([pending, bytes]);
    const end = head.indexOf("\r\n\r\n");
    pending = end < 0 ? head : null;
    if (end < 0) return;
    // "GET /a…": the small answer, by far the most frequent.
    if (head[5] === 0x61) {
      socket.write(SMALL);
      return;
    }
    const text = head.toString("latin1", 0, end);
    if (text.startsWith("GET /bytes/")) return sendBytes(socket, Number(/^GET \/bytes\/(\d+)/.exec(text)?.[1]));
    if (text.startsWith("GET /socket")) return converse(socket, text);
    bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0) - (head.length - end - 4);
    if (bodyLeft <= 0) socket.write(TAKEN);
  });
}

function sendBytes(socket: Socket, count: number): void {
  let left = count;
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${count}\r\n\r\n`);
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
    socket.off("drain", more);
  };
  socket.on("drain", more);
  more();
}

function converse(socket: Socket, head: string): void {
  socket.removeAllListeners("data");
  socket.write(upgraded(head));
  let bytesHeard = 0;
  socket.on("data", (bytes) => {
    bytesHeard += bytes.length;
    const messages = Math.floor(bytesHeard / CLIENT_FRAME.length);
    bytesHeard -= messages * CLIENT_FRAME.length;
    for (let count = 0; count < messages; count += 1) socket.write(SERVER_FRAME);
  });
}
