import { createServer } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const lan = lanAddress();

const GREETING = "\x05\x01\0";
const CHOSEN = Buffer.from([5, 0]);

/** A request for a name, or for an address of four or sixteen bytes. */
function requestFor(host: string | readonly number[], port: number, command = 1): Buffer {
  const type = typeof host === "string" ? [3, host.length] : [host.length === 4 ? 1 : 4];
  const address = typeof host === "string" ? Buffer.from(host, "latin1") : Buffer.from(host);
  return Buffer.concat([Buffer.from([5, command, 0, ...type]), address, Buffer.from([port >> 8, port & 0xff])]);
}

const reply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);

/** A tunnel by SOCKS. */
async function tunnel(proxyPort: number, host: string | readonly number[], port: number): Promise<RawPeer> {
  const client = await RawPeer.to(proxyPort);
  client.send(GREETING);
  assert.equal(await client.bytes(2), CHOSEN);
  client.send(requestFor(host, port));
  assert.equal(await client.bytes(10), reply(0));
  return client;
}

async function asked(proxy: TestProxy, client: RawPeer, host: string, path: string): Promise<string> {
  client.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await client.head();
  return (await proxy.traffic.row(0)).started.origin;
}

/** A port of this machine on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("SOCKS connection", (test) => {
  test("given a name, lets Weir resolve it, and records HTTP inside as after CONNECT", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head.split("\r\n")[0] ?? "")));
      const client = await tunnel(proxy.port, "a.test", server.port);
      assert.is(await asked(proxy, client, `a.test:${server.port}`, "/x"), `http://a.test:${server.port}`);
      await client.until("GET /x HTTP/1.1");
      assert.equal((await proxy.traffic.row(0)).ended.tags, []);
      assert.is(proxy.localClients.length, 1);
      client.close();
    }));

  test("given TLS inside, intercepts it with a certificate for the name", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("secure")));
      const plain = await tunnel(proxy.port, "a.test", server.port);
      const client = await plain.secured("a.test", proxy.clientCa);
      assert.is(await asked(proxy, client, `a.test:${server.port}`, "/x"), `https://a.test:${server.port}`);
      await client.until("secure");
      client.close();
    }));

  for (const [family, host] of [
    ["IPv4", [127, 0, 0, 1]],
    ["IPv6 that wraps it", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1]],
  ] as const) {
    test(`given an address of ${family}, connects there, and the name comes from Host`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(answering(() => ok("plain")));
        const client = await tunnel(proxy.port, host, server.port);
        assert.is(await asked(proxy, client, `b.test:${server.port}`, "/"), `http://b.test:${server.port}`);
        client.close();
      }));
  }

  test("given other bytes inside, passes them in one row that says SOCKS5", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        peer.send(`+${await peer.until("\n")}`);
        peer.socket.end();
      });
      const client = await tunnel(proxy.port, "a.test", server.port);
      client.send("\0binary\n");
      await client.until("+\0binary\n");
      client.close();
      const { started, response, ended } = await proxy.traffic.row(0);
      assert.equal([started.method, started.target, started.protocol], ["CONNECT", `a.test:${server.port}`, "socks5"]);
      assert.is(started.head, `CONNECT a.test:${server.port} SOCKS5\r\n\r\n`);
      assert.match(response?.head ?? "", "SOCKS5 succeeded");
      assert.equal(ended.tags, ["tunnel"]);
      assert.equal([ended.requestBodySize, ended.encodedBodySize], [8, 9]);
    }));

  test("given a server that speaks first, hears it", () =>
    withProxy({ limits: { silence: 50 } }, async (proxy) => {
      const server = await proxy.server((peer) => peer.send("220 ready\r\n"));
      const client = await tunnel(proxy.port, "a.test", server.port);
      await client.until("220 ready\r\n");
      client.close();
    }));

  test("given everything byte by byte, and what follows in the same piece, loses nothing", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("plain")));
      const head = `GET / HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`;
      const all = Buffer.concat([
        Buffer.from(GREETING, "latin1"),
        requestFor("a.test", server.port),
        Buffer.from(head),
      ]);
      const slow = await RawPeer.to(proxy.port);
      for (const byte of all) {
        slow.send(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const fast = await RawPeer.to(proxy.port);
      fast.send(all);
      for (const client of [slow, fast]) {
        assert.equal(await client.bytes(12), Buffer.concat([CHOSEN, reply(0)]));
        assert.match(await client.until("plain"), "HTTP/1.1 200");
        client.close();
      }
    }));

  test("given an HTTP server that cannot be reached, tells why in a response, as after CONNECT", () =>
    withProxy({}, async (proxy) => {
      const client = await tunnel(proxy.port, "127.0.0.1", await closedPort());
      client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      assert.match(await client.until("Cause: connection-refused"), "502");
      client.close();
    }));

  for (const [host, port, code, errorType] of [
    ["127.0.0.1", null, 5, "connection-refused"],
    ["nowhere.invalid", 443, 4, "name-not-resolved"],
  ] as const) {
    test(`given a host that passes through and ${errorType}, replies ${code}`, () =>
      withProxy({ settings: { passThrough: [host] } }, async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        client.send(GREETING);
        client.send(requestFor(host, port ?? (await closedPort())));
        assert.equal(await client.rest(), Buffer.concat([CHOSEN, reply(code)]));
        const { outcome, tags } = (await proxy.traffic.row(0)).ended;
        assert.equal(tags, ["tunnel"]);
        assert.equal(outcome.kind === "failed" ? [outcome.errorType, outcome.status] : [], [errorType, null]);
      }));
  }

  test("given a passed-through host that is reached, replies once it is", () =>
    withProxy({ settings: { passThrough: ["a.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("own")));
      const plain = await tunnel(proxy.port, "a.test", server.port);
      const client = await plain.secured("a.test", proxy.servers.pem);
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await client.until("own");
      client.close();
    }));

  test("given Weir's own port, replies that it is not allowed (docs/security.md S11)", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send(GREETING);
      client.send(requestFor([127, 0, 0, 1], proxy.port));
      assert.equal(await client.rest(), Buffer.concat([CHOSEN, reply(2)]));
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "loop-refused");
    }));

  for (const [what, bytes, answer, reason] of [
    ["BIND", [GREETING, requestFor("a.test", 80, 2)], [CHOSEN, reply(7)], "asks for BIND"],
    ["an unknown type of address", [GREETING, "\x05\x01\0\x09"], [CHOSEN, reply(8)], "unknown type 9"],
    ["a name that is none", [GREETING, requestFor("a b", 80)], [CHOSEN, reply(1)], "host name cannot be used"],
    ["a password's method alone", ["\x05\x01\x02"], [Buffer.from([5, 255])], "requires authentication"],
    ["SOCKS 4", ["\x04\x01\0\x50\x7f\0\0\x01\0"], [Buffer.from([0, 91, 0, 0, 0, 0, 0, 0])], "it is SOCKS 4"],
  ] as const) {
    test(`given ${what}, replies so and records why`, () =>
      withProxy({}, async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        for (const piece of bytes) client.send(piece);
        assert.equal(await client.rest(), Buffer.concat(answer));
        const { started, ended } = await proxy.traffic.row(0);
        assert.equal(ended.tags, ["malformed"]);
        assert.is(started.origin, `http://127.0.0.1:${proxy.port}`);
        const { outcome } = ended;
        assert.match(outcome.kind === "failed" ? outcome.detail : "", reason);
      }));
  }

  for (const [what, sent, answer] of [
    ["within its greeting", "\x05\x02\0", Buffer.alloc(0)],
    ["after its greeting", GREETING, Buffer.concat([CHOSEN, reply(1)])],
    ["within its request", `${GREETING}\x05\x01\0\x03\x06a.te`, Buffer.concat([CHOSEN, reply(1)])],
  ] as const) {
    test(`given a client that stops ${what}, closes it at the limit and records why (docs/security.md L5)`, () =>
      withProxy({ limits: { head: 60 } }, async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        client.send(sent);
        assert.equal(await client.rest(), answer);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.match(outcome.kind === "failed" ? outcome.detail : "", "it did not arrive within 60 ms");
        client.close();
      }));
  }

  test("given a client that ends within its request, records why; one that only greeted leaves no row", () =>
    withProxy({}, async (proxy) => {
      const looking = await RawPeer.to(proxy.port);
      looking.send(GREETING);
      assert.equal(await looking.bytes(2), CHOSEN);
      looking.socket.end();
      assert.is((await looking.rest()).length, 0);
      const cut = await RawPeer.to(proxy.port);
      cut.send(`${GREETING}\x05\x01`);
      cut.socket.end();
      assert.equal(await cut.rest(), Buffer.concat([CHOSEN, reply(1)]));
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.match(outcome.kind === "failed" ? outcome.detail : "", "ended within its request");
      assert.is(proxy.traffic.rows.length, 1);
    }));

  test("given the proxy's stop, closes a client that has only greeted", async () => {
    let client: RawPeer | null = null;
    await withProxy({}, async (proxy) => {
      client = await RawPeer.to(proxy.port);
      client.send(GREETING);
      await client.bytes(2);
    });
    assert.match((await (client as RawPeer | null)?.over) ?? "", /end|close/);
  });

  test(
    "given a client of the network, refuses private targets as after CONNECT (docs/security.md S5)",
    () =>
      withProxy({ address: "0.0.0.0", settings: { passThrough: ["127.0.0.1"] } }, async (proxy) => {
        const server = await proxy.server();
        const client = await RawPeer.to(proxy.port, lan ?? "");
        client.send(GREETING);
        client.send(requestFor([127, 0, 0, 1], server.port));
        assert.equal(await client.rest(), Buffer.concat([CHOSEN, reply(2)]));
        assert.is(server.peers.length, 0);
      }),
    { skip: lan === null ? "needs a network address" : null },
  );

  test("given SOCKS inside a tunnel, passes it on: the port alone speaks it", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => peer.send(await peer.bytes(3)));
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      client.send(GREETING);
      assert.equal(await client.bytes(3), Buffer.from(GREETING, "latin1"));
      client.close();
    }));
});
