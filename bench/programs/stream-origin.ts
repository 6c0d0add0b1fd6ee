import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { answerParent } from "../child.ts";
import { IMAGE_PAGE, imageOf, RESOURCE, RESOURCE_WAIT, resourcePageOf } from "./image-page.ts";
import { SMALL_BODY, SMALL_FIELDS } from "./small-answer.ts";

/*
 * The HTTP/2 origin of all subjects. Over HTTP/1.1, it has only the responses that are sent as a whole.
 *
 *   GET /api/…    a small JSON answer       GET /bytes/N   N bytes
 *   GET /open     begins and does not end   GET /timed/N/WAIT/REST   begins after WAIT ms, ends REST ms later, is timed
 *   GET /page     300 images                GET /image/N   one of them
 *   GET /resources/HOST/HOST/…   a page of 60 resources   GET /resource/N   one of them, after 5 ms
 */

/** When this process received a request, and started and ended the response, in ms by its own clock. */
export interface Stamps {
  readonly path: string;
  readonly received: number;
  readonly begun: number;
  readonly ended: number;
}

/** A response that is sent as a whole. */
interface Whole {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const [certificate = "", key = ""] = process.argv.slice(2);
const PIECE = Buffer.alloc(64 * 1024, "0123456789abcdef");
const SMALL: Whole = { fields: SMALL_FIELDS, body: SMALL_BODY };
const PAGE = whole("text/html", IMAGE_PAGE);
const RESOURCE_ANSWER: Whole = {
  ...whole("image/gif", RESOURCE),
  fields: [...whole("image/gif", RESOURCE).fields, ["timing-allow-origin", "*"]],
};
/** The head of the small response, built once. */
const SMALL_HEAD = [":status", "200", ...SMALL.fields.flatMap(([name, value]) => [name.toLowerCase(), value])];

let stamps: Stamps[] = [];

const server = createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key), allowHTTP1: true });
server.on("session", (session) => session.on("error", () => session.destroy()));
server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
  stream.on("error", () => {});
  serve(stream, headers[":path"] ?? "");
});
server.on("request", (request, response) => {
  if (request.httpVersionMajor > 1) return;
  const { fields, body } = wholeAt(request.url);
  for (const [name, value] of fields) response.setHeader(name, value);
  afterWait(request.url, () => response.end(body));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
answerParent({ port: (server.address() as AddressInfo).port }, () => {
  const taken = stamps;
  stamps = [];
  return taken;
});

function serve(stream: ServerHttp2Stream, path: string): void {
  const [, what, first, second, third] = path.split("/");
  switch (what) {
    case "bytes":
      return sendBytes(stream, Number(first));
    case "open":
      stream.respond({ ":status": 200, "content-type": "application/json" });
      stream.write("{}\n");
      return;
    case "warm":
    case "timed":
      return void sendTimed(stream, path, Number(second), Number(third));
    case "api":
      stream.respond(SMALL_HEAD, { sendDate: false } as object);
      stream.end(SMALL.body);
      return;
    default:
      return afterWait(path, () => sendWhole(stream, wholeAt(path)));
  }
}

function sendWhole(stream: ServerHttp2Stream, { fields, body }: Whole): void {
  if (stream.destroyed) return;
  stream.respond({ ":status": 200, ...Object.fromEntries(fields) });
  stream.end(body);
}

function wholeAt(path: string): Whole {
  if (path.startsWith("/api/")) return SMALL;
  if (path.startsWith("/resource/")) return RESOURCE_ANSWER;
  if (path.startsWith("/resources/")) return whole("text/html", resourcePageOf(path.split("/").slice(2)));
  if (path.startsWith("/image/")) return whole("image/gif", imageOf(Number(path.slice("/image/".length))));
  return PAGE;
}

/** Calls `answer` when the response for `path` is due. */
function afterWait(path: string, answer: () => void): void {
  if (path.startsWith("/resource/")) setTimeout(answer, RESOURCE_WAIT);
  else answer();
}

function whole(type: string, body: Buffer): Whole {
  return {
    fields: [
      ["content-type", type],
      ["content-length", String(body.length)],
      ["cache-control", "no-store"],
    ],
    body,
  };
}

function sendBytes(stream: ServerHttp2Stream, count: number): void {
  let left = count;
  stream.respond({ ":status": 200, "content-type": "application/octet-stream", "content-length": count });
  const more = (): void => {
    while (left > 0 && !stream.destroyed) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
      left -= piece.length;
      if (!stream.write(piece) && left > 0) return;
    }
    stream.off("drain", more);
    stream.end();
  };
  stream.on("drain", more);
  more();
}

async function sendTimed(stream: ServerHttp2Stream, path: string, wait: number, rest: number): Promise<void> {
  const received = performance.now();
  await pause(wait);
  const begun = performance.now();
  stream.respond({ ":status": 200, "content-type": "text/plain" });
  stream.write("a");
  await pause(rest);
  const ended = performance.now();
  stream.end("b");
  stamps.push({ path, received, begun, ended });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
