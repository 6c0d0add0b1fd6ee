import { parentPort } from "node:worker_threads";
import { LIMITS } from "../../extensions/proxy/data-thread/network/http1/message.ts";
import { RequestReader } from "../../extensions/proxy/data-thread/network/http1/request-reader.ts";
import { ResponseReader } from "../../extensions/proxy/data-thread/network/http1/response-reader.ts";
import { EventStream } from "../../extensions/proxy/data-thread/network/relay/event-stream.ts";
import { lateStreamOf } from "../../extensions/proxy/data-thread/network/relay/streamed-events.ts";
import { MessageMemory } from "../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import { ClientHelloReader } from "../../extensions/proxy/data-thread/network/tls/client-hello.ts";
import { ProtocolSniffer } from "../../extensions/proxy/data-thread/network/tls/sniffed-protocol.ts";
import { FrameReader } from "../../extensions/proxy/data-thread/network/websocket/websocket-frames.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { workOf } from "./work-done.ts";

/** Reads the bytes of a peer, which arrive in pieces. `all`: the bytes up to the end of `piece`. */
type Read = (piece: Buffer, all: Buffer) => void;

interface Case {
  readonly title: string;
  readonly start: string;
  /** What the peer repeats. */
  readonly units: readonly string[];
  reader(): Read;
}

function request(): Read {
  const reader = new RequestReader(LIMITS);
  return (piece) => {
    reader.feed(piece);
    while (reader.next() !== null);
  };
}

function response(): Read {
  const reader = new ResponseReader(LIMITS);
  reader.expect("GET");
  return (piece) => {
    reader.feed(piece);
    while (reader.next() !== null);
  };
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

export const CASES: readonly Case[] = [
  { title: "a request's head", start: "GET / HTTP/1.1\r\nHost: a\r\n", units: ["a", "a: b\r\n"], reader: request },
  {
    title: "a request's chunks",
    start: `POST / HTTP/1.1\r\nHost: a\r\n${CHUNKED}`,
    units: ["1\r\nx\r\n", "1;a=b\r\nx\r\n", "01\r\nx\r\n"],
    reader: request,
  },
  { title: "a response's head", start: OK, units: ["a", "a: b\r\n", "Connection: a\r\n"], reader: response },
  { title: "a repaired head", start: `${OK}a: b\n`, units: ["a", "a: b\n", " c\n", "a : b\r\n"], reader: response },
  {
    title: "interim responses",
    start: "",
    units: ["HTTP/1.1 100 \r\n\r\n", "HTTP/1.1 103 \na: b\n\n"],
    reader: response,
  },
  {
    title: "a response's chunks",
    start: OK + CHUNKED,
    units: ["1\r\nx\r\n", "1 \r\nx\r\n", "1\nx\n", "2\r\nxx\n"],
    reader: response,
  },
  { title: "trailers", start: `${OK}${CHUNKED}0\r\n`, units: ["a: b\r\n", "a: b\n", " c\n", "a"], reader: response },
  {
    title: "first bytes in a tunnel",
    start: "G",
    units: ["E", " x", "\xe9"],
    reader: () => {
      const sniffer = new ProtocolSniffer();
      return (_piece, all) => void sniffer.sniff(all);
    },
  },
  {
    title: "a ClientHello",
    start: "\x16\x03\x01\0\x01\x01\x16\x03\x01\0\x01\xff",
    units: ["\x16\x03\x01\0\x01\xff", "\x16\x03\x01\0\x04\xff\xff\xff\xff"],
    reader: () => {
      const hello = new ClientHelloReader();
      return (_piece, all) => void hello.read(all);
    },
  },
  {
    title: "WebSocket frames",
    start: "",
    units: ["\x89\0", "\x01\0\0\0\x80\0", "\x82\x01x", "\x02\x01x\0\x01x"],
    reader: () => {
      const frames = new FrameReader(1_000_000, new MessageMemory(), () => {});
      return (piece) => void frames.feed(piece, 0, { isOver: false });
    },
  },
  {
    title: "a WebSocket message in fragments",
    start: "\x02\x01x",
    units: ["\0\0", "\0\x01x", "\x89\0"],
    reader: () => {
      const frames = new FrameReader(1_000_000, new MessageMemory(), () => {});
      return (piece) => void frames.feed(piece, 0, { isOver: false });
    },
  },
  {
    title: "an event stream",
    start: "",
    units: ["data: x\n\n", "\r", "x", "data\r\n", ":\n", "\r\n"],
    reader: () => {
      const events = new EventStream(new MessageMemory());
      return (piece) => void events.feed(piece);
    },
  },
  ...["application/grpc", "application/grpc-web-text", "application/x-ndjson"].map((type) => ({
    title: `a response of ${type}`,
    start: "",
    units: ["\0\0\0\0\0", "AAAAAAA=", "{}\n", "= "],
    reader: (): Read => {
      const stream = lateStreamOf(`${OK}Content-Type: ${type}\r\n\r\n`, "/");
      return (piece) => void stream?.feed([piece], 0 as Instant);
    },
  })),
];

/** The work that a case's bytes take, `size` of them in pieces. */
function workFor({ start, reader }: Case, unit: string, size: number, piece: number): number {
  const bytes = Buffer.from(start + unit.repeat(Math.ceil(size / unit.length)), "latin1");
  const read = reader();
  return workOf(() => {
    for (let at = 0; at < bytes.length; at += piece)
      read(bytes.subarray(at, at + piece), bytes.subarray(0, at + piece));
  });
}

/** Which work a worker measures. `index`: of the case. */
export interface Measure {
  readonly index: number;
  readonly unit: string;
  readonly size: number;
  readonly piece: number;
}

// Run as a worker, because code that ran before the coverage was on counts its blocks unevenly.
parentPort?.on("message", ({ index, unit, size, piece }: Measure) => {
  const one = CASES[index];
  parentPort?.postMessage(one === undefined ? Number.NaN : workFor(one, unit, size, piece));
});
