import { once } from "node:events";
import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withHoldingServer } from "../../../../support/holding-server.ts";
import { answered } from "../../../../support/http2-by-hand.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { END_HEADERS, END_STREAM, frame, frameThat, PREFACE, TYPES } from "../../../../support/http2-frames.ts";
import { ask, http2Client, replyOn } from "../../../../support/http2-peer.ts";
import { hello } from "../../../../support/http2-server.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { ok, rawServer } from "../../../../support/raw-server.ts";
import { standstill } from "../../../../support/standstill.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = http2.constants;

/** The server's response time. */
const RESPONSE = 100;

describe("end of an HTTP/2 stream", (test) => {
  test("given a client that cancels before or within the response, cancels the server's stream", async () => {
    for (const answers of [false, true]) {
      let ended: Promise<unknown[]> | null = null;
      let arrived = (): void => {};
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await withHttp2Ends(
        (stream) => {
          ended = once(stream, "close").then(() => [stream.rstCode]);
          if (answers) {
            stream.respond({ ":status": 200 });
            stream.write("first");
          }
          arrived();
        },
        async ({ proxy, session }) => {
          const stream = session.request({ ":path": "/" });
          await (answers ? once(stream, "data") : arrival);
          stream.close(NGHTTP2_CANCEL);
          assert.equal(await ended, [NGHTTP2_CANCEL]);
          const { outcome } = (await proxy.traffic.row(0)).ended;
          assert.is(outcome.kind === "failed" && outcome.errorType, "client-aborted");
        },
      );
    }
  });

  test("given a client that cancels and a server of HTTP/1.1, closes only that exchange's connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer();
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const [first, second] = [session.request({ ":path": "/1" }), session.request({ ":path": "/2" })];
      second.on("error", () => {});
      const peers = [await server.peer(0), await server.peer(1)];
      const paths = await Promise.all(peers.map(async (peer) => (await peer.head()).split(" ")[1]));
      first.close(NGHTTP2_CANCEL);
      await peers[paths.indexOf("/1")]?.over;
      peers[paths.indexOf("/2")]?.send(ok("still here"));
      assert.is((await replyOn(second)).body.toString(), "still here");
      session.destroy();
    }));

  test("given a client that disconnects, records client-aborted for all of its streams", () =>
    withHoldingServer(async ({ proxy, server, session }) => {
      for (let index = 0; index < 3; index += 1) session.request({ ":path": "/held" }).on("error", () => {});
      await server.holds(3);
      session.destroy();
      for (let index = 0; index < 3; index += 1) {
        const { outcome } = (await proxy.traffic.row(index)).ended;
        assert.is(outcome.kind === "failed" && outcome.errorType, "client-aborted");
      }
    }));

  test("given a response that is cut off, resets an HTTP/2 client's stream and sends HTTP/1.1 no last chunk", () =>
    withHttp2Ends(
      (stream) => {
        // Without this, Node ends the stream regularly before resetting it.
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.write("part", () => stream.close(NGHTTP2_INTERNAL_ERROR));
      },
      async ({ proxy, server, session }) => {
        const stream = session.request({ ":path": "/" });
        stream.resume();
        const [error] = (await once(stream, "error")) as [Error];
        assert.match(error.message, /INTERNAL_ERROR/);
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assert.not.match((await client.rest()).toString(), /\r\n0\r\n\r\n/);
        for (const row of [await proxy.traffic.row(0), await proxy.traffic.row(1)]) {
          const { outcome } = row.ended;
          assert.is(outcome.kind === "failed" && outcome.errorType, "response-truncated");
          assert.is(outcome.status, 200);
        }
      },
    ));

  test("given a response of HTTP/1.1 that is cut off, resets the client's stream with INTERNAL_ERROR", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart");
        peer.socket.end();
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const stream = session.request({ ":path": "/" });
      stream.resume();
      await once(stream, "error");
      assert.is(stream.rstCode, NGHTTP2_INTERNAL_ERROR);
      session.destroy();
    }));

  test("given a server that does not respond in time, responds 504 on that stream alone", () => {
    const clock = new HeldClock();
    return withHttp2Ends(
      (stream, headers) => {
        if (headers[":path"] === "/ok") hello(stream);
      },
      async ({ session }) => {
        const late = ask(session, { ":path": "/late" });
        assert.is((await ask(session, { ":path": "/ok" })).status, 200);
        clock.pass(RESPONSE);
        assert.is((await late).status, 504);
        assert.is((await ask(session, { ":path": "/ok" })).status, 200);
      },
      { clock, limits: { response: RESPONSE } },
    );
  });

  test("given a response before the upload's end, delivers it and ends the stream with NO_ERROR", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
      stream.write("some");
      const reply = await replyOn(stream);
      assert.is(reply.status, 413);
      assert.is(reply.body.toString(), "big");
      assert.is(stream.rstCode, NGHTTP2_NO_ERROR);
      assert.is((await ask(session, { ":path": "/again" })).status, 413);
      session.destroy();
    }));

  test("given an upload still in transit after its response, discards it and closes the idle connection", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 50, linger: 50 } }, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        await peer.bytes(100_000);
        peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const closed = once(session, "close");
      const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
      stream.write(Buffer.alloc(8_000_000));
      assert.is((await replyOn(stream)).status, 413);
      clock.release();
      await closed;
    });
  });

  test("given a server that responds early and then stops reading, closes its connection", () =>
    withProxy({ limits: { upstreamIdle: 200 } }, async (proxy) => {
      const ample = Buffer.from([0x7f, 0xff, 0, 0]);
      let isFull = (): void => {};
      const full = new Promise<void>((resolve) => {
        isFull = resolve;
      });
      const serve = async (peer: RawPeer): Promise<void> => {
        await peer.until(PREFACE.toString("latin1"));
        const settings = frame("settings", 0, 0, Buffer.concat([Buffer.from([0, 4]), ample]));
        peer.send(Buffer.concat([settings, frame("settings", 1, 0), frame("window", 0, 0, ample)]));
        const request = await frameThat(peer, ({ type }) => type === TYPES.headers);
        peer.socket.pause();
        await full;
        peer.send(answered(request?.stream ?? 0, END_HEADERS | END_STREAM));
      };
      const server = await rawServer(serve, { ...servedBy(proxy.servers), ALPNProtocols: ["h2"] });
      await withMadeSockets("client", async (sockets) => {
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 30000000\r\n\r\n");
        client.send(Buffer.alloc(30_000_000));
        const ours = () => sockets.find(({ remotePort }) => remotePort === server.port);
        await standstill(() => ours()?.bytesWritten ?? 0);
        isFull();
        assert.match(await client.head(), /^HTTP\/1\.1 200 /);
        const left = ours();
        if (left?.destroyed === false) await once(left, "close");
        client.close();
      });
      await server.stop();
    }));

  for (const [title, begun, errorType] of [
    ["before the response", false, "server-closed"],
    ["within the response", true, "response-truncated"],
  ] as const) {
    test(`given a server that sends GOAWAY and half-closes ${title}, fails the exchange in flight`, () =>
      withProxy({}, async (proxy) => {
        const serve = async (peer: RawPeer): Promise<void> => {
          await peer.until(PREFACE.toString("latin1"));
          peer.send(Buffer.concat([frame("settings", 0, 0), frame("settings", 1, 0)]));
          const request = await frameThat(peer, ({ type }) => type === TYPES.headers);
          const id = request?.stream ?? 0;
          const beginning = begun ? [answered(id, END_HEADERS), frame("data", 0, id, "part")] : [];
          const leave = frame("goaway", 0, 0, Buffer.from([0, 0, 0, id, 0, 0, 0, 0]));
          peer.send(Buffer.concat([...beginning, leave, frame("ping", 0, 0, Buffer.alloc(8))]));
          await frameThat(peer, ({ type }) => type === TYPES.ping);
          // Half-closed: the server still reads.
          peer.socket.end();
        };
        const server = await rawServer(serve, { ...servedBy(proxy.servers), ALPNProtocols: ["h2"] });
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        await client.rest();
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" && outcome.errorType, errorType);
        await (await server.peer(0)).over;
        client.close();
        await server.stop();
      }));
  }
});
