import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import * as assert from "uvu/assert";
import { TRANSPARENT_REFUSALS } from "../../../../../extensions/proxy/data-thread/network/client/transparent-connection.ts";
import { urlOf } from "../../../../../src/engine/interchange/url.ts";
import { describe } from "../../../../support/describe.ts";
import { http2Server } from "../../../../support/http2-server.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { transparentPort } from "../../../../support/reverse-port.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const lan = lanAddress();

const REFUSED = "A connection to a transparent port was refused.";

/** A client without any proxy setting, whose connection to the name leads to the transparent port. */
async function secured(port: number, name: string, ca: string): Promise<RawPeer> {
  return await (await RawPeer.to(port)).secured(name, ca);
}

/** The row of connections that were refused, once it has ended. */
async function refusedRow(proxy: TestProxy, at = 0) {
  const { started, ended } = await proxy.traffic.row(at);
  const detail = ended.outcome.kind === "failed" ? ended.outcome.detail : "";
  return { started, ended, detail };
}

describe("transparent connection", (test) => {
  test("given TLS with a server name, intercepts it: a row of the servers' port, as after CONNECT", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering((head) => ok(head)));
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const client = await secured(await transparentPort(proxy, 443), "a.test", proxy.clientCa);
      const request = "GET /x?y HTTP/1.1\r\nhost: a.test\r\nX: 1\r\n\r\n";
      client.send(request);
      await client.until(request);
      const { started, ended } = await proxy.traffic.row(0);
      assert.equal([started.origin, started.target, started.protocol], ["https://a.test", "/x?y", "http/1.1"]);
      assert.equal([ended.tags, started.clientAddress], [[], "127.0.0.1"]);
      assert.is(proxy.localClients.length, 1);
      client.close();
    }));

  test("given HTTP/2 in TLS, speaks it to the client and to the server", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, (stream) => {
        stream.respond({ ":status": 200 });
        stream.end("two");
      });
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const port = await transparentPort(proxy, 443);
      const socket = connectTls({
        port,
        host: "127.0.0.1",
        servername: "a.test",
        ca: proxy.clientCa,
        ALPNProtocols: ["h2"],
      });
      await once(socket, "secureConnect");
      const session = connectHttp2("https://a.test", { createConnection: () => socket });
      const stream = session.request({ ":path": "/two" });
      let text = "";
      for await (const piece of stream) text += piece;
      assert.is(text, "two");
      const { started } = await proxy.traffic.row(0);
      assert.equal([started.origin, started.target, started.protocol], ["https://a.test", "/two", "h2"]);
      assert.is(server.sessions.length, 1);
      session.destroy();
      await server.stop();
    }));

  test("given HTTP in pieces of one byte, sends it to the servers' port by its Host, and times its first byte", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head)));
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`, `b.test=127.0.0.1:${server.port}`];
      const client = await RawPeer.to(await transparentPort(proxy, 80));
      for (const [index, name] of ["a.test", "b.test:80"].entries()) {
        const request = `GET /${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`;
        for (const byte of request) {
          client.send(byte);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await client.until(request);
        const { started, ended } = await proxy.traffic.row(index);
        assert.is(started.origin, `http://${name.replace(":80", "")}`);
        assert.ok((ended.instants.headReceived ?? 0) > started.at);
      }
      client.close();
    }));

  test("given requests for several hosts on one connection, sends each to its own server; own names are refused", () =>
    withProxy({}, async (proxy) => {
      const servers = await Promise.all(
        ["one", "two"].map((name) => proxy.server(answering((head) => ok(`${name} ${head}`)))),
      );
      proxy.settings.hostOverrides = servers.map(
        ({ port }, index) => `${index === 0 ? "a" : "b"}.test=127.0.0.1:${port}`,
      );
      const client = await RawPeer.to(await transparentPort(proxy, 80));
      const asked = [
        ["a.test", "one", "http://a.test"],
        ["b.test", "two", "http://b.test"],
        // The port is that of the redirect, whatever Host says.
        ["b.test:8080", "two", "http://b.test"],
        ["a.test", "one", "http://a.test"],
      ] as const;
      for (const [index, [host, name, origin]] of asked.entries()) {
        const request = `GET /${index} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
        client.send(request);
        await client.until(`${name} ${request}`);
        const { started } = await proxy.traffic.row(index);
        assert.equal([started.origin, started.target], [origin, `/${index}`]);
      }
      client.send("GET /own HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 508 .*loop-refused/s);
      const { started, ended } = await proxy.traffic.row(asked.length);
      assert.is(started.origin, "http://127.0.0.1");
      assert.is(ended.outcome.kind === "failed" && ended.outcome.errorType, "loop-refused");
    }));

  test("given WebSocket in TLS, forwards the switch", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        peer.send(await peer.bytes(2));
      });
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const client = await secured(await transparentPort(proxy, 443), "a.test", proxy.clientCa);
      client.send(
        "GET /ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      );
      assert.match(await client.head(), "101");
      client.send("\x89\0");
      assert.equal(await client.bytes(2), Buffer.from("\x89\0", "latin1"));
      client.close();
    }));

  test("given a host that passes through, joins client and server untouched, in a row of a tunnel", () =>
    withProxy({ settings: { passThrough: ["a.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("own certificate")));
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const client = await secured(await transparentPort(proxy, 443), "a.test", proxy.servers.pem);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.until("own certificate");
      client.close();
      const { started, ended } = await proxy.traffic.row(0);
      assert.equal([started.method, started.target, started.protocol], ["CONNECT", "a.test:443", "tls"]);
      assert.equal(ended.tags, ["tunnel"]);
    }));

  test("given Weir's own names, responds itself, so that a probe proves the port", () =>
    withProxy({}, async (proxy) => {
      const client = await secured(await transparentPort(proxy, 443), "probe.weir.test", proxy.clientCa);
      client.send("GET /anything/weir/x HTTP/1.1\r\nHost: probe.weir.test\r\n\r\n");
      await client.until('"url":"https://probe.weir.test/anything/weir/x"');
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["probe"]);
      client.close();
    }));

  test("given a name that leads back to this computer, refuses the loop, and names the override (docs/security.md S21)", () =>
    withProxy({}, async (proxy) => {
      const client = await secured(await transparentPort(proxy, 443), "a.test", proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
      const response = (await client.rest()).toString();
      assert.match(response, /^HTTP\/1\.1 508 /);
      assert.match(response, "leads back to this computer");
      assert.match(response, "--host-override");
      const { ended } = await proxy.traffic.row(0);
      assert.is(ended.outcome.kind === "failed" && ended.outcome.errorType, "loop-refused");
    }));

  test("given such a name that passes through, refuses it with an alert and a row", () =>
    withProxy({ settings: { passThrough: ["*"] } }, async (proxy) => {
      const port = await transparentPort(proxy, 443);
      const failed = await secured(port, "a.test", proxy.clientCa).catch((error: Error) => error);
      assert.match(String(failed), "SSL alert number 49");
      const { started, ended } = await proxy.traffic.row(0);
      assert.is(started.target, "a.test:443");
      assert.is(ended.outcome.kind === "failed" && ended.outcome.errorType, "loop-refused");
    }));

  test("given an override that names the port itself, refuses the loop (docs/security.md S11)", () =>
    withProxy({}, async (proxy) => {
      const port = await transparentPort(proxy, 80);
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${port}`];
      const client = await RawPeer.to(port);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 508 .*loop-refused/s);
    }));

  for (const [what, request, status, reason] of [
    ["no Host", "GET / HTTP/1.0\r\n\r\n", 400, "has no Host"],
    ["this computer's name", "GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n", 508, "asks for this computer itself"],
    ["this computer's address", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 508, "asks for this computer itself"],
    ["the same in another spelling", "GET / HTTP/1.1\r\nHost: 0x7f.1\r\n\r\n", 508, "asks for this computer itself"],
    ["CONNECT", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n", 400, "The proxy has another port"],
  ] as const) {
    test(`given a request with ${what}, responds ${status}, and a row says why`, () =>
      withProxy({}, async (proxy) => {
        const client = await RawPeer.to(await transparentPort(proxy, 80));
        client.send(request);
        const response = (await client.rest()).toString();
        assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `));
        assert.match(response, `${REFUSED} `);
        const { detail, ended } = await refusedRow(proxy);
        assert.match(detail, reason);
        assert.equal(ended.tags, ["refused"]);
      }));
  }

  test("given CONNECT and a request for a whole URL, the refused rows' URLs name the server once", () =>
    withProxy({}, async (proxy) => {
      const port = await transparentPort(proxy, 80);
      for (const [index, [line, url, name]] of (
        [
          ["CONNECT a.test:443", "http://a.test:443", "a.test"],
          ["GET http://127.0.0.1/x", "http://127.0.0.1/x", "127.0.0.1"],
        ] as const
      ).entries()) {
        const client = await RawPeer.to(port);
        client.send(`${line} HTTP/1.1\r\nHost: ${index === 0 ? "a.test:443" : "127.0.0.1"}\r\n\r\n`);
        await client.rest();
        const { started, ended, detail } = await refusedRow(proxy, index);
        assert.is(urlOf({ origin: started.origin, target: started.target, tags: ended.tags }), url);
        assert.match(detail, `Asked for: ${name}.`);
      }
    }));

  for (const [what, options, alert, reason] of [
    ["without a server name", {}, "SSL alert number 109", "names no server (SNI)"],
    ["for this computer's name", { servername: "localhost" }, "SSL alert number 112", "this computer itself"],
    ["for a name that is none", { servername: "a b" }, "SSL alert number 112", "an invalid name"],
  ] as const) {
    test(`given TLS ${what}, sends an alert, and a row says why`, () =>
      withProxy({}, async (proxy) => {
        const port = await transparentPort(proxy, 443);
        const socket = connectTls({ port, host: "127.0.0.1", ...options });
        const [error] = await once(socket, "error");
        assert.match(String(error), alert);
        const { detail, started } = await refusedRow(proxy);
        assert.match(detail, reason);
        assert.equal([started.origin, started.protocol], [`https://127.0.0.1:${port}`, "tls"]);
      }));
  }

  for (const [what, bytes, reason] of [
    ["SOCKS", "\x05\x01\0", "neither TLS nor HTTP"],
    ["HTTP/2 in clear", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2 without TLS"],
    ["half a request", "GET / HT", "ended within its first bytes"],
  ] as const) {
    test(`given ${what}, closes with a row that says why`, () =>
      withProxy({}, async (proxy) => {
        const client = await RawPeer.to(await transparentPort(proxy, 443));
        client.send(bytes);
        client.socket.end();
        assert.is((await client.rest()).length, 0);
        assert.match((await refusedRow(proxy)).detail, reason);
      }));
  }

  test("given a request that cannot be read, refuses it as elsewhere", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.to(await transparentPort(proxy, 80));
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n");
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 400 /);
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["malformed"]);
    }));

  test("given a client that sends nothing, closes without a row; one that stops within its first bytes gets one", () =>
    withProxy({ limits: { head: 50 } }, async (proxy) => {
      const port = await transparentPort(proxy, 443);
      const [silent, slow] = [await RawPeer.to(port), await RawPeer.to(port)];
      slow.send("\x16\x03\x01");
      await Promise.all([silent.over, slow.over]);
      assert.match((await refusedRow(proxy)).detail, "did not arrive in time");
      assert.is(proxy.traffic.rows.length, 1);
    }));

  test("given many refused connections, shares one row between those with the same reason (docs/security.md S16)", () =>
    withProxy({}, async (proxy) => {
      const port = await transparentPort(proxy, 80);
      for (const host of ["127.0.0.1", "localhost:8080", "LOCALHOST"]) {
        const client = await RawPeer.to(port);
        client.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        await client.rest();
      }
      const { detail } = await refusedRow(proxy);
      assert.match(detail, "3 such requests");
      assert.match(detail, / Asked for: 127\.0\.0\.1, localhost\.$/);
      assert.is(proxy.traffic.rows.length, 1);
    }));

  test("given a removed entry, stops listening and ends a kept connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("fine")));
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const port = await transparentPort(proxy, 443);
      const [fresh, kept] = [await RawPeer.to(port), await secured(port, "a.test", proxy.clientCa)];
      kept.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await kept.until("fine");
      proxy.settings.transparentPorts = [];
      await proxy.listener.applyLocalPorts();
      await Promise.all([fresh.over, kept.over]);
      assert.match(await RawPeer.to(port).then(() => "open", String), "ECONNREFUSED");
    }));

  test("given a port that is taken, says so", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      proxy.settings.transparentPorts = [`${server.port}=80`];
      await proxy.listener.applyLocalPorts();
      assert.equal(proxy.portProblems, [
        `Transparent port ${server.port} for servers' port 80 is not open: the port is taken.`,
      ]);
    }));

  test(
    "given a proxy that the network reaches, is reached as the proxy is; else by this computer alone",
    async () => {
      for (const [address, isReached] of [
        ["0.0.0.0", true],
        ["127.0.0.1", false],
      ] as const)
        await withProxy({ address }, async (proxy) => {
          const port = await transparentPort(proxy, 80);
          const opening = await RawPeer.to(port, lan ?? "").then(() => "open", String);
          assert.match(opening, isReached ? "open" : "ECONNREFUSED");
        });
    },
    { skip: lan === null ? "needs a network address" : null },
  );
});

describe("refusals at transparent ports", (test) => {
  test("given any refusal, its reason is a sentence, and its alert is a fatal one in a record of its own", () => {
    for (const [kind, { reason, alert, status }] of Object.entries(TRANSPARENT_REFUSALS)) {
      assert.match(reason, /^[A-Z].*\.$/, kind);
      if (alert !== null) assert.equal([...alert.subarray(0, 6)], [21, 3, 3, 0, 2, 2], kind);
      assert.ok(status === null || (status >= 400 && status < 600), kind);
    }
  });
});
