import type { ClientHttp2Session } from "node:http2";
import * as assert from "uvu/assert";
import { LAST_STREAM, MOST_CONNECTIONS } from "../../../../../extensions/proxy/data-thread/network/http2/limits.ts";
import { nodeHttp2 } from "../../../../../extensions/proxy/data-thread/network/http2/node-http2.ts";
import type { Resolver } from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { CLOCK } from "../../../../../extensions/proxy/process/clock.ts";
import { describe } from "../../../../support/describe.ts";
import { furtherProxy } from "../../../../support/further-proxy.ts";
import { holdingServer, withHoldingServer } from "../../../../support/holding-server.ts";
import { answered, http2ByHand } from "../../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM } from "../../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { hello, http2Server } from "../../../../support/http2-server.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { opensslCertificate } from "../../../../support/openssl-certificate.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";
import { testResolver, withProxy } from "../../../../support/test-proxy.ts";
import { needs } from "../../../../support/which.ts";

const lan = lanAddress();

describe("HTTP/2 connection pool", (test) => {
  test("given 100 requests within the server's stream limit, uses one connection", () =>
    withHoldingServer(async ({ server, session }) => {
      const all = Array.from({ length: 100 }, () => ask(session, { ":path": "/held" }));
      await server.holds(100);
      for (const stream of server.held) hello(stream);
      await Promise.all(all);
      assert.is(server.sessions.length, 1);
    }));

  test("given a server that allows no stream, responds 504 after the time for a response", () =>
    withProxy({ limits: { response: 300 } }, async (proxy) => {
      const server = await http2Server(proxy, hello, { settings: { maxConcurrentStreams: 0 } });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const reply = await ask(session, { ":path": "/" });
      assert.is(reply.status, 504);
      assert.match(reply.body.toString(), /limit of parallel requests was reached/);
      const { outcome, instants } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" && outcome.errorType, "response-timeout");
      assert.is(instants.requestStart, null);
      session.destroy();
      await server.stop();
    }));

  test("given a connection that no request needs any more, does not open it after the proxy's stop", () => {
    let find = (): void => {};
    let lookups = 0;
    const resolver: Resolver = {
      lookup: async (name) => {
        lookups += 1;
        if (lookups === 2)
          await new Promise<void>((resolve) => {
            find = resolve;
          });
        return await testResolver.lookup(name);
      },
    };
    return withMadeSockets("client", (sockets) =>
      withProxy({ resolver }, async (proxy) => {
        const server = await holdingServer(proxy, 1);
        const session = await http2Client(proxy, `https://a.test:${server.port}`);
        await ask(session, { ":path": "/" });
        const held = ask(session, { ":path": "/held" });
        await server.holds(1);
        const other = ask(session, { ":path": "/" });
        while (lookups < 2) await new Promise((resolve) => setImmediate(resolve));
        for (const stream of server.held) hello(stream);
        await Promise.all([held, other]);
        session.destroy();
        await proxy.listener.stop();
        const made = sockets.length;
        find();
        await new Promise((resolve) => setImmediate(resolve));
        assert.is(sockets.length, made);
        await server.stop();
      }),
    );
  });

  test("given all streams in use, opens connections up to the bound and records later requests as waiting for a stream", async () => {
    for (const limit of [1, 2, 3]) {
      const room = limit * MOST_CONNECTIONS;
      const late = 5;
      await withHoldingServer(async ({ proxy, server, session }) => {
        await ask(session, { ":path": "/" });
        const all = Array.from({ length: room + late }, () => ask(session, { ":path": "/held" }));
        await server.holds(room);
        assert.is(server.sessions.length, MOST_CONNECTIONS);
        const releasedAt = CLOCK.now();
        for (let next = 0; next < room + late; next += 1) {
          await server.holds(next + 1);
          const stream = server.held[next];
          if (stream !== undefined) hello(stream);
        }
        for (const reply of await Promise.all(all)) assert.is(reply.status, 200);
        assert.is(server.sessions.length, MOST_CONNECTIONS);
        assert.is(server.most, room);
        await proxy.traffic.row(room + late);
        const waiting = proxy.traffic.rows.filter(({ ended }) => (ended.instants.requestStart ?? 0) > releasedAt);
        assert.is(waiting.length, late);
        for (const { ended } of waiting) {
          const { headReceived, domainLookupStart, connectStart, connectEnd } = ended.instants;
          assert.ok((headReceived ?? releasedAt) < releasedAt);
          assert.equal([domainLookupStart, connectStart, connectEnd], [null, null, null]);
          assert.is(ended.waitedFor, "stream");
          assert.is(ended.reused, true);
        }
      }, limit);
    }
  });

  test(
    "given a connection to a private address that was opened for this machine, a client from the network does not reuse it",
    () =>
      withFolder(async (folder) => {
        const further = await furtherProxy();
        const settings = { upstreamProxy: `http://127.0.0.1:${further.port}`, tlsExceptions: ["10.0.0.1"] };
        await withProxy({ address: "0.0.0.0", settings }, async (proxy) => {
          const { key, cert } = opensslCertificate(folder, "10.0.0.1", { selfSigned: true });
          const server = await http2Server(proxy, hello, { key, cert });
          const authority = `10.0.0.1:${server.port}`;
          for (const [from, status] of [
            ["127.0.0.1", "HTTP/1.1 200 "],
            [lan ?? "", "HTTP/1.1 403 "],
          ] as const) {
            const client = await RawPeer.to(proxy.port, from);
            client.send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
            assert.match(await client.head(), "HTTP/1.1 200 ");
            const secured = await client.secured("a.test", proxy.clientCa);
            secured.send(`GET / HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
            assert.match(await secured.head(), status);
            secured.close();
          }
          assert.is(server.sessions.length, 1);
          await server.stop();
        });
        await further.stop();
      }),
    { skip: lan === null ? "needs a network address" : needs("openssl") },
  );

  test("given a burst of requests before the server's stream limit is known, answers every GET and POST", () =>
    withHoldingServer(async ({ server, session }) => {
      const all = Array.from({ length: 40 }, (_, index) =>
        ask(session, { ":method": index % 2 === 0 ? "GET" : "POST", ":path": "/" }, index % 2 === 0 ? null : "body"),
      );
      for (const reply of await Promise.all(all)) assert.is(reply.body.toString(), "hello");
      assert.ok(server.sessions.length <= MOST_CONNECTIONS);
    }, 2));

  test("given a waiting request that is cancelled, records client-aborted and serves the next one", () =>
    withHoldingServer(async ({ proxy, server, session }) => {
      await ask(session, { ":path": "/" });
      const first = Array.from({ length: MOST_CONNECTIONS }, () => ask(session, { ":path": "/held" }));
      await server.holds(MOST_CONNECTIONS);
      const given = session.request({ ":path": "/given-up" });
      given.on("error", () => {});
      const last = ask(session, { ":path": "/" });
      await proxy.traffic.event("request-started", ({ target }) => target === "/given-up");
      given.close(nodeHttp2().constants.NGHTTP2_CANCEL);
      const { id } = await proxy.traffic.event("request-started", ({ target }) => target === "/given-up");
      const { outcome, instants } = await proxy.traffic.event("exchange-ended", (ended) => ended.id === id);
      assert.is(outcome.kind === "failed" && outcome.errorType, "client-aborted");
      assert.is(instants.requestStart, null);
      for (const stream of server.held) hello(stream);
      assert.is((await last).status, 200);
      await Promise.all(first);
    }, 1));

  test("given a connection whose stream ids are used up, opens the next one", async () => {
    const module = nodeHttp2();
    const { connect } = module;
    let isFirst = true;
    const nearTheEnd = (...told: Parameters<typeof connect>): ClientHttp2Session => {
      const session = Reflect.apply(connect, module, told);
      // Not in Node's types; leaves one stream.
      if (isFirst) (session as unknown as { setNextStreamID(id: number): void }).setNextStreamID(LAST_STREAM);
      isFirst = false;
      return session;
    };
    await withProxy({}, async (proxy) => {
      const seen: number[] = [];
      // Handwritten frames, since Node's server sends GOAWAY by itself before that.
      const server = await http2ByHand(proxy, (stream) => {
        seen.push(stream);
        return answered(stream, END_STREAM | END_HEADERS);
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      Reflect.set(module, "connect", nearTheEnd);
      try {
        for (let round = 0; round < 3; round += 1) assert.is((await ask(session, { ":path": "/" })).status, 200);
        assert.equal(seen, [LAST_STREAM, 1, 3]);
      } finally {
        Reflect.set(module, "connect", connect);
        session.destroy();
        await server.stop();
      }
    });
  });
});
