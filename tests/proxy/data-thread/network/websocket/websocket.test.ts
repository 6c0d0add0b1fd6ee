import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { constants, deflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { WebSocket, WebSocketServer } from "ws";
import type { ResponseHead } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { responseHeadOf } from "../../../../../extensions/proxy/data-thread/network/http1/response-reader.ts";
import { ExchangeEmitter } from "../../../../../extensions/proxy/data-thread/network/relay/exchange-emitter.ts";
import {
  LEAST_HELD,
  MessageBudget,
  MessageMemory,
} from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import { WebSocketObserver } from "../../../../../extensions/proxy/data-thread/network/websocket/websocket.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { CapturedTraffic } from "../../../../support/captured-traffic.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rounds } from "../../../../support/rounds.ts";
import { inEndlessSlices } from "../../../../support/short-slices.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

interface Echo {
  readonly port: number;
  stop(): Promise<void>;
}

/** A WebSocket server that echoes. */
async function echo(proxy: TestProxy, secure: boolean, deflate = false): Promise<Echo> {
  const server: Server = secure ? createSecureServer(servedBy(proxy.servers)) : createServer();
  const sockets = new WebSocketServer({
    server,
    perMessageDeflate: deflate ? { threshold: 0 } : false,
    maxPayload: 2 ** 26,
  });
  sockets.on("connection", (socket) => {
    socket.on("message", (data, binary) => socket.send(data, { binary }));
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    stop: async () => {
      for (const client of sockets.clients) client.terminate();
      server.close();
      await once(server, "close");
    },
  };
}

/** A client that connects through the proxy by CONNECT or, with `absolute`, by an absolute-form request. */
async function open(
  proxy: TestProxy,
  port: number,
  way: "absolute" | "tunnel" | "secure",
  deflate = false,
): Promise<WebSocket> {
  const host = `a.test:${port}`;
  const tunnel = way === "absolute" ? null : (await RawPeer.tunnel(proxy.port, host)).socket;
  tunnel?.removeAllListeners();
  const url = way === "secure" ? `wss://${host}/s` : `ws://${host}/s`;
  const socket = new WebSocket(url, {
    perMessageDeflate: deflate ? { threshold: 0 } : false,
    maxPayload: 2 ** 26,
    createConnection: () => {
      if (tunnel === null) return connect(proxy.port, "127.0.0.1");
      return way === "secure" ? tlsConnect({ socket: tunnel, servername: "a.test", ca: [proxy.clientCa] }) : tunnel;
    },
  });
  await once(socket, "open");
  return socket;
}

async function withEcho(secure: boolean, deflate: boolean, body: (proxy: TestProxy, port: number) => Promise<void>) {
  await withProxy({}, async (proxy) => {
    const server = await echo(proxy, secure, deflate);
    try {
      await body(proxy, server.port);
    } finally {
      await server.stop();
    }
  });
}

const MIB = 1024 * 1024;
const DEFLATES = "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n";

function headThat(text: string): ResponseHead {
  const read = responseHeadOf(Buffer.from(text), "GET", { headSize: 1_000, lines: 10 });
  if (read.kind === "refused") throw new Error(read.problem.reason);
  return read.head;
}

/** The server's side of a WebSocket that deflates, without a network. */
function deflatedSide(): { readonly traffic: CapturedTraffic; feed(frames: Buffer): void; end(): Promise<void> } {
  const traffic = new CapturedTraffic();
  const at = 0 as Instant;
  const recording = new ExchangeEmitter(traffic, "a.test", 0, {
    at,
    headReceived: at,
    method: "GET",
    origin: "http://a.test",
    target: "/",
    head: "",
    clientAddress: "127.0.0.1",
    protocol: "http/1.1",
    clientConnection: 1,
    clientStream: null,
    tags: ["websocket"],
    log: null,
  });
  let over: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const observer = new WebSocketObserver(headThat(DEFLATES), recording, { now: () => at, cap: 10 * MIB }, () => over());
  return {
    traffic,
    feed: (frames) => void observer.passed("response", frames, () => {}),
    end: async () => {
      observer.ended(null, "response");
      await ended;
    },
  };
}

/** A message of one frame that is marked as compressed (RFC 7692, 6). The payload must be deflated already. */
function deflated(payload: Uint8Array): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0xc2;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

describe("WebSocket", (test) => {
  for (const [way, deflate] of [
    ["tunnel", false],
    ["secure", false],
    ["secure", true],
  ] as const) {
    test(`given messages, pings and a close (${way}${deflate ? ", deflated" : ""}), forwards and records them`, () =>
      withEcho(way === "secure", deflate, async (proxy, port) => {
        const socket = await open(proxy, port, way, deflate);
        const texts = ["hello", "hello again, hello again, hello again", ""];
        for (const text of texts) {
          socket.send(text);
          const [data] = await once(socket, "message");
          assert.is(String(data), text);
        }
        const binary = randomBytes(70_000);
        socket.send(binary);
        assert.equal((await once(socket, "message"))[0], binary);
        socket.ping("pi");
        await once(socket, "pong");
        socket.close(4001, "bye");
        await once(socket, "close");
        const { ended, messages, response } = await proxy.traffic.row(0);
        assert.is(response?.status, 101);
        assert.equal(ended.tags, ["websocket"]);
        assert.equal(ended.outcome, { kind: "responded", status: 101 });
        const sent = messages.filter(({ side }) => side === "request");
        assert.equal(
          sent.map(({ kind }) => kind),
          ["text", "text", "text", "binary", "ping", "close"],
        );
        assert.equal(
          sent.slice(0, 3).map(({ bytes }) => Buffer.from(bytes).toString()),
          texts,
        );
        assert.equal(Buffer.from(sent[3]?.bytes ?? []), binary);
        assert.is(Buffer.from(sent[5]?.bytes ?? []).readUInt16BE(0), 4001);
        const received = messages.filter(({ side }) => side === "response");
        assert.equal(
          received.map(({ kind }) => kind),
          ["text", "text", "text", "binary", "pong", "close"],
        );
        assert.is(
          messages.every(({ cut }) => !cut),
          true,
        );
      }));
  }

  test("given a handshake in absolute form, http or ws, opens the WebSocket and records its messages", () =>
    withEcho(false, false, async (proxy, port) => {
      for (const scheme of ["http", "ws"]) {
        const client = await RawPeer.to(proxy.port);
        client.send(
          `GET ${scheme}://a.test:${port}/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n",
        );
        assert.match(await client.head(), /^HTTP\/1\.1 101 .*Upgrade: websocket/s);
        // Two fragments with a ping between them.
        client.send(masked(0x01, "frag") + masked(0x89, "p") + masked(0x80, "ments"));
        await client.until("fragments");
        client.close();
      }
      const { messages, ended } = await proxy.traffic.row(0);
      const sent = messages
        .filter(({ side }) => side === "request")
        .map(({ kind, bytes }) => [kind, String(Buffer.from(bytes))]);
      assert.equal(sent, [
        ["ping", "p"],
        ["text", "fragments"],
      ]);
      assert.is(ended.outcome.kind, "failed");
      assert.is(ended.outcome.status, 101);
    }));

  for (const [who, errorType] of [
    ["client", "client-aborted"],
    ["server", "server-closed"],
  ] as const) {
    test(`given a WebSocket that its ${who} ends without a close frame, records a failure of the ${who}`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
          peer.send("\x81\x02hi");
          if (who === "client") await peer.over;
          peer.socket.end();
        });
        const client = await RawPeer.to(proxy.port);
        client.send(
          `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
        await client.until("hi");
        if (who === "server") await client.over;
        client.socket.end();
        const { ended, messages } = await proxy.traffic.row(0);
        assert.is(ended.outcome.kind === "failed" ? ended.outcome.errorType : "", errorType);
        assert.is(messages.length, 1);
      }));
  }

  test(
    "given a message of 16 MiB, delivers all of it and captures its beginning",
    () =>
      withEcho(true, false, async (proxy, port) => {
        proxy.settings.bodyCap = 100_000;
        const socket = await open(proxy, port, "secure");
        const large = randomBytes(16 * 1024 * 1024);
        socket.send(large);
        const [back] = await once(socket, "message");
        assert.is(large.equals(back), true);
        socket.close();
        const { messages } = await proxy.traffic.row(0);
        assert.equal(
          messages.slice(0, 2).map(({ size, bytes, cut }) => [size, bytes.length, cut]),
          [
            [large.length, 100_000, true],
            [large.length, 100_000, true],
          ],
        );
      }),
    { isLong: true },
  );

  test(
    "given a message that cannot be inflated and 20,000 behind it, records all of them as cut",
    async () => {
      const side = deflatedSide();
      const count = 20_000;
      const garbage = deflated(Buffer.from([0xff, 0xff]));
      side.feed(Buffer.concat([garbage, ...Array.from({ length: count }, () => deflated(Buffer.from([2, 0])))]));
      await side.end();
      const messages = side.traffic.events.filter(({ type }) => type === "message-captured");
      assert.is(messages.length, count + 1);
      assert.ok(messages.every((message) => message.type === "message-captured" && message.cut));
    },
    { isLong: true },
  );

  test("given messages that arrive faster than they can be inflated, records them as cut instead of buffering them", () =>
    inEndlessSlices(async () => {
      const side = deflatedSide();
      const message = deflated(deflateRawSync(Buffer.alloc(MIB), { level: 0 }));
      for (let count = 0; count < 40; count += 1) side.feed(message);
      // Nothing is inflated yet: that takes event-loop turns.
      const told = side.traffic.events.filter(({ type }) => type === "message-captured").length;
      assert.ok(told > 30, `${40 - told} messages wait`);
      await side.end();
      const messages = side.traffic.events.flatMap((event) => (event.type === "message-captured" ? [event] : []));
      assert.equal(
        messages.map(({ size, cut }) => [size, cut]),
        Array.from({ length: 40 }, () => [message.length - 10, true]),
      );
    }));

  test("given many peers whose messages wait to be inflated, holds a budget for all, and the least for each", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }), async (counts) => {
        const budget = new MessageBudget(300_000);
        const payload = deflateRawSync(randomBytes(5_000), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
        const sides = counts.map((count) => {
          const messages: Uint8Array[] = [];
          const memory = new MessageMemory(budget);
          const emitter = {
            messageMemory: memory,
            passed: () => {},
            message: ({ bytes }: { readonly bytes: Uint8Array }) => void messages.push(bytes),
          };
          let over: () => void = () => {};
          const ended = new Promise<void>((resolve) => {
            over = resolve;
          });
          const context = { now: () => 0 as Instant, cap: 10 * MIB };
          const observer = new WebSocketObserver(headThat(DEFLATES), emitter, context, () => over());
          return { count, messages, observer, ended };
        });
        await inEndlessSlices(async () => {
          for (const { count, observer } of sides)
            for (let sent = 0; sent < count; sent += 1) observer.passed("response", deflated(payload), () => {});
          assert.ok(budget.held <= budget.most + sides.length * LEAST_HELD, `${budget.held} of ${sides.length} peers`);
          for (const { count, messages, observer, ended } of sides) {
            observer.ended(null, "response");
            await ended;
            assert.is(messages.length, count);
          }
        });
        assert.is(budget.held, 0);
      }),
      { numRuns: rounds(10) },
    ));

  test("given a handshake that the server refuses, records an ordinary response", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(
        `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      await client.until("\r\n\r\nno");
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 403 });
      client.close();
    }));

  test("given a 101 without a request to upgrade, responds with response-malformed", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("response-malformed");
      client.close();
    }));

  test("given an upgrade to another protocol, forwards the bytes behind the 101 untouched", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd/1\r\nConnection: Upgrade\r\n\r\nfirst");
        peer.send(`<${await peer.until("!")}>`);
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(
        `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: odd/1\r\n\r\nearly!`,
      );
      await client.until("first<early!>");
      client.socket.end();
      const row = await proxy.traffic.row(0);
      assert.equal(row.ended.outcome, { kind: "responded", status: 101 });
      assert.is(row.requestBody.toString(), "early!");
    }));
});

/** One masked frame from a client. */
function masked(first: number, payload: string): string {
  const mask = [1, 2, 3, 4];
  const body = [...Buffer.from(payload)].map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.from([first, 0x80 | body.length, ...mask, ...body]).toString("latin1");
}
