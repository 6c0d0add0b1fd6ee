import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { ask, http2Client, replyOn, type StreamReply } from "../../../support/http2-peer.ts";
import { http2Server } from "../../../support/http2-server.ts";
import { RawPeer } from "../../../support/raw-peer.ts";
import { answering, ok } from "../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../support/test-proxy.ts";

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_NO_ERROR } =
  http2.constants;

type Serve = Parameters<typeof http2Server>[1];

/** A server, and a client's session to it through the proxy. */
async function withBoth(
  serve: Serve,
  body: (session: http2.ClientHttp2Session, proxy: TestProxy, port: number) => Promise<unknown>,
  options: Parameters<typeof withProxy>[0] = {},
): Promise<void> {
  await withProxy(options, async (proxy) => {
    const server = await http2Server(proxy, serve);
    const session = await http2Client(proxy, `https://a.test:${server.port}`);
    try {
      await body(session, proxy, server.port);
    } finally {
      session.destroy();
      await server.stop();
    }
  });
}

/** With that status, or with a reset of which those are the words. */
async function assertAnswered(asked: Promise<StreamReply>, wanted: number | RegExp): Promise<void> {
  const answer = await asked.catch((error: unknown) => String(error));
  if (typeof answer === "string") assert.match(answer, wanted as RegExp);
  else assert.is(answer.status, wanted);
}

const hello: Serve = (stream) => {
  stream.respond({ ":status": 200 });
  stream.end("hello");
};

