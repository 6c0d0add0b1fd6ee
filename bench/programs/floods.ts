import { once } from "node:events";
import * as http from "node:http";
import * as http2 from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { answerParent } from "../child.ts";
import { openConnection, trust } from "./connection.ts";
import type { Failed } from "./probe.ts";

/* Hostile clients, and the clients of a hostile server (`fault-origin.ts`), each kind for some seconds. */

export interface Stage {
  /** Weir's port, the hostile server's, and that of an HTTP/2 server with its name. */
  readonly proxy: number;
  readonly hostile: number;
  readonly http2: { readonly host: string; readonly port: number };
  /** The good server, without TLS. */
  readonly good: number;
  readonly certificates: readonly string[];
}

export type FloodJob =
  | { readonly do: "stage"; readonly stage: Stage }
  | { readonly do: "flood"; readonly name: string; readonly seconds: number }
  /** Until `end`, whose answer is the good requests that failed, and how many were sent. */
  | { readonly do: "soak" }
  | { readonly do: "end" };

export interface Soaked {
  readonly sent: number;
  readonly failed: readonly Failed[];
}

let stage: Stage = { proxy: 0, hostile: 0, http2: { host: "", port: 0 }, good: 0, certificates: [] };
/** Whether the present flood, or the soak, is over. */
let over: AbortController = new AbortController();

/** docs/security.md L5: beyond 1,000 client sockets, good clients get a 503 too. */
const MOST_CLIENTS = 800;

/**
 * Opens a connection to Weir, calls `act`, and closes it when the peer does, after `limit` ms, or when the flood ends.
 */
async function client(act: (socket: Socket) => unknown, limit = 60_000): Promise<void> {
  const socket = connect({ port: stage.proxy, host: "127.0.0.1", noDelay: true });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  const stop = (): unknown => socket.destroy();
  const timer = setTimeout(stop, limit);
  over.signal.addEventListener("abort", stop);
  socket.on("connect", () => void Promise.resolve(act(socket)).catch(stop));
  await closed;
  clearTimeout(timer);
  over.signal.removeEventListener("abort", stop);
}

/** `count` at a time, again and again. */
async function repeated(count: number, act: (round: number) => Promise<void>): Promise<void> {
  let round = 0;
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await act(round++);
      await turn();
    }
  };
  await Promise.all(Array.from({ length: count }, work));
}

function pump(socket: Socket, piece: Buffer): void {
  const more = (): void => {
    if (socket.destroyed) return;
    if (socket.write(piece)) setImmediate(more);
    else socket.once("drain", more);
  };
  more();
}

/** One request for a hostile path after the other, over one connection; responses are read and dropped. */
function requests(path: () => string, lines = ""): (socket: Socket) => void {
  return (socket) => {
    const send = (): unknown => socket.write(headFor("GET", path(), lines));
    let tail = "";
    socket.on("data", (bytes: Buffer) => {
      tail = tail.slice(-8) + bytes.toString("latin1");
      if (/\r\n\r\n(?:ok)?$/.test(tail)) send();
    });
    send();
  };
}

function headFor(method: string, path: string, lines = ""): string {
  const host = `127.0.0.1:${stage.hostile}`;
  return `${method} http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`;
}

/** Reads an endless response. */
const endless = (path: string, count: number): Promise<void> =>
  repeated(count, () => client((socket) => void socket.resume().write(headFor("GET", path))));

