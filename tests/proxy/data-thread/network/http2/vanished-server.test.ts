import { once } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { type FurtherProxy, furtherProxy } from "../../../../support/further-proxy.ts";
import { type HoldingServer, holdingServer } from "../../../../support/holding-server.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { hello } from "../../../../support/http2-server.ts";
import { type TestProxy, type TestProxyOptions, withProxy } from "../../../../support/test-proxy.ts";

/** A server behind an upstream proxy; `swallow` makes the proxy discard what it receives. */
async function withSwallowing(
  options: TestProxyOptions,
  body: (session: ClientHttp2Session, server: HoldingServer, swallow: () => void, proxy: TestProxy) => Promise<unknown>,
): Promise<void> {
  const further: FurtherProxy = await furtherProxy();
  await withProxy(options, async (proxy) => {
    proxy.settings.upstreamProxy = `http://127.0.0.1:${further.port}`;
    const server = await holdingServer(proxy);
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

describe("HTTP/2 connections whose server vanished", (test) => {
  for (const [method, content] of [
    ["GET", null],
    ["POST", "once"],
  ] as const) {
    test(`given a ${method} on a silent connection, sends it over a new connection`, () =>
      withSwallowing({ limits: { silentConnection: 0, ping: 50 } }, async (session, server, swallow, proxy) => {
        await ask(session, { ":path": "/" });
        swallow();
        const reply = await ask(session, { ":method": method, ":path": "/" }, content);
        assert.is(reply.status, 200);
        assert.is(server.sessions.length, 2);
        const { ended } = await proxy.traffic.row(1);
        assert.equal(ended.outcome, { kind: "responded", status: 200 });
        assert.ok(ended.instants.connectStart !== null, "the second connection is part of it");
        assert.is(ended.waitedFor, method === "POST" ? "sign" : "retry");
      }));
  }

  test("given a POST in flight when the PING fails, responds 504 with the cause", () =>
    withSwallowing({ limits: { silentConnection: 0, ping: 50 } }, async (session, server, swallow, proxy) => {
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

  test("given a server that answers, keeps its connection, and sends PING only after silence", async () => {
    for (const [silentConnection, questions] of [
      [0, 2],
      [60_000, 0],
    ] as const)
      await withSwallowing({ limits: { silentConnection } }, async (session, server) => {
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

  test("given a server on this machine, which may be at a breakpoint, sends it no PING", () =>
    withProxy({ limits: { silentConnection: 0, ping: 1 } }, async (proxy) => {
      const server = await holdingServer(proxy);
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
