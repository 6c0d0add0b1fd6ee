import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import { Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ClientLines } from "../../../../../extensions/proxy/data-thread/network/client/client-lines.ts";
import { BUFFERS } from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import type { Conditions } from "../../../../../src/engine/model/conditions.ts";
import { slowedTimeOf } from "../../../../../src/engine/model/phases.ts";
import type { CapturedRow } from "../../../../support/captured-traffic.ts";
import { describe } from "../../../../support/describe.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { ProxiedClient } from "../../../../support/proxied-client.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering as httpServer, ok } from "../../../../support/raw-server.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";
import { WarpedClock } from "../../../../support/warped-clock.ts";

const ROUND_TRIP = 200;
const SLOW: Conditions = { name: null, roundTrip: ROUND_TRIP, down: 800, up: 400, hosts: [] };
const BODY = Buffer.alloc(50_000, "body");

/** Answers each request on a connection with `BODY`; reads bodies of a declared length. */
const answering = async (peer: RawPeer): Promise<void> => {
  for (;;) {
    const head = await peer.head();
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (length > 0) await peer.bytes(length);
    peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n`);
    peer.send(BODY);
  }
};

const withSlowProxy = (
  conditions: Conditions | null,
  body: (proxy: TestProxy, clock: WarpedClock) => Promise<unknown>,
) => {
  const clock = new WarpedClock(true);
  return withProxy({ clock, lineClock: clock }, async (proxy) => {
    proxy.listener.setConditions(conditions);
    await body(proxy, clock);
  });
};

const latencyOf = ({ ended: { instants } }: CapturedRow) => (instants.responseEnd ?? 0) - instants.startTime;
const slowedOf = ({ ended }: CapturedRow) =>
  slowedTimeOf({ instants: ended.instants, endTime: ended.at, slowed: ended.slowed ?? null });

/** The least time for `bytes` at kbit/s, in ms. */
const timeFor = (bytes: number, rate: number) => (bytes * 8) / rate;

describe("slowed client connections", (test) => {
  test("given no conditions, the socket itself is used, and no timer is started", () => {
    const clock = new WarpedClock(false);
    const lines = new ClientLines(clock);
    const raw = new Socket();
    assert.is(lines.socketFor(raw), raw);
    lines.conditions = SLOW;
    lines.conditions = null;
    assert.is(lines.socketFor(raw), raw);
    assert.not.ok(clock.step());
  });

  for (const scheme of ["http", "https"] as const)
    test(`given ${scheme}, a response takes the round trip and the rate, all of it slowed on purpose`, async () => {
      await withSlowProxy(SLOW, async (proxy, clock) => {
        const server = await (scheme === "http" ? proxy.server(answering) : proxy.tlsServer(answering));
        const client = new ProxiedClient({ port: proxy.port, ca: proxy.clientCa }, `${scheme}://a.test:${server.port}`);
        const begun = clock.now();
        assert.ok((await client.ask("GET", "/")).body.equals(BODY));
        const first = clock.now() - begun;
        // TCP's handshake, then the request; TLS needs CONNECT and its own handshake before.
        const roundTrips = scheme === "http" ? 2 : 4;
        const least = roundTrips * ROUND_TRIP + timeFor(BODY.length, SLOW.down);
        assert.ok(first >= least && first < 1.3 * least, `${first} of ${least}`);
        await client.ask("POST", "/", BODY);
        client.close();
        const row = await proxy.traffic.row(1);
        const expected = ROUND_TRIP + timeFor(BODY.length, SLOW.up) + timeFor(BODY.length, SLOW.down);
        assert.ok(latencyOf(row) >= expected, `${latencyOf(row)} of ${expected}`);
        // The server takes no time on this clock, so all of it is Weir's.
        assert.ok(Math.abs(slowedOf(row) - latencyOf(row)) <= 0.1 * latencyOf(row), JSON.stringify(row.ended.slowed));
        assert.is(row.started.clientAddress, "127.0.0.1");
      });
    });

  test("given HTTP/2, each of several streams gets its whole response", async () => {
    await withSlowProxy(SLOW, async (proxy) => {
      const server = await proxy.tlsServer(answering);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const bodies = await Promise.all([1, 2, 3].map(() => bodyOf(session)));
      for (const body of bodies) assert.ok(body.equals(BODY));
      session.close();
      const rows = await Promise.all([0, 1, 2].map((index) => proxy.traffic.row(index)));
      const last = Math.max(...rows.map(latencyOf));
      assert.ok(last >= ROUND_TRIP + timeFor(3 * BODY.length, SLOW.down));
      for (const row of rows) assert.ok((row.ended.slowed?.response ?? 0) > 0);
    });
  });

  test("given SOCKS 5 and bytes that are no HTTP, delivers them both ways, slowed", async () => {
    await withSlowProxy(SLOW, async (proxy, clock) => {
      const server = await proxy.server(async (peer) => peer.send(await peer.bytes(3)));
      const client = await RawPeer.to(proxy.port);
      const begun = clock.now();
      client.send(Buffer.from([5, 1, 0]));
      await client.bytes(2);
      client.send(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, server.port >> 8, server.port & 255]));
      await client.bytes(10);
      client.send(Buffer.from([1, 2, 3]));
      assert.equal([...(await client.bytes(3))], [1, 2, 3]);
      assert.ok(clock.now() - begun >= 4 * ROUND_TRIP);
      client.close();
    });
  });

  test("given host patterns, slows only the hosts that match", async () => {
    await withSlowProxy({ ...SLOW, hosts: ["*.slow.test"] }, async (proxy) => {
      const server = await proxy.server(answering);
      const secure = await proxy.tlsServer(answering);
      for (const [index, [scheme, host, port]] of (
        [
          ["http", "a.slow.test", server.port],
          ["http", "a.fast.test", server.port],
          ["https", "b.slow.test", secure.port],
          ["https", "b.fast.test", secure.port],
        ] as const
      ).entries()) {
        const client = new ProxiedClient({ port: proxy.port, ca: proxy.clientCa }, `${scheme}://${host}:${port}`);
        await client.ask("GET", "/");
        const row = await proxy.traffic.row(index);
        assert.is(row.ended.slowed !== undefined, host.endsWith(".slow.test"), host);
      }
    });
  });

  test("given conditions that begin, ends open connections after their exchange, over HTTP/1 and HTTP/2", async () => {
    await withSlowProxy(null, async (proxy) => {
      const server = await proxy.server(answering);
      const secure = await proxy.tlsServer(answering);
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
      await client.head();
      await client.bytes(BODY.length);
      const session = await http2Client(proxy, `https://a.test:${secure.port}`);
      await bodyOf(session);
      const goneAway = once(session, "goaway");
      proxy.listener.setConditions(SLOW);
      await goneAway;
      await client.rest();
      client.close();
      session.close();
    });
  });

  test("given conditions that end, delivers what the line holds at once, and slows no new connection", async () => {
    const clock = new WarpedClock(false);
    await withProxy({ clock, lineClock: clock }, async (proxy) => {
      proxy.listener.setConditions(SLOW);
      const server = await proxy.server(answering);
      const ask = async () => {
        const client = await RawPeer.to(proxy.port);
        client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
        return client;
      };
      // This clock stands still, so the request is in the line until the conditions end.
      const slowed = await ask();
      proxy.listener.setConditions(null);
      await slowed.head();
      assert.ok((await slowed.bytes(BODY.length)).equals(BODY));
      const further = await ask();
      await further.head();
      assert.ok((await further.bytes(BODY.length)).equals(BODY));
      slowed.close();
      further.close();
    });
  });

  test("given a client that leaves while its response is slowed, records it as aborted and holds nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 20_000 }), async (read) => {
        const clock = new WarpedClock(false);
        await withProxy({ clock, lineClock: clock }, async (proxy) => {
          proxy.listener.setConditions(SLOW);
          const server = await proxy.server(answering);
          const client = await RawPeer.to(proxy.port);
          client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
          let hasRead = false;
          const reading = client
            .head()
            .then(() => client.bytes(read))
            .then(() => {
              hasRead = true;
            });
          while (!hasRead) {
            clock.step();
            for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          }
          await reading;
          client.socket.resetAndDestroy();
          const { outcome } = (await proxy.traffic.row(0)).ended;
          assert.is(outcome.kind === "failed" ? outcome.errorType : outcome.kind, "client-aborted");
          BUFFERS.recount();
          assert.is(BUFFERS.total, 0);
        });
      }),
      { numRuns: rounds(5) },
    );
  });
});

