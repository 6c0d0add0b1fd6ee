import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type TLSSocket, connect as tlsConnect } from "node:tls";
import * as assert from "uvu/assert";
import { rejectCertificate } from "../../../../support/certificate-rejection.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** Opens TLS through the proxy; `agent`: the program named in the CONNECT request. */
async function opened(proxy: TestProxy, host: string, ca: string, agent = "test"): Promise<TLSSocket> {
  const peer = await RawPeer.to(proxy.port);
  peer.send(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\nUser-Agent: ${agent}\r\n\r\n`);
  await peer.head();
  peer.socket.removeAllListeners("data");
  return tlsConnect({ socket: peer.socket, servername: host, ca: [ca] });
}

/** A client that trusts our root receives the certificate and closes; resolves once the proxy has noticed that. */
async function looksAndCloses(proxy: TestProxy, host: string, agent = "test"): Promise<void> {
  const before = proxy.silentCloses.length;
  const secured = await opened(proxy, host, proxy.clientCa, agent);
  await once(secured, "secureConnect");
  secured.end();
  while (proxy.silentCloses.length === before) await pause(5);
}

/** Sends one complete request over TLS. */
async function asks(proxy: TestProxy, host: string, agent = "test"): Promise<void> {
  const peer = new RawPeer(await opened(proxy, host, proxy.clientCa, agent));
  peer.send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await peer.rest();
}

/** The origin, result and tags of each row that is a tunnel. */
function tunnels(proxy: TestProxy): readonly string[] {
  return proxy.traffic.rows
    .filter(({ started }) => started.method === "CONNECT")
    .map(({ started, ended: { outcome, tags } }) =>
      [started.origin, outcome.kind === "failed" ? outcome.errorType : outcome.status, ...tags].join(" "),
    );
}

const PROBE = { probeHost: "a.test" };

describe("TLS clients that close without a request", (test) => {
  test("given a client that trusts us and closes, records no failure, and only 10 s later", async () => {
    const clock = new HeldClock();
    await withProxy({ clock, settings: PROBE }, async (proxy) => {
      await looksAndCloses(proxy, "a.test");
      clock.pass(10_000);
      await proxy.listener.stop();
      assert.equal(tunnels(proxy), ["https://a.test 200 tunnel no-request"]);
    });
  });

  test("given a request of that client at that host before it, records nothing", async () => {
    const clock = new HeldClock();
    await withProxy({ clock }, async (proxy) => {
      await asks(proxy, "a.test");
      clock.pass(10_000);
      const secured = await opened(proxy, "a.test", proxy.clientCa);
      await once(secured, "secureConnect");
      secured.destroy();
      await once(secured, "close");
      while (proxy.listener.connections > 0) await pause(5);
      await proxy.listener.stop();
      assert.equal(tunnels(proxy), []);
      assert.is(proxy.traffic.rows.length, 1);
    });
  });

  test("given a request of that client at that host within 10 s after it, records nothing", async () => {
    const clock = new HeldClock();
    await withProxy({ clock, settings: PROBE }, async (proxy) => {
      await looksAndCloses(proxy, "a.test");
      clock.pass(10_000);
      await asks(proxy, "a.test");
      clock.pass(60_000);
      await proxy.listener.stop();
      assert.equal(tunnels(proxy), []);
    });
  });

  test("given requests of another program, or at another host, still records the close", async () => {
    const clock = new HeldClock();
    await withProxy({ clock, settings: PROBE }, async (proxy) => {
      await looksAndCloses(proxy, "a.test");
      await asks(proxy, "b.test");
      await asks(proxy, "a.test", "another");
      clock.pass(60_000);
      await proxy.listener.stop();
      assert.equal(tunnels(proxy), ["https://a.test 200 tunnel no-request"]);
    });
  });

  test("given a close long after the hello, records nothing: it was a spare connection", async () => {
    const clock = new HeldClock();
    await withProxy({ clock }, async (proxy) => {
      const secured = await opened(proxy, "a.test", proxy.clientCa);
      await once(secured, "secureConnect");
      clock.pass(2_001);
      secured.destroy();
      while (proxy.listener.connections > 0) await pause(5);
      await proxy.listener.stop();
      assert.equal(proxy.traffic.events, []);
    });
  });

  test("given the probe host, tells at once of a client that closes, unless it has just asked", async () => {
    await withProxy({ settings: PROBE }, async (proxy) => {
      await looksAndCloses(proxy, "a.test");
      assert.equal(
        proxy.silentCloses.map(({ authority }) => authority),
        ["a.test:443"],
      );
      await asks(proxy, "a.test");
      const secured = await opened(proxy, "a.test", proxy.clientCa);
      await once(secured, "secureConnect");
      secured.destroy();
      while (proxy.listener.connections > 0) await pause(5);
      assert.is(proxy.silentCloses.length, 1);
    });
  });

  test("given HTTP/2, a request in it shows that its client trusts us", async () => {
    const clock = new HeldClock();
    await withProxy({ clock, settings: PROBE }, async (proxy) => {
      await looksAndCloses(proxy, "a.test", "");
      const session = await http2Client(proxy, "https://a.test:443");
      await ask(session, { ":path": "/" });
      session.destroy();
      clock.pass(60_000);
      await proxy.listener.stop();
      assert.equal(tunnels(proxy), []);
    });
  });

  test("given that the proxy ends the connection, records nothing", () =>
    withProxy({}, async (proxy) => {
      const secured = await opened(proxy, "a.test", proxy.clientCa);
      await once(secured, "secureConnect");
      await proxy.listener.stop();
      assert.equal(proxy.traffic.events, []);
    }));

  test("given a server that answers, an opened connection that is used is no silent one", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.head();
      client.close();
      await proxy.traffic.row(0);
      await proxy.listener.stop();
      assert.equal(tunnels(proxy), []);
    }));
});

/** RFC 8446, 6: the alerts about the certificate. */
const ABOUT_CERTIFICATES: ReadonlySet<number> = new Set([42, 43, 44, 45, 46, 48, 49, 51]);
const NAMED_ALERTS = [
  10, 20, 21, 22, 30, 40, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 60, 70, 71, 80, 86, 90, 109, 110, 120,
];

describe("TLS alerts of clients", (test) => {
  test("given any alert, records a rejection just where it is about the certificate", () =>
    withProxy({}, async (proxy) => {
      for (const [index, alert] of NAMED_ALERTS.entries()) {
        await rejectCertificate(proxy.port, "a.test", alert);
        const { outcome, tags } = (await proxy.traffic.row(index)).ended;
        const expected = ABOUT_CERTIFICATES.has(alert) ? "client-rejected-certificate" : "client-tls-failed";
        assert.is(outcome.kind === "failed" ? outcome.errorType : outcome.kind, expected, `alert ${alert}`);
        assert.equal(tags, ["tunnel"]);
      }
    }));
});
