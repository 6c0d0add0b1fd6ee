import { once } from "node:events";
import * as http2 from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import * as tls from "node:tls";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { hello, http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("offer of HTTP/2 in ALPN", (test) => {
  test("given a host that is passed through, leaves the client its HTTP/2 with the server", () =>
    withProxy({ settings: { passThrough: ["a.test"] } }, async (proxy) => {
      const server = await http2Server(proxy, hello);
      const theirs = { port: proxy.port, clientCa: proxy.servers.pem };
      const session = await http2Client(theirs, `https://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "hello");
      session.destroy();
      const { started } = await proxy.traffic.row(0);
      assert.equal(started.tags, ["tunnel"]);
      await server.stop();
    }));

  test("given a request with Authorization: Negotiate, uses HTTP/1.1 to the server", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, hello, { allowHTTP1: true }, (_request, response) => response.end("1.1"));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const reply = await ask(session, { ":path": "/", authorization: "Negotiate abc" });
      assert.is(reply.body.toString(), "1.1");
      const other = await http2Client(proxy, `https://a.test:${server.port}`);
      assert.is((await ask(other, { ":path": "/" })).body.toString(), "hello");
      session.destroy();
      other.destroy();
      await server.stop();
    }));

  test("given HTTP/2 off, offers it to neither client nor server and tags the client's offer", () =>
    withProxy({ settings: { http2: false } }, async (proxy) => {
      const server = await http2Server(proxy, hello, { allowHTTP1: true }, (_request, response) => response.end("1.1"));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2", "http/1.1"]);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.until("\r\n\r\n1.1");
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["http2-offered"]);
      assert.is(server.sessions.length, 0);
      client.close();
      await server.stop();
    }));

  test("given HTTP/2 off for a host, passes HTTP/2 with prior knowledge through as a tunnel", () =>
    withProxy({ settings: { http1Hosts: ["a.test"] } }, async (proxy) => {
      const server = await http2Server(proxy, hello, { clear: true });
      const session = await http2Client(proxy, `http://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "hello");
      session.destroy();
      assert.equal((await proxy.traffic.row(0)).started.tags, ["tunnel"]);
      await server.stop();
    }));

  test("given an HTTP/2 client that disconnects without a TLS alert, reports no rejected certificate", () =>
    withProxy({ settings: { probeHost: "a.test" } }, async (proxy) => {
      const peer = await RawPeer.tunnel(proxy.port, "a.test:443");
      peer.socket.removeAllListeners("data");
      const session = http2.connect("https://a.test", { createConnection: () => tlsOver(peer, [proxy.servers.pem]) });
      await once(session, "error");
      while (proxy.silentCloses.length === 0) await pause(5);
      await proxy.listener.stop();
      const { outcome, tags } = (await proxy.traffic.row(0)).ended;
      assert.equal(outcome, { kind: "responded", status: 200 });
      assert.equal(tags, ["tunnel", "no-request"]);
    }));

  test("given a server of HTTP/1.1 only, opens connections in parallel without waiting from the second time on", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const all = (count: number) =>
        Promise.all(Array.from({ length: count }, () => ask(session, { ":path": "/" }).then(({ status }) => status)));
      assert.equal(await all(3), [200, 200, 200]);
      assert.is(server.peers.length, 3);
      // Three requests that find a connection, and three that need a new one.
      assert.equal(await all(6), [200, 200, 200, 200, 200, 200]);
      assert.ok(server.peers.length > 3);
      await proxy.traffic.row(8);
      for (const { ended } of proxy.traffic.rows.slice(3)) assert.is(ended.waitedFor, null);
      session.destroy();
    }));
});

function tlsOver(peer: RawPeer, ca: string[]): tls.TLSSocket {
  return tls.connect({ socket: peer.socket, servername: "a.test", ca, ALPNProtocols: ["h2"] });
}
