import { once } from "node:events";
import type { ServerHttp2Stream } from "node:http2";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { STREAMS } from "../../../../../extensions/proxy/data-thread/network/http2/connection-memory.ts";
import { UNREAD_STREAMS } from "../../../../../extensions/proxy/data-thread/network/http2/unread-stream-budget.ts";
import { BUFFERS } from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import { describe } from "../../../../support/describe.ts";
import { holdingServer } from "../../../../support/holding-server.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { ask, http2Client, replyOn } from "../../../../support/http2-peer.ts";
import { hello, http2Server } from "../../../../support/http2-server.ts";
import { IS_QUICK } from "../../../../support/rounds.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** Of 256 KiB each, in a long body. */
const PIECES = IS_QUICK ? 20 : 100;
const PIECE = Buffer.alloc(256 * 1024);
/** Sent on each of up to `STREAMS` streams. */
const BODY = Buffer.alloc(2 * 1024 * 1024);

describe("HTTP/2 flow control", (test) => {
  test("given a client that reads more slowly than its server sends, delivers each long body whole", () =>
    withHttp2Ends(
      (stream) => {
        stream.respond({ ":status": 200 });
        let left = PIECES;
        const fill = (): void => {
          while (left > 0) {
            left -= 1;
            if (!stream.write(PIECE)) return void stream.once("drain", fill);
          }
          stream.end();
        };
        fill();
      },
      async ({ proxy, session }) => {
        for (let round = 0; round < 3; round += 1) {
          const stream = session.request({ ":path": "/" });
          let size = 0;
          stream.on("data", (bytes: Buffer) => {
            size += bytes.length;
            stream.pause();
            setImmediate(() => stream.resume());
          });
          await once(stream, "end");
          assert.is(size, PIECES * PIECE.length);
          assert.equal((await proxy.traffic.row(round)).ended.outcome, { kind: "responded", status: 200 });
        }
      },
    ));

  test(
    "given a client that reads nothing of a long response, pauses its server and serves other streams",
    () =>
      withProxy({}, async (proxy) => {
        const piece = Buffer.alloc(64 * 1024);
        let written = 0;
        let stalled = (): void => {};
        const stall = new Promise<void>((resolve) => {
          stalled = resolve;
        });
        const server = await http2Server(proxy, (stream, headers) => {
          if (headers[":path"] !== "/big") return hello(stream);
          stream.respond({ ":status": 200 });
          const fill = (): void => {
            while (written < 12_000_000) {
              written += piece.length;
              if (!stream.write(piece)) return;
            }
            stream.end();
          };
          stream.on("drain", fill);
          fill();
          stalled();
        });
        const session = await http2Client(proxy, `https://a.test:${server.port}`);
        const stream = session.request({ ":path": "/big" });
        await once(stream, "response");
        await stall;
        for (let round = 0; round < 50; round += 1)
          assert.is((await ask(session, { ":path": "/" })).body.toString(), "hello");
        assert.ok(written < 10_000_000, `${written} bytes were taken for a client that reads none`);
        let read = 0;
        stream.on("data", (bytes: Buffer) => {
          read += bytes.length;
        });
        await once(stream, "close");
        assert.is(read, written);
        const ended = await proxy.traffic.event("exchange-ended", ({ encodedBodySize }) => encodedBodySize === written);
        assert.equal(ended.outcome, { kind: "responded", status: 200 });
        session.destroy();
        await server.stop();
      }),
    { isLong: true },
  );

  test(
    "given a server that reads nothing of an upload, pauses the client and later delivers all of it",
    () =>
      withProxy({}, async (proxy) => {
        const server = await holdingServer(proxy);
        const session = await http2Client(proxy, `https://a.test:${server.port}`, { maxSessionMemory: 100 });
        const stream = session.request({ ":method": "POST", ":path": "/held" }, { endStream: false });
        const sent = (): number => session.socket.bytesWritten;
        const total = 12_000_000;
        stream.end(Buffer.alloc(total));
        await server.holds(1);
        for (let round = 0; round < 50; round += 1) await ask(session, { ":path": "/" });
        const before = sent();
        assert.ok(before < 10_000_000, `${before} bytes were sent to a server that reads none`);
        let size = 0;
        for (const held of server.held) {
          held.on("data", (bytes: Buffer) => {
            size += bytes.length;
          });
          held.on("end", () => hello(held));
        }
        assert.is((await replyOn(stream)).body.toString(), "hello");
        assert.is(size, total);
        assert.ok(sent() >= total, `only ${sent()} bytes were counted`);
        session.destroy();
        await server.stop();
      }),
    { isLong: true },
  );

  test("given streams that a server does not read, takes at most 16 MiB of their client, and others of it go on", () =>
    withProxy({}, async (proxy) => {
      const [count = 1] = fc.sample(fc.integer({ min: 1, max: STREAMS - 1 }), 1);
      const held: ServerHttp2Stream[] = [];
      let arrived = (): void => {};
      const all = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const server = await http2Server(
        proxy,
        (stream, headers) => {
          if (headers[":path"] !== "/held") return hello(stream);
          held.push(stream);
          if (held.length === count) arrived();
        },
        { settings: { maxConcurrentStreams: 1_000 } },
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`, { maxSessionMemory: 1_000 });
      const streams = Array.from({ length: count }, () =>
        session.request({ ":method": "POST", ":path": "/held" }, { endStream: false }),
      );
      const size = BODY.length;
      for (const stream of streams) stream.on("error", () => {}).end(BODY);
      await all;
      for (let round = 0; round < 50; round += 1)
        assert.is((await ask(session, { ":method": "POST", ":path": "/" }, "x")).body.toString(), "hello");
      const taken = session.socket.bytesWritten;
      assert.ok(taken <= 16 * 1024 * 1024, `${taken} bytes were taken on ${count} streams`);
      assert.ok(UNREAD_STREAMS.total <= 14 * 1024 * 1024, `${UNREAD_STREAMS.total}`);
      const first = held[0] as ServerHttp2Stream;
      let read = 0;
      first.on("data", (bytes: Buffer) => {
        read += bytes.length;
      });
      await once(first, "end");
      assert.is(read, size);
      session.destroy();
      await server.stop();
      while (UNREAD_STREAMS.total > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }));

  test("given streams that a client does not read, takes at most 16 MiB of their server, and others of it go on", () =>
    withProxy({}, async (proxy) => {
      const [count = 1] = fc.sample(fc.integer({ min: 1, max: STREAMS - 1 }), 1);
      const size = BODY.length;
      const server = await http2Server(
        proxy,
        (stream, headers) => {
          if (headers[":path"] !== "/big") return hello(stream);
          stream.respond({ ":status": 200 });
          stream.end(BODY);
        },
        { maxSessionMemory: 1_000, settings: { maxConcurrentStreams: 1_000 } },
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const streams = Array.from({ length: count }, () => session.request({ ":path": "/big" }));
      for (const stream of streams) stream.on("error", () => {});
      await Promise.all(streams.map((stream) => once(stream, "response")));
      for (let round = 0; round < 50; round += 1)
        assert.is((await ask(session, { ":path": "/" })).body.toString(), "hello");
      const taken = server.sessions.reduce((sum, { socket }) => sum + socket.bytesWritten, 0);
      assert.ok(taken <= 16 * 1024 * 1024, `${taken} bytes were taken on ${count} streams`);
      // A stream that is reset with unread bytes gives them back.
      const [kept, ...others] = streams;
      for (const stream of others) stream.close();
      let read = 0;
      kept?.on("data", (bytes: Buffer) => {
        read += bytes.length;
      });
      if (kept !== undefined) await once(kept, "end");
      assert.is(read, size);
      while (UNREAD_STREAMS.total > 0) await new Promise<void>((resolve) => setImmediate(resolve));
      session.destroy();
      await server.stop();
    }));

  test("given a request whose server is not connected yet, its body counts as held", () =>
    withProxy({ resolver: { lookup: () => new Promise(() => {}) } }, async (proxy) => {
      const before = BUFFERS.total;
      const session = await http2Client(proxy, "http://a.test:80");
      const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
      stream.on("error", () => {}).write(Buffer.alloc(512 * 1024));
      while (BUFFERS.total < before + 64 * 1024) await new Promise<void>((resolve) => setImmediate(resolve));
      assert.ok(BUFFERS.total < before + 256 * 1024, `${BUFFERS.total - before}`);
      session.destroy();
    }));
});