const UPGRADE = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n`;
const DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
const random = (): string => Math.random().toString(36).slice(2);
/** 60 KB. */
const LONG = "x".repeat(60_000);

const FLOODS: Readonly<Record<string, () => Promise<void>>> = {
  none: () => once(over.signal, "abort").then(() => {}),
  "TLS records of one byte": () =>
    repeated(4, () =>
      client(async (socket) => {
        socket.write(`CONNECT 127.0.0.1:${stage.hostile} HTTP/1.1\r\n\r\n`);
        await once(socket, "data");
        pump(socket, Buffer.from(`\x16\x03\x01\0\x01${"\x01\x16\x03\x01\0\x01\xff".repeat(8_000)}`, "latin1"));
      }, 1_000),
    ),
  "200 silent names": () =>
    repeated(200, () => {
      const host = `${random()}.silent.test`;
      return client((socket) => socket.resume().write(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    }),
  "paths of 60 KB": () => repeated(2, () => client(requests(() => `/${random()}${"/a1/b".repeat(12_000)}`))),
  "URLs of 60 KB": () => repeated(4, () => client(requests(() => `/${random()}?${LONG}`))),
  "one-byte chunks down": () => endless("/chunks", 4),
  "one-byte chunks up": () =>
    repeated(4, () =>
      client((socket) => {
        socket.resume().write(headFor("POST", "/upload", "Transfer-Encoding: chunked\r\n"));
        pump(socket, Buffer.from("1\r\nx\r\n".repeat(8_000)));
      }),
    ),
  "WebSocket frames of two bytes": () =>
    repeated(4, (round) =>
      client((socket) => {
        socket.resume().write(headFor("GET", round % 2 === 0 ? "/frames" : "/quiet", UPGRADE));
        if (round % 2 === 1) pump(socket, Buffer.alloc(6 * 10_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0])));
      }),
    ),
  "WebSocket messages that inflate": () =>
    repeated(2, () => client((socket) => void socket.resume().write(headFor("GET", "/bombs", UPGRADE + DEFLATE)))),
  "HTTP/2 downloads that nobody reads": () => repeated(3, () => unread({ ":path": "/bytes/20000000" })),
  "HTTP/2 uploads that nobody reads": () => repeated(3, () => unread({ ":path": "/open", ":method": "POST" })),
  "heads of 120 KB": () => repeated(4, () => client(requests(() => "/heads"))),
  "pages of other sites": () =>
    repeated(4, () =>
      client((socket) => {
        const host = `127.0.0.1:${stage.proxy}`;
        socket
          .resume()
          .end(
            `GET /${random()}${LONG} HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n`,
          );
      }),
    ),
  "event streams in small chunks": () => endless("/events", 10),
  "SOCKS byte by byte": () =>
    repeated(MOST_CLIENTS, () =>
      client(async (socket) => {
        socket.resume();
        for (const byte of [5, 2, 0, 1, 5, 1, 0, 3, 9, ...Buffer.from("127.0.0.1"), stage.hostile >> 8]) {
          if (socket.destroyed) return;
          socket.write(Buffer.of(byte));
          await pause(20);
        }
        socket.destroy();
      }),
    ),
};

/** 256 streams, whose responses nobody reads, until the flood is over. */
async function unread(headers: http2.OutgoingHttpHeaders): Promise<void> {
  const { host, port } = stage.http2;
  const route = { kind: "proxy", port: stage.proxy } as const;
  const socket = await openConnection(route, { secure: true, host, port }, "h2").catch(() => pause(100));
  if (socket === undefined) return;
  socket.on("error", () => socket.destroy());
  const session = http2.connect(`https://${host}:${port}`, {
    createConnection: () => socket,
    settings: { initialWindowSize: 1_048_576 },
  });
  session.on("error", () => session.destroy());
  for (let count = 0; count < 256 && !session.destroyed; count += 1) {
    const stream = session.request(headers, { endStream: headers[":method"] !== "POST" });
    stream.on("error", () => {});
    if (headers[":method"] === "POST") stream.write(Buffer.alloc(2_000_000));
  }
  const limit = setTimeout(() => session.destroy(), 5_000);
  const stop = (): void => session.destroy();
  over.signal.addEventListener("abort", stop);
  if (over.signal.aborted) stop();
  if (!session.closed) await once(session, "close");
  clearTimeout(limit);
  over.signal.removeEventListener("abort", stop);
}

const FAULTS = ["reset", "close", "cut", "hang", "late", "chunk", "head", "leave"];
const CLIENTS = 16;
/** Milliseconds between two requests of a client of the soak. */
const REST = 100;
const DOWNLOAD = 16 * 1024 * 1024;

/** Ordinary requests, of which one in ten meets a fault, and one download after the other. */
async function soak(): Promise<Soaked> {
  let sent = 0;
  const failed: Failed[] = [];
  const agent = new http.Agent({ keepAlive: true });
  const expect = async (port: number, path: string, size: number): Promise<void> => {
    const length = await received(agent, port, path, 20_000).catch((error: Error) => error.message);
    if (length !== size) failed.push({ at: Date.now(), what: `soak, ${path}: ${length}` });
  };
  await Promise.all([
    repeated(CLIENTS, async () => {
      sent += 1;
      const kind = sent % 10 === 0 ? FAULTS[(sent / 10) % FAULTS.length] : "good";
      const size = (sent * 37) % 20_000;
      if (kind === "good") await expect(stage.hostile, `/good/${size}`, size);
      else await received(agent, stage.hostile, `/${kind}/${sent}`, kind === "leave" ? 5 : 3_000).catch(() => {});
      await pause(REST);
    }),
    repeated(1, () => expect(stage.good, `/bytes/${DOWNLOAD}`, DOWNLOAD).then(() => pause(1_000))),
  ]);
  return { sent, failed };
}

/** The number of bytes of a 200's body. Rejects if the response is cut, or takes longer than `limit` ms. */
function received(agent: http.Agent, port: number, path: string, limit: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port: stage.proxy, host: "127.0.0.1", path: `http://127.0.0.1:${port}${path}`, agent };
    const request = http.get({ ...options, headers: { host: `127.0.0.1:${port}` } }, (response) => {
      let length = 0;
      response.on("data", (bytes: Buffer) => {
        length += bytes.length;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(length);
        else reject(new Error(`status ${response.statusCode}`));
      });
    });
    const timer = setTimeout(() => request.destroy(new Error(`took longer than ${limit} ms`)), limit);
    request.on("error", reject).on("close", () => clearTimeout(timer));
  });
}

let soaking: Promise<Soaked> | null = null;

answerParent<FloodJob>({ names: Object.keys(FLOODS) }, async (job) => {
  switch (job.do) {
    case "stage":
      stage = job.stage;
      return trust(stage.certificates);
    case "flood": {
      over = new AbortController();
      setTimeout(() => over.abort(), job.seconds * 1_000);
      return FLOODS[job.name]?.();
    }
    case "soak":
      soaking = soak();
      return null;
    case "end":
      over.abort();
      return soaking;
  }
});
