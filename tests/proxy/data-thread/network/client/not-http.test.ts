import { once } from "node:events";
import { connect as tlsConnect } from "node:tls";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("tunnels without HTTP", (test) => {
  test("given a server that speaks first, joins both sides and tags the row as not HTTP", () =>
    withProxy({ limits: { silence: 20 } }, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        peer.send("* OK ready\r\n");
        peer.send(`a ${await peer.until("LOGOUT\r\n")}`);
        peer.socket.end();
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      await client.until("* OK ready\r\n");
      client.send("a LOGOUT\r\n");
      await client.until("a a LOGOUT\r\n");
      client.close();
      const { started, ended } = await proxy.traffic.row(0);
      assert.is(started.origin, `https://a.test:${server.port}`);
      assert.equal(ended.tags, ["tunnel", "not-http"]);
      assert.equal(ended.outcome, { kind: "responded", status: 200 });
      assert.equal([ended.requestBodySize, ended.encodedBodySize], [10, 24]);
    }));

  test("given a client that speaks first in binary frames, joins both sides and tags the row as not HTTP", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => peer.socket.end(await peer.bytes(3)));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("\x10\x0c\x00");
      assert.is((await client.rest()).toString("latin1"), "\x10\x0c\x00");
      client.close();
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["tunnel", "not-http"]);
    }));

  test("given a client that speaks first in lines, refuses it and tags the row as malformed and not HTTP", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer();
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("NICK a\r\n");
      await client.rest();
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["malformed", "not-http"]);
      assert.is(server.peers.length, 0);
    }));

  test("given a silent client and a server that cannot be trusted, the row tells why within 2 s", () =>
    withProxy({ limits: { silence: 20 }, trusted: [] }, async (proxy) => {
      const server = await proxy.tlsServer((peer) => peer.send("* OK ready\r\n"));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      await client.over;
      const { outcome, tags, at, instants } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "tls-untrusted");
      assert.equal(tags, ["tunnel"]);
      assert.ok(at - instants.startTime >= 1_500);
    }));

  test("given a client of HTTP that thinks before it asks, its request is read as ever", () =>
    withProxy({ limits: { silence: 20 } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      const dialledForNothing = await server.peer(0);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      assert.match(await client.head(), "200 OK");
      await dialledForNothing.over;
      client.close();
      const { ended } = await proxy.traffic.row(0);
      assert.equal(ended.tags, []);
      assert.is(ended.reused, false);
    }));

  test("given a server that gives up on the silence, a client of HTTP is still answered", () =>
    withProxy({ limits: { silence: 20 } }, async (proxy) => {
      let taken = 0;
      const server = await proxy.tlsServer(async (peer) => {
        taken += 1;
        if (taken === 1) peer.socket.end();
        await peer.head();
        peer.send(ok("x"));
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      await (await server.peer(0)).over;
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      assert.match(await client.head(), "200 OK");
      client.close();
    }));

  test("given an agreed http/1.1, the server is not dialled before there is a request", () =>
    withProxy({ limits: { silence: 10 } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["http/1.1"]);
      // A later tunnel's server is dialled after the same silence, so the first tunnel's server would be by then.
      const later = await proxy.tlsServer();
      const silent = await RawPeer.secure(proxy.port, `a.test:${later.port}`, proxy.clientCa);
      await later.peer(0);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      assert.match(await client.head(), "200 OK");
      assert.is(server.peers.length, 1);
      silent.close();
      client.close();
    }));

  test("given a silent client and a silent server, the client is let go at the limit for a head", () =>
    withProxy({ limits: { silence: 10, head: 100 } }, async (proxy) => {
      const server = await proxy.tlsServer();
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      await client.over;
      await (await server.peer(0)).over;
    }));

  for (const protocols of [["imap"], ["x-amzn-mqtt-ca"], ["mqtt", "xmpp-client"]]) {
    test(`given ALPN of ${protocols} alone, TLS goes through untouched`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.tlsServer((peer) => peer.socket.end("ready"));
        const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
        client.socket.removeAllListeners("data");
        const wishes = { servername: "a.test", ca: [proxy.servers.pem], ALPNProtocols: protocols };
        const secured = tlsConnect({ socket: client.socket, ...wishes });
        await once(secured, "secureConnect");
        assert.is((await new RawPeer(secured).rest()).toString(), "ready");
        secured.destroy();
        const { started, ended } = await proxy.traffic.row(0);
        assert.is(started.origin, `https://a.test:${server.port}`);
        assert.equal(ended.tags, ["tunnel", "not-http"]);
      }));
  }

  test("given ALPN that names HTTP too, TLS is opened", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["imap", "http/1.1"]);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.head();
      client.close();
      assert.equal((await proxy.traffic.row(0)).ended.tags, []);
    }));
});

