import { once } from "node:events";
import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withHoldingServer } from "../../../../support/holding-server.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { END_HEADERS, END_STREAM, fields, frame, frameThat, PREFACE, TYPES } from "../../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { hello } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { swept } from "../../../../support/swept.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const { NGHTTP2_NO_ERROR } = http2.constants;

describe("HTTP/2 client connection", (test) => {
  test("given a PING, answers it", () =>
    withProxy({}, async (proxy) => {
      const session = await http2Client(proxy, "https://a.test");
      await new Promise<void>((resolve, reject) => {
        session.ping((error) => (error === null ? resolve() : reject(error)));
      });
      session.destroy();
    }));

  test("given requests that Weir itself answers, sends the local responses on their streams", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("theirs")));
      proxy.settings.hostOverrides = [`probe.weir.test=127.0.0.1:${server.port}`];
      const probe = await http2Client(proxy, "https://probe.weir.test");
      const reply = await ask(probe, { ":path": "/anything/weir/x" });
      assert.is(reply.status, 200);
      assert.match(reply.body.toString(), /"answeredBy":"Weir"/);
      probe.destroy();
      const nowhere = await http2Client(proxy, "https://nowhere.invalid");
      assert.is((await ask(nowhere, { ":path": "/" })).status, 502);
      const head = await ask(nowhere, { ":method": "HEAD", ":path": "/" });
      assert.is(head.status, 502);
      assert.is(head.body.length, 0);
      nowhere.destroy();
      assert.is(server.peers.length, 0);
    }));

  test("given idle connections to client and server, closes both with GOAWAY and NO_ERROR", () => {
    let upstream: Promise<unknown[]> | null = null;
    const clock = new HeldClock();
    return withHttp2Ends(
      (stream) => {
        if (stream.session !== undefined) upstream = once(stream.session, "goaway");
        hello(stream);
      },
      async ({ session }) => {
        const goaway = once(session, "goaway");
        const closed = once(session, "close");
        await ask(session, { ":path": "/" });
        clock.release();
        assert.is((await goaway)[0], NGHTTP2_NO_ERROR);
        await closed;
        assert.is((await upstream)?.[0], NGHTTP2_NO_ERROR);
      },
      { clock, limits: { idle: 50, upstreamIdle: 50 } },
    );
  });

  test("given a client that never reads its response, closes its connection after the stall limit", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { stall: 50 } }, async (proxy) => {
      const client = await RawPeer.secure(proxy.port, "probe.weir.test:443", proxy.clientCa, ["h2"]);
      const noWindow = frame("settings", 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
      const request = fields(
        [":method", "GET"],
        [":scheme", "https"],
        [":authority", "probe.weir.test"],
        [":path", "/"],
      );
      client.send(Buffer.concat([PREFACE, noWindow, frame("headers", END_HEADERS | END_STREAM, 1, request)]));
      assert.ok(await frameThat(client, ({ type }) => type === TYPES.headers));
      clock.release();
      assert.is(await frameThat(client, ({ type }) => type === TYPES.data), null);
      await client.over;
    });
  });

  test("given a client that reads its response slowly, keeps the connection", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { stall: 150, idle: 50 } }, async (proxy) => {
      const half = "x".repeat(10_000);
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${2 * half.length}\r\n\r\n${half}`);
        // Sent separately, since Node counts bytes as taken only once the whole write was.
        await proxy.traffic.event("response-started");
        peer.send(half);
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
      const noWindow = frame("settings", 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
      const request = fields([":method", "GET"], [":scheme", "https"], [":authority", "a.test"], [":path", "/"]);
      const room = Buffer.alloc(4);
      room.writeUInt32BE(half.length);
      const takeHalf = async (): Promise<void> => {
        client.send(frame("window", 0, 1, room));
        for (let left = half.length; left > 0; ) {
          const data = await frameThat(client, ({ type }) => type === TYPES.data);
          assert.ok(data);
          left -= data.payload.length;
        }
      };
      client.send(Buffer.concat([PREFACE, noWindow, frame("headers", END_HEADERS | END_STREAM, 1, request)]));
      await proxy.traffic.row(0);
      await swept(proxy.port, clock, 100);
      await takeHalf();
      await swept(proxy.port, clock, 100);
      await takeHalf();
      client.close();
    });
  });

  test("given a proxy that drains, sends its clients GOAWAY and finishes the streams in flight", () =>
    withHoldingServer(async ({ proxy, server, session }) => {
      const reply = ask(session, { ":path": "/held" });
      await server.holds(1);
      const goaway = once(session, "goaway");
      const stopped = proxy.listener.stop(10_000);
      assert.is((await goaway)[0], NGHTTP2_NO_ERROR);
      for (const stream of server.held) hello(stream);
      assert.is((await reply).body.toString(), "hello");
      await stopped;
    }));

  test("given a stream in flight when the proxy stops, closes it and records proxy-stopped", () =>
    withHttp2Ends(
      () => {},
      async ({ proxy, session }) => {
        const stream = session.request({ ":path": "/" });
        stream.on("error", () => {});
        await proxy.traffic.event("request-started");
        const closed = once(stream, "close");
        await proxy.listener.stop(0);
        await closed;
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" && outcome.errorType, "proxy-stopped");
      },
    ));
});
