import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { ClientHttp2Session, ServerHttp2Stream } from "node:http2";
import * as assert from "uvu/assert";
import { CLOCK } from "../../../../extensions/proxy/clock.ts";
import { LAST_STREAM, MOST_SESSIONS } from "../../../../extensions/proxy/network/http2/limits.ts";
import { nodeHttp2 } from "../../../../extensions/proxy/network/http2/node-http2.ts";
import { describe } from "../../../support/describe.ts";
import { type FurtherProxy, furtherProxy } from "../../../support/further-proxy.ts";
import { answered, http2ByHand } from "../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM } from "../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../support/http2-peer.ts";
import { type Http2Server, http2Server } from "../../../support/http2-server.ts";
import { type TestProxy, type TestProxyOptions, withProxy } from "../../../support/test-proxy.ts";

function hello(stream: ServerHttp2Stream): void {
  stream.respond({ ":status": 200 });
  stream.end("hello");
}

/** A server that answers /held when it is told to, and counts what it holds. */
interface HoldingServer extends Http2Server {
  /** The held ones, in the order in which they came. */
  readonly held: readonly ServerHttp2Stream[];
  /** As soon as so many have come. */
  holds(count: number): Promise<void>;
  /** How many were held at once at most. */
  readonly most: number;
}

async function holdingServer(proxy: TestProxy, maxConcurrentStreams: number): Promise<HoldingServer> {
  const held: ServerHttp2Stream[] = [];
  let arrived = (): void => {};
  let open = 0;
  let most = 0;
  const server = await http2Server(
    proxy,
    (stream, headers) => {
      if (headers[":path"] !== "/held") return hello(stream);
      open += 1;
      most = Math.max(most, open);
      stream.on("close", () => {
        open -= 1;
      });
      held.push(stream);
      arrived();
    },
    { settings: { maxConcurrentStreams } },
  );
  const holds = async (count: number): Promise<void> => {
    while (held.length < count)
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
  };
  return {
    ...server,
    held,
    holds,
    get most() {
      return most;
    },
  };
}

async function withServer(
  limit: number,
  body: (session: ClientHttp2Session, server: HoldingServer, proxy: TestProxy) => Promise<unknown>,
): Promise<void> {
  await withProxy({}, async (proxy) => {
    const server = await holdingServer(proxy, limit);
    const session = await http2Client(proxy, `https://a.test:${server.port}`);
    try {
      await body(session, server, proxy);
    } finally {
      session.destroy();
      await server.stop();
    }
  });
}