describe("tunnels whose server name differs from CONNECT", (test) => {
  test("given a name in TLS to an address, it is verified, sent on, and the row's; the address is dialled", () =>
    withProxy(
      { resolver: { lookup: () => Promise.reject(new Error("no name is to be looked up")) } },
      async (proxy) => {
        const server = await proxy.tlsServer(answering((head) => ok(/Host: (.*)\r/i.exec(head)?.[1] ?? "")));
        for (const [index, name] of ["a.test", "b.test"].entries()) {
          const tunnel = await RawPeer.tunnel(proxy.port, `127.0.0.1:${server.port}`);
          const client = await tunnel.secured(name, proxy.clientCa);
          client.send(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
          await client.until(`\r\n\r\n${name}`);
          client.close();
          assert.is((await proxy.traffic.row(index)).started.origin, `https://${name}`);
        }
        assert.equal(
          server.peers.map(({ socket }) => Reflect.get(socket, "servername")),
          ["a.test", "b.test"],
        );
        assert.is(server.peers.length, 2);
        assert.equal(
          proxy.traffic.connections.map(({ address }) => address),
          [`127.0.0.1:${server.port}`, `127.0.0.1:${server.port}`],
        );
      },
    ));

  test("given a certificate that is not for that name, the client is told so", () =>
    withProxy({}, async (proxy) => {
      const server = await rawServer(
        answering(() => ok("x")),
        servedBy(proxy.servers, "127.0.0.1"),
      );
      try {
        const tunnel = await RawPeer.tunnel(proxy.port, `127.0.0.1:${server.port}`);
        const client = await tunnel.secured("a.test", proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
        assert.match(await client.head(), "502");
        client.close();
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "tls-wrong-host");
      } finally {
        await server.stop();
      }
    }));

  test("given requests in clear to an address, Host is the row's name, and names are dialled apart", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x")));
      for (const [index, name] of ["a.elsewhere", "b.elsewhere"].entries()) {
        const client = await RawPeer.tunnel(proxy.port, `127.0.0.1:${server.port}`);
        client.send(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
        await client.head();
        client.close();
        assert.is((await proxy.traffic.row(index)).started.origin, `http://${name}`);
      }
      assert.is(server.peers.length, 2);
    }));

  test("given a name of TLS that is passed through, the tunnel to its address goes through untouched", () =>
    withProxy({ settings: { passThrough: ["pinned.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer((peer) => peer.socket.end("own"));
      const tunnel = await RawPeer.tunnel(proxy.port, `127.0.0.1:${server.port}`);
      const client = await tunnel.secured("pinned.test", proxy.servers.pem);
      assert.is((await client.rest()).toString(), "own");
      client.close();
      const { started, ended } = await proxy.traffic.row(0);
      assert.is(started.origin, `https://pinned.test:${server.port}`);
      assert.equal(ended.tags, ["tunnel"]);
    }));

  test("given a user's override of that name, it wins over the client's address", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("overridden")));
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const tunnel = await RawPeer.tunnel(proxy.port, "127.0.0.1:9");
      const client = await tunnel.secured("a.test", proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.until("overridden");
      client.close();
    }));
});