async function bodyOf(session: ClientHttp2Session): Promise<Buffer> {
  const stream = session.request({ ":path": "/" });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(stream, "end");
  return Buffer.concat(chunks);
}

const SUITES_1_3 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
/** Each for both kinds of keys that a leaf may have. */
const SUITES_1_2 = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map(
  (suite) => `ECDHE-ECDSA-${suite}:ECDHE-RSA-${suite}`,
);

const clientTls = fc.oneof(
  fc.record({ version: fc.constant("TLSv1.3" as const), ciphers: fc.constantFrom(...SUITES_1_3) }),
  fc.record({ version: fc.constant("TLSv1.2" as const), ciphers: fc.constantFrom(...SUITES_1_2) }),
);

describe("recorded parameters of the client's TLS handshake", (test) => {
  test("given drawn versions, ciphers and protocols, records it as the client has it, once a connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(httpServer(() => ok("x")));
      const protocols = fc.constantFrom<string[]>([], ["http/1.1"], ["acme/1", "http/1.1"]);
      await fc.assert(
        fc.asyncProperty(clientTls, protocols, fc.integer({ min: 1, max: 3 }), async (drawn, offered, requests) => {
          const begun = proxy.traffic.events.length;
          const ended = proxy.traffic.rows.length;
          const { socket } = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
          socket.removeAllListeners("data");
          const { version, ciphers } = drawn;
          const secured = tlsConnect({
            socket,
            servername: "a.test",
            ca: [proxy.clientCa],
            ciphers,
            ALPNProtocols: offered,
            minVersion: version,
            maxVersion: version,
          });
          await once(secured, "secureConnect");
          const client = new RawPeer(secured);
          for (let sent = 0; sent < requests; sent += 1) {
            client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
            await proxy.traffic.row(ended + sent);
          }
          const events = proxy.traffic.events.slice(begun);
          const starts = events.filter((event) => event.type === "request-started");
          const handshakes = events.filter((event) => event.type === "client-secured");
          assert.is(starts.length, requests);
          const [handshake, ...others] = handshakes;
          assert.equal(others, []);
          assert.ok(handshake);
          assert.equal(
            starts.map(({ clientConnection }) => clientConnection),
            starts.map(() => handshake.connection),
          );
          assert.equal(handshake.tls, {
            version,
            cipher: secured.getCipher().standardName,
            alpn: offered.includes("http/1.1") ? "http/1.1" : null,
            resumed: false,
          });
          assert.ok(handshake.at <= (starts[0]?.at ?? 0), "the handshake ended before the request");
          client.close();
        }),
        { numRuns: rounds(12) },
      );
    }));

  test("given HTTP/2, records it; given exchanges that are not recorded, with the first that is", () =>
    withProxy({}, async (proxy) => {
      proxy.traffic.unwanted = ["a.test"];
      const server = await proxy.tlsServer(httpServer(() => ok("x")));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      await ask(session, { ":path": "/" });
      assert.equal(proxy.traffic.events, []);
      proxy.traffic.unwanted = [];
      await ask(session, { ":path": "/" });
      const { connection, tls } = await proxy.traffic.event("client-secured");
      assert.equal([tls.version, tls.alpn], ["TLSv1.3", "h2"]);
      assert.is((await proxy.traffic.row(0)).started.clientConnection, connection);
      session.destroy();
    }));
});
