import { once } from "node:events";
import { connect } from "node:http2";
import { createServer } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { reversePort, unusedPort } from "../../../../support/reverse-port.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const lan = lanAddress();

/** "open", or why the port cannot be connected to. */
function openingOf(port: number, host = "127.0.0.1"): Promise<string> {
  return RawPeer.to(port, host).then(() => "open", String);
}

/** A browser's request without Origin, for a page of another site (Fetch Metadata Request Headers). */
function crossSite(mode: string, dest: string): string {
  const fetched = `Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: ${mode}\r\nSec-Fetch-Dest: ${dest}`;
  return `Host: localhost\r\n${fetched}`;
}

describe("reverse ports of the proxy", (test) => {
  test("given an https origin, forwards with its Host over verified TLS, and the row is the origin's", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering((head) => ok(head)));
      const origin = `https://a.test:${server.port}`;
      const client = await RawPeer.to(await reversePort(proxy, origin));
      client.send("GET /x?y HTTP/1.1\r\nUser-Agent: me\r\nhost: localhost:1\r\nX: 1\r\n\r\n");
      const expected = `GET /x?y HTTP/1.1\r\nUser-Agent: me\r\nhost: a.test:${server.port}\r\nX: 1\r\n\r\n`;
      await client.until(expected);
      const { started, ended } = await proxy.traffic.row(0);
      assert.equal([started.origin, started.target, started.head], [origin, "/x?y", expected]);
      assert.equal(ended.tags, []);
      assert.is(proxy.localClients.length, 1);
      client.close();
    }));

  test("given the origin's default port, sends Host without it, also where the client sent none", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head)));
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${server.port}`];
      const port = await reversePort(proxy, "http://a.test");
      for (const request of ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"]) {
        const client = await RawPeer.to(port);
        client.send(request);
        await client.until("Host: a.test\r\n");
        client.close();
      }
    }));

  test("given a redirect and cookies of the origin, relocates them for the client, and records what came", () =>
    withProxy({}, async (proxy) => {
      let location = "";
      const server = await proxy.tlsServer(
        answering(() => ok("", `Location: ${location}/in`, "Set-Cookie: a=b; Domain=a.test; Secure")),
      );
      location = `https://a.test:${server.port}`;
      const port = await reversePort(proxy, location);
      const client = await RawPeer.to(port);
      client.send(`GET / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
      const head = await client.head();
      assert.match(head, `\r\nLocation: http://localhost:${port}/in\r\nSet-Cookie: a=b\r\n`);
      const { response } = await proxy.traffic.row(0);
      assert.match(response?.head ?? "", `Location: ${location}/in\r\nSet-Cookie: a=b; Domain=a.test; Secure\r\n`);
      client.close();
    }));

  test("given HTTP/2 from its first byte, serves it", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering((head) => ok(head, "Set-Cookie: a=b; Secure")));
      const session = connect(`http://127.0.0.1:${await reversePort(proxy, `https://a.test:${server.port}`)}`);
      const stream = session.request({ ":path": "/two" });
      const answered = new Promise<string | undefined>((resolve, reject) => {
        session.on("error", reject);
        stream.on("error", reject);
        stream.on("response", (headers) => resolve(headers["set-cookie"]?.[0]));
      });
      stream.resume();
      assert.is(await answered, "a=b");
      const { started } = await proxy.traffic.row(0);
      assert.equal([started.origin, started.target, started.protocol], [`https://a.test:${server.port}`, "/two", "h2"]);
      assert.match(started.head, `\r\nhost: a.test:${server.port}\r\n`);
      session.destroy();
    }));

  test("given HTTP/2 for an origin of HTTP/1.1 in clear, says which of the two speaks what", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("fine")));
      const session = connect(`http://127.0.0.1:${await reversePort(proxy, `http://a.test:${server.port}`)}`);
      session.on("error", () => {});
      const stream = session.request({ ":path": "/" });
      let text = "";
      stream.on("data", (piece: Buffer) => {
        text += piece;
      });
      await once(stream, "end");
      assert.match(text, /^502 .*The client spoke HTTP\/2 without TLS, .* Let the client speak HTTP\/1\.1\./s);
      session.destroy();
    }));

  test("given WebSocket, forwards the switch", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        peer.send(await peer.bytes(2));
      });
      const client = await RawPeer.to(await reversePort(proxy, `http://a.test:${server.port}`));
      client.send(
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      );
      assert.match(await client.head(), "101");
      client.send("\x89\0");
      assert.equal(await client.bytes(2), Buffer.from("\x89\0", "latin1"));
      client.close();
    }));

  test("given an origin that cannot be reached, responds 502 with the reason, in a row of the origin", () =>
    withProxy({}, async (proxy) => {
      const origin = `http://127.0.0.1:${await unusedPort()}`;
      const client = await RawPeer.to(await reversePort(proxy, origin));
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 502 .*Nothing listens on the server's port/s);
      assert.is((await proxy.traffic.row(0)).started.origin, origin);
    }));

  for (const [what, head, status, reason] of [
    ["a name that resolves here", "Host: evil.test", 403, "Its Host is not this computer's loopback."],
    ["another site's page", "Host: localhost\r\nOrigin: https://evil.test", 403, "Its Origin is another site."],
    ["an opaque origin", "Host: localhost\r\nOrigin: null", 403, "Its Origin is another site."],
    ["a page's name below ours", "Host: localhost\r\nOrigin: http://localhost.evil.test", 403, "another site"],
    ["a page of this computer", "Host: localhost\r\nOrigin: http://localhost:3000", 200, "fine"],
    ["a page by address", "Host: localhost\r\nOrigin: https://127.0.0.1:3000", 200, "fine"],
    ["an image of another site's page", crossSite("no-cors", "image"), 403, "Another site's page"],
    ["a frame of another site's page", crossSite("navigate", "iframe"), 403, "Another site's page"],
    [
      "an image of a page of this computer",
      `${crossSite("no-cors", "image")}\r\nReferer: http://127.0.0.1:3000/`,
      200,
      "fine",
    ],
    ["a link of another site's page", crossSite("navigate", "document"), 200, "fine"],
  ] as const) {
    test(`given a request of ${what}, responds ${status} (docs/security.md S14)`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(answering(() => ok("fine")));
        const client = await RawPeer.to(await reversePort(proxy, `http://a.test:${server.port}`));
        client.send(`GET / HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
        const response = (await client.rest()).toString();
        assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `));
        assert.match(response, reason);
        assert.is(server.peers.length, status === 200 ? 1 : 0);
        await proxy.traffic.row(0);
      }));
  }

  for (const [what, line] of [
    ["CONNECT", "CONNECT a.test:443 HTTP/1.1"],
    ["an address, as to a proxy", "GET http://a.test/ HTTP/1.1"],
  ] as const) {
    test(`given ${what}, refuses it with the origin's name`, () =>
      withProxy({}, async (proxy) => {
        const client = await RawPeer.to(await reversePort(proxy, "http://b.test"));
        client.send(`${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        assert.match((await client.rest()).toString(), /^HTTP\/1\.1 400 .*forwards only to http:\/\/b\.test,/s);
        assert.equal((await proxy.traffic.row(0)).ended.tags, ["malformed"]);
      }));
  }

  test("given SOCKS, refuses it as malformed: only the proxy's port speaks it", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.to(await reversePort(proxy, "http://b.test"));
      client.send("\x05\x01\0");
      client.socket.end();
      await client.rest();
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["malformed"]);
    }));

  test("given itself as origin, refuses the loop (docs/security.md S11)", () =>
    withProxy({}, async (proxy) => {
      const port = await unusedPort();
      proxy.settings.reversePorts = [`${port}=http://127.0.0.1:${port}`];
      await proxy.listener.applyLocalPorts();
      const client = await RawPeer.to(port);
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 508 .*loop-refused/s);
    }));

  test("given a port that is taken, says so and opens the others; once it is free, a change opens it", () =>
    withProxy({}, async (proxy) => {
      const [other, free] = [createServer(), await unusedPort()];
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      const address = other.address();
      const taken = typeof address === "object" && address !== null ? address.port : 0;
      proxy.settings.reversePorts = [`${taken}=https://a.test`, `${free}=https://probe.weir.test`];
      await proxy.listener.applyLocalPorts();
      assert.equal(proxy.portProblems, [`Reverse port ${taken} to https://a.test is not open: the port is taken.`]);
      const client = await RawPeer.to(free);
      client.send("GET /anything/weir/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assert.match((await client.rest()).toString(), '"url":"https://probe.weir.test/anything/weir/x"');
      await new Promise((resolve) => other.close(resolve));
      await proxy.listener.applyLocalPorts();
      assert.equal(proxy.portProblems, []);
      (await RawPeer.to(taken)).close();
    }));

  test("given a removed entry, stops listening, and ends a kept connection after its exchange", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        await released;
        peer.send(ok("late"));
      });
      let release: () => void = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const port = await reversePort(proxy, `http://a.test:${server.port}`);
      const [idle, busy] = [await RawPeer.to(port), await RawPeer.to(port)];
      busy.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await server.peer(0);
      proxy.settings.reversePorts = [];
      await proxy.listener.applyLocalPorts();
      await idle.over;
      release();
      assert.match((await busy.rest()).toString(), "late");
      assert.match(await openingOf(port), "ECONNREFUSED");
    }));

  test("given a removed entry, refuses further HTTP/2 streams, and ends the connection after the open ones", () =>
    withProxy({}, async (proxy) => {
      let release: () => void = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        await released;
        peer.send(ok("late"));
      });
      const port = await reversePort(proxy, `https://a.test:${server.port}`);
      const [idle, busy] = [connect(`http://127.0.0.1:${port}`), connect(`http://127.0.0.1:${port}`)];
      const stream = busy.request({ ":path": "/" });
      const goaways = [idle, busy].map((session) => once(session, "goaway"));
      const closes = [idle, busy].map((session) => once(session, "close"));
      await Promise.all([once(idle, "remoteSettings"), server.peer(0)]);
      proxy.settings.reversePorts = [];
      await proxy.listener.applyLocalPorts();
      await Promise.all(goaways);
      release();
      let text = "";
      for await (const piece of stream) text += piece;
      assert.is(text, "late");
      await Promise.all(closes);
    }));

  test("given the proxy's stop, lets the exchange in flight finish; a start opens the port again", () =>
    withProxy({ limits: { drain: 10_000 } }, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        await released;
        peer.send(ok("late"));
      });
      let release: () => void = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const port = await reversePort(proxy, `http://a.test:${server.port}`);
      const client = await RawPeer.to(port);
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await server.peer(0);
      const stopped = proxy.listener.stop();
      assert.match(await openingOf(port), "ECONNREFUSED");
      release();
      assert.match((await client.rest()).toString(), "late");
      await stopped;
      await proxy.listener.start("127.0.0.1", 0);
      (await RawPeer.to(port)).close();
    }));

  test(
    "given a proxy that the network reaches, is itself reached by this computer alone (docs/security.md S5)",
    () =>
      withProxy({ address: "0.0.0.0" }, async (proxy) => {
        const port = await reversePort(proxy, "http://a.test");
        assert.match(await openingOf(port, lan ?? ""), "ECONNREFUSED");
      }),
    { skip: lan === null ? "needs a network address" : null },
  );
});