describe("sessions of one origin", (test) => {
  test("one is enough as long as the server takes more streams", () =>
    withServer(100, async (session, server) => {
      const all = Array.from({ length: 100 }, () => ask(session, { ":path": "/held" }));
      await server.holds(100);
      for (const stream of server.held) hello(stream);
      await Promise.all(all);
      assert.is(server.sessions.length, 1);
    }));

  test("where all streams are taken another is opened, up to the bound, and what waits then is told as waiting", () => {
    const limit = randomInt(1, 4);
    const room = limit * MOST_SESSIONS;
    const late = 5;
    return withServer(limit, async (session, server, proxy) => {
      await ask(session, { ":path": "/" });
      const all = Array.from({ length: room + late }, () => ask(session, { ":path": "/held" }));
      await server.holds(room);
      assert.is(server.sessions.length, MOST_SESSIONS);
      const releasedAt = CLOCK.now();
      for (let next = 0; next < room + late; next += 1) {
        await server.holds(next + 1);
        const stream = server.held[next];
        if (stream !== undefined) hello(stream);
      }
      for (const reply of await Promise.all(all)) assert.is(reply.status, 200);
      assert.is(server.sessions.length, MOST_SESSIONS);
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
    });
  });

  test("a rush at a server that has not yet said its limit comes through whole, whatever the methods", () =>
    withServer(2, async (session, server) => {
      const all = Array.from({ length: 40 }, (_, index) =>
        ask(session, { ":method": index % 2 === 0 ? "GET" : "POST", ":path": "/" }, index % 2 === 0 ? null : "body"),
      );
      for (const reply of await Promise.all(all)) assert.is(reply.body.toString(), "hello");
      assert.ok(server.sessions.length <= MOST_SESSIONS);
    }));

  test("whoever gives up while it waits leaves its place to the others", () =>
    withServer(1, async (session, server, proxy) => {
      await ask(session, { ":path": "/" });
      const first = Array.from({ length: MOST_SESSIONS }, () => ask(session, { ":path": "/held" }));
      await server.holds(MOST_SESSIONS);
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
    }));

  test("when a session's streams have used up their numbers, the next one opens", async () => {
    const module = nodeHttp2();
    const { connect } = module;
    let isFirst = true;
    const nearTheEnd = (...told: Parameters<typeof connect>): ClientHttp2Session => {
      const session = Reflect.apply(connect, module, told);
      // Not in Node's types; one stream is left.
      if (isFirst) (session as unknown as { setNextStreamID(id: number): void }).setNextStreamID(LAST_STREAM);
      isFirst = false;
      return session;
    };
    await withProxy({}, async (proxy) => {
      const seen: number[] = [];
      // By hand, since Node as a server says GOAWAY by itself before that.
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

/** A server behind a further proxy, which can begin to swallow what it is sent. */
async function withSwallowing(
  options: TestProxyOptions,
  body: (session: ClientHttp2Session, server: HoldingServer, swallow: () => void, proxy: TestProxy) => Promise<unknown>,
): Promise<void> {
  const further: FurtherProxy = await furtherProxy();
  await withProxy(options, async (proxy) => {
    proxy.settings.upstreamProxy = `http://127.0.0.1:${further.port}`;
    const server = await holdingServer(proxy, 100);
    const session = await http2Client(proxy, `https://a.test:${server.port}`);
    const swallow = (): void => {
      for (const { socket } of further.peers) socket.unpipe().resume();
    };
    try {
      await body(session, server, swallow, proxy);
    } finally {
      session.destroy();
      await server.stop();
    }
  });
  await further.stop();
}

describe("sessions whose server vanished", (test) => {
  for (const [method, content] of [
    ["GET", null],
    ["POST", "once"],
  ] as const) {
    test(`a ${method} is answered over another one`, () =>
      withSwallowing({ limits: { silentSession: 0, ping: 50 } }, async (session, server, swallow, proxy) => {
        await ask(session, { ":path": "/" });
        swallow();
        const reply = await ask(session, { ":method": method, ":path": "/" }, content);
        assert.is(reply.status, 200);
        assert.is(server.sessions.length, 2);
        const { ended } = await proxy.traffic.row(1);
        assert.equal(ended.outcome, { kind: "responded", status: 200 });
        assert.ok(ended.instants.connectStart !== null, "the second connection is part of it");
        assert.is(ended.waitedFor, method === "POST" ? "sign" : null);
      }));
  }

  test("what was in flight and cannot be sent twice ends with its cause", () =>
    withSwallowing({ limits: { silentSession: 0, ping: 50 } }, async (session, server, swallow, proxy) => {
      const post = ask(session, { ":method": "POST", ":path": "/held" }, "body");
      await server.holds(1);
      swallow();
      assert.is((await ask(session, { ":path": "/" })).status, 200);
      const reply = await post;
      assert.is(reply.status, 504);
      assert.match(reply.body.toString(), /did not even answer a PING/);
      const { id } = await proxy.traffic.event("request-started", ({ target }) => target === "/held");
      const { outcome } = await proxy.traffic.event("exchange-ended", (ended) => ended.id === id);
      assert.is(outcome.kind === "failed" && outcome.errorType, "response-timeout");
    }));

  test("one that answers is used on, and asked only when it was silent", async () => {
    for (const [silentSession, questions] of [
      [0, 2],
      [60_000, 0],
    ] as const)
      await withSwallowing({ limits: { silentSession } }, async (session, server) => {
        await ask(session, { ":path": "/" });
        let pings = 0;
        server.sessions[0]?.on("ping", () => {
          pings += 1;
        });
        for (const content of [null, "body"])
          assert.is((await ask(session, { ":method": content === null ? "GET" : "POST" }, content)).status, 200);
        assert.is(server.sessions.length, 1);
        assert.is(pings, questions);
      });
  });

  test("a server on this machine is not asked: it may stand at a breakpoint", () =>
    withProxy({ limits: { silentSession: 0, ping: 1 } }, async (proxy) => {
      const server = await holdingServer(proxy, 100);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const held = ask(session, { ":path": "/held" });
      await server.holds(1);
      const pinged = once(server.sessions[0] ?? session, "ping").then(() => "asked");
      const answers = (async () => {
        for (let round = 0; round < 3; round += 1) await ask(session, { ":method": "POST" }, "body");
        return "not asked";
      })();
      assert.is(await Promise.race([pinged, answers]), "not asked");
      for (const stream of server.held) hello(stream);
      assert.is((await held).status, 200);
      session.destroy();
      await server.stop();
    }));
});