describe("http2 endings", (test) => {
  test("a client that cancels is told to the server, before and within the answer", async () => {
    for (const answers of [false, true]) {
      let ended: Promise<unknown[]> | null = null;
      let arrived = (): void => {};
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await withBoth(
        (stream) => {
          ended = once(stream, "close").then(() => [stream.rstCode]);
          if (answers) {
            stream.respond({ ":status": 200 });
            stream.write("first");
          }
          arrived();
        },
        async (session, proxy) => {
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

  test("a client that cancels ends the connection of its exchange alone, where the server speaks HTTP/1.1", () =>
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

  test("a client that goes away cancels all it has asked for", () => {
    let open = 0;
    let all = (): void => {};
    const started = new Promise<void>((resolve) => {
      all = resolve;
    });
    return withBoth(
      () => {
        open += 1;
        if (open === 3) all();
      },
      async (session, proxy) => {
        for (let index = 0; index < 3; index += 1) session.request({ ":path": `/${index}` }).on("error", () => {});
        await started;
        session.destroy();
        for (let index = 0; index < 3; index += 1) {
          const { outcome } = (await proxy.traffic.row(index)).ended;
          assert.is(outcome.kind === "failed" && outcome.errorType, "client-aborted");
        }
      },
    );
  });

  test("an answer that is cut off is never ended cleanly, whatever the client speaks", () =>
    withBoth(
      (stream) => {
        // Without this Node ends the stream in order before it resets it.
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.write("part", () => stream.close(NGHTTP2_INTERNAL_ERROR));
      },
      async (session, proxy, port) => {
        const stream = session.request({ ":path": "/" });
        stream.resume();
        const [error] = (await once(stream, "error")) as [Error];
        assert.match(error.message, /INTERNAL_ERROR/);
        const client = await RawPeer.secure(proxy.port, `a.test:${port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assert.not.match((await client.rest()).toString(), /\r\n0\r\n\r\n/);
        for (const row of [await proxy.traffic.row(0), await proxy.traffic.row(1)]) {
          const { outcome } = row.ended;
          assert.is(outcome.kind === "failed" && outcome.errorType, "response-truncated");
          assert.is(outcome.status, 200);
        }
      },
    ));

  test("an HTTP/1.1 answer that is cut off resets its stream", () =>
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

  test("a refused request is sent once more, whatever its method; not a third time", async () => {
    for (const [method, refusals, answered] of [
      ["POST", 1, 200],
      ["POST", 2, /REFUSED_STREAM/],
    ] as const) {
      let seen = 0;
      await withBoth(
        (stream) => {
          seen += 1;
          if (seen <= refusals) stream.close(NGHTTP2_REFUSED_STREAM);
          else hello(stream, {});
        },
        async (session) => {
          const asked = ask(session, { ":method": method, ":path": "/" });
          await assertAnswered(asked, answered);
          assert.is(seen, 2);
        },
      );
    }
  });

  test("a refused request with a body is sent again as long as all of it is still here", async () => {
    for (const [size, sent, answered] of [
      [10_000, 2, 200],
      [200_000, 1, /REFUSED_STREAM/],
    ] as const) {
      const seen: Buffer[][] = [];
      await withBoth(
        (stream) => {
          const pieces: Buffer[] = [];
          seen.push(pieces);
          const isFirst = seen.length === 1;
          stream.on("data", (bytes: Buffer) => pieces.push(bytes));
          stream.on("end", () => {
            if (isFirst) stream.close(NGHTTP2_REFUSED_STREAM);
            else hello(stream, {});
          });
        },
        async (session) => {
          const body = randomBytes(size);
          await assertAnswered(ask(session, { ":method": "POST", ":path": "/" }, body), answered);
          assert.is(seen.length, sent);
          for (const pieces of seen) assert.ok(Buffer.concat(pieces).equals(body));
        },
      );
    }
  });

  test("after GOAWAY what is in flight ends, what the server never saw is sent again, and the rest goes elsewhere", () =>
    withProxy({}, async (proxy) => {
      const held: http2.ServerHttp2Stream[] = [];
      let arrived = (): void => {};
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const server = await http2Server(proxy, (stream, headers) => {
        if (headers[":path"] !== "/held") return hello(stream, headers);
        held.push(stream);
        arrived();
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const first = ask(session, { ":path": "/held" });
      await arrival;
      server.sessions[0]?.goaway(NGHTTP2_NO_ERROR, held[0]?.id ?? 0);
      for (let round = 0; round < 3; round += 1) assert.is((await ask(session, { ":path": "/next" })).status, 200);
      for (const stream of held) hello(stream, {});
      assert.is((await first).body.toString(), "hello");
      assert.is(server.sessions.length, 2);
      session.destroy();
      await server.stop();
    }));

  test("a server that wants HTTP/1.1 gets it, from then on", () =>
    withProxy({}, async (proxy) => {
      let streams = 0;
      const server = await http2Server(
        proxy,
        (stream) => {
          streams += 1;
          stream.close(NGHTTP2_HTTP_1_1_REQUIRED);
        },
        { allowHTTP1: true },
        (_request, response) => response.end("over 1.1"),
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (let round = 0; round < 2; round += 1)
        assert.is((await ask(session, { ":path": "/" })).body.toString(), "over 1.1");
      assert.is(streams, 1);
      session.destroy();
      await server.stop();
    }));

  test("a session that died while idle is not missed", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, hello);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (let round = 0; round < 3; round += 1) {
        assert.is((await ask(session, { ":path": "/" })).status, 200);
        server.sessions[round]?.destroy();
      }
      session.destroy();
      await server.stop();
    }));

  test("when the proxy drains, clients are told to go, and what is in flight ends", () => {
    let held: http2.ServerHttp2Stream | null = null;
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    return withBoth(
      (stream) => {
        held = stream;
        arrived();
      },
      async (session, proxy) => {
        const reply = ask(session, { ":path": "/" });
        await arrival;
        const goaway = once(session, "goaway");
        const stopped = proxy.listener.stop(10_000);
        assert.is((await goaway)[0], NGHTTP2_NO_ERROR);
        if (held !== null) hello(held, {});
        assert.is((await reply).body.toString(), "hello");
        await stopped;
      },
    );
  });

  test("what is still in flight when the proxy stops ends as that", () =>
    withBoth(
      () => {},
      async (session, proxy) => {
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

  test("idle connections of both sides are closed in order", () =>
    withBoth(
      hello,
      async (session) => {
        const goaway = once(session, "goaway");
        await ask(session, { ":path": "/" });
        assert.is((await goaway)[0], NGHTTP2_NO_ERROR);
        await once(session, "close");
      },
      { limits: { idle: 50, upstreamIdle: 50 } },
    ));

  test("a server that never answers is 504 on its stream alone", () =>
    withBoth(
      (stream, headers) => {
        if (headers[":path"] === "/ok") hello(stream, headers);
      },
      async (session) => {
        const late = ask(session, { ":path": "/late" });
        assert.is((await ask(session, { ":path": "/ok" })).status, 200);
        assert.is((await late).status, 504);
        assert.is((await ask(session, { ":path": "/ok" })).status, 200);
      },
      { limits: { response: 100 } },
    ));

  test("an early answer reaches a client that still sends, and its stream ends without an error", () =>
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

  test("a slow reader holds back its server, and others of the connection go on", () =>
    withProxy({}, async (proxy) => {
      const piece = Buffer.alloc(64 * 1024);
      let written = 0;
      let stalled = (): void => {};
      const stall = new Promise<void>((resolve) => {
        stalled = resolve;
      });
      const server = await http2Server(proxy, (stream, headers) => {
        if (headers[":path"] !== "/big") return hello(stream, headers);
        stream.respond({ ":status": 200 });
        const fill = (): void => {
          while (written < 100_000_000) {
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
    }));

  test("a slow server holds back its client", () =>
    withProxy({}, async (proxy) => {
      let taken: http2.ServerHttp2Stream | null = null;
      let arrived = (): void => {};
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const server = await http2Server(proxy, (stream, headers) => {
        if (headers[":path"] !== "/up") return hello(stream, headers);
        taken = stream;
        arrived();
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`, { maxSessionMemory: 100 });
      const stream = session.request({ ":method": "POST", ":path": "/up" }, { endStream: false });
      const total = 20_000_000;
      stream.end(Buffer.alloc(total));
      await arrival;
      for (let round = 0; round < 50; round += 1) await ask(session, { ":path": "/" });
      const left = (session.socket as unknown as { bytesWritten?: number }).bytesWritten ?? 0;
      assert.ok(left < 10_000_000, `${left} bytes were sent to a server that reads none`);
      let size = 0;
      const server0 = taken as http2.ServerHttp2Stream | null;
      server0?.on("data", (bytes: Buffer) => {
        size += bytes.length;
      });
      server0?.on("end", () => hello(server0, {}));
      assert.is((await replyOn(stream)).body.toString(), "hello");
      assert.is(size, total);
      session.destroy();
      await server.stop();
    }));

  test("our own answers come on streams too", () =>
    withProxy({}, async (proxy) => {
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
      const answered = await proxy.tlsServer(answering(() => ok("x")));
      assert.is(answered.peers.length, 0);
    }));
});
