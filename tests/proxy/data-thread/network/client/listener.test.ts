import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { KEEP_ALIVE_TIMER, timerOf } from "../../../../support/socket-timer.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const lan = lanAddress();

describe("proxy listener", (test) => {
  test("given a port that is taken, fails to start with the system's code", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      await proxy.listener.start("127.0.0.1", server.port).then(
        () => assert.unreachable(),
        (error: unknown) => assert.is(error instanceof Error && "code" in error ? error.code : "", "EADDRINUSE"),
      );
    }));

  test("given a call to prepare, reads the trusted certificates before any client connects", () =>
    withProxy({}, async (proxy) => {
      assert.is(proxy.trustReadAt, null);
      proxy.listener.prepare();
      assert.is.not(proxy.trustReadAt, null);
    }));

  test("given a client over the limit that sends much before it reads, delivers it a whole 503", () =>
    withProxy({ limits: { clients: 2, linger: 60_000 } }, async (proxy) => {
      const held = [await RawPeer.to(proxy.port), await RawPeer.to(proxy.port)];
      const refused = await RawPeer.to(proxy.port);
      refused.socket.pause();
      await new Promise((resolve) => refused.socket.write(Buffer.alloc(20_000_000), resolve));
      refused.socket.resume();
      assert.match((await refused.rest()).toString(), /503 Service Unavailable.*not from the server\.\n$/s);
      assert.is(await refused.over, "end");
      for (const client of [refused, ...held]) client.close();
    }));

  test("given a refused client that stays connected, does not count it against the limit of clients", () =>
    withProxy({ limits: { clients: 1, linger: 60_000 } }, async (proxy) => {
      const [held, refused] = [await RawPeer.to(proxy.port), await RawPeer.to(proxy.port)];
      assert.match((await refused.rest()).toString(), "503 Service Unavailable");
      held.close();
      while (proxy.listener.connections > 1) await new Promise((resolve) => setImmediate(resolve));
      const next = await RawPeer.to(proxy.port);
      next.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n");
      assert.match(await next.head(), "200 OK");
      for (const client of [refused, next]) client.close();
    }));

  test("given more refused clients than the limit, closes the first of them without waiting", () =>
    withProxy({ limits: { clients: 1, linger: 60_000 } }, async (proxy) => {
      const clients: RawPeer[] = [];
      for (let count = 0; count < 3; count += 1) clients.push(await RawPeer.to(proxy.port));
      assert.match((await clients[2]?.rest())?.toString() ?? "", "503 Service Unavailable");
      while (proxy.listener.connections > 2) await new Promise((resolve) => setImmediate(resolve));
      assert.is(await clients[1]?.over, "end");
      assert.is(proxy.listener.connections, 2);
      for (const client of clients) client.close();
    }));

  test("given local clients, reports each connection once, by its id and the ports of both ends", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("told")));
      const clients = [await RawPeer.to(proxy.port), await RawPeer.to(proxy.port)];
      for (const client of [...clients, ...clients]) {
        client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
        await client.until("told");
      }
      const ports = clients.map(({ socket }) => socket.localPort);
      assert.equal(
        proxy.localClients,
        ports.map((port, index) => ({ connection: index + 1, port, proxyPort: proxy.port })),
      );
      for (const client of clients) client.close();
    }));

  test(
    "given a client that came over the network, does not report its connection as local",
    () =>
      withProxy({ address: "0.0.0.0" }, async (proxy) => {
        const server = await proxy.server(answering(() => ok("told")));
        const client = await RawPeer.to(proxy.port, lan ?? "");
        client.send(`GET http://probe.weir.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        await client.rest();
        assert.is((await proxy.traffic.row(0)).started.clientConnection, 1);
        assert.equal(proxy.localClients, []);
      }),
    { skip: lan === null ? "needs a network address" : null },
  );

  test(
    "given a client of this machine, enables TCP keep-alive on its connection",
    () =>
      withProxy({}, async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        while (timerOf(proxy.port, client) !== KEEP_ALIVE_TIMER)
          await new Promise((resolve) => setTimeout(resolve, 10));
        client.close();
      }),
    { skip: process.platform === "linux" ? null : "needs Linux" },
  );

  test("given a stop, closes idle clients, lets an exchange end and accepts no connection", () =>
    withProxy({ limits: { drain: 60_000 } }, async (proxy) => {
      const server = await proxy.server();
      const idle = await RawPeer.to(proxy.port);
      const busy = await RawPeer.to(proxy.port);
      busy.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      const peer = await server.peer(0);
      await peer.head();
      const stopped = proxy.listener.stop();
      await idle.over;
      await RawPeer.to(proxy.port).then(
        () => assert.unreachable(),
        () => {},
      );
      peer.send(ok("last words"));
      assert.match((await busy.rest()).toString(), /Connection: close\r\n\r\nlast words$/);
      await stopped;
      while (proxy.listener.connections > 0) await new Promise((resolve) => setImmediate(resolve));
    }));

  test("given local responses during a stop, announces in them that the connection closes", () =>
    withProxy({ limits: { drain: 60_000 } }, async (proxy) => {
      const server = await proxy.server();
      const [asking, failing] = [await RawPeer.to(proxy.port), await RawPeer.to(proxy.port)];
      asking.send("POST http://probe.weir.test/x HTTP/1.1\r\nHost: p\r\nContent-Length: 4\r\n\r\nbo");
      failing.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody`);
      const peer = await server.peer(0);
      await peer.until("body");
      while (proxy.traffic.events.filter(({ type }) => type === "request-started").length < 2)
        await new Promise((resolve) => setImmediate(resolve));
      const stopped = proxy.listener.stop();
      asking.send("dy");
      peer.close();
      for (const client of [asking, failing])
        assert.match((await client.rest()).toString(), /\r\nConnection: close\r\n/);
      await stopped;
    }));

  test("given an exchange that outlasts the drain limit, ends it and records proxy-stopped", () =>
    withProxy({ limits: { drain: 50 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await (await server.peer(0)).head();
      await proxy.listener.stop();
      await client.over;
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "proxy-stopped");
    }));

  test("given a stopped listener, can be started again and then answers again", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("again")));
      await proxy.listener.stop();
      const { port } = await proxy.listener.start("127.0.0.1", 0);
      const client = await RawPeer.to(port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("again");
      client.close();
    }));

  test("given clients that connect, ask and break off in many ways, leaves no connection open and ends every row", () =>
    withProxy({ limits: { linger: 100 } }, async (proxy) => {
      const server = await proxy.server(answering((head) => ok("x".repeat(head.length * 50))));
      const secure = await proxy.tlsServer(answering(() => ok("x")));
      const visit = async (index: number): Promise<void> => {
        const host = `a.test:${index % 2 === 0 ? server.port : secure.port}`;
        const client = await RawPeer.to(proxy.port);
        if (index % 2 === 0) client.send(`GET http://${host}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
        else client.send(`CONNECT ${host} HTTP/1.1\r\nHost: a\r\n\r\n`);
        if (index % 3 !== 0) await client.head();
        if (index % 5 === 0) client.socket.resetAndDestroy();
        else if (index % 7 === 0) client.socket.end();
        else client.close();
        await client.over;
      };
      for (let round = 0; round < 10; round += 1)
        await Promise.all(Array.from({ length: 30 }, (_, index) => visit(round * 30 + index)));
      while (proxy.listener.connections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      const started = proxy.traffic.events.filter(({ type }) => type === "request-started").length;
      assert.is(proxy.traffic.rows.length, started);
    }));
});
