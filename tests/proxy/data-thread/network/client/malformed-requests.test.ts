import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** Requests that parsers read differently, and what is wrong with them. The codec's own tests have many more. */
const MALFORMED: readonly (readonly [what: string, bytes: string, status: number])[] = [
  ["two lengths", "POST http://a.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400],
  [
    "a length and chunks",
    "POST http://a.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
  ],
  ["a folded line", "GET http://a.test/ HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400],
  ["a space before a colon", "GET http://a.test/ HTTP/1.1\r\nHost : a\r\n\r\n", 400],
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
  ["line feeds alone", "GET / HTTP/1.1\nHost: a\n\n", 400],
  ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 \r\n\r\n", 400],
  ["a head without end", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(200_000)}\r\n\r\n`, 431],
  ["a name for another service", "GET ftp://a.test/ HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["user-info in the target", "GET http://u:p@a.test/ HTTP/1.1\r\nHost: a\r\n\r\n", 400],
];

async function canStillBeUsed(proxy: TestProxy, port: number): Promise<void> {
  const client = await RawPeer.to(proxy.port);
  client.send(`GET http://a.test:${port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
  await client.until("\r\n\r\nfine");
  client.close();
}

describe("malformed requests", (test) => {
  for (const [what, bytes, status] of MALFORMED) {
    test(`given ${what}, responds ${status}, tags the row malformed, forwards nothing and serves the next connection`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(answering(() => ok("fine")));
        const client = await RawPeer.to(proxy.port);
        // Named in every place where a parser may look for the server.
        const authority = `a.test:${server.port}`;
        client.send(bytes.replace("a.test/", `${authority}/`).replace(/(?<=Host ?: )a(?=[\r\n])/, authority));
        assert.match((await client.rest()).toString(), new RegExp(`^HTTP/1\\.1 ${status} .*Connection: close`, "s"));
        const row = await proxy.traffic.row(0);
        assert.equal(row.ended.tags, ["malformed"]);
        assert.is(row.ended.outcome.status, status);
        assert.is(server.peers.length, 0);
        await canStillBeUsed(proxy, server.port);
      }));
  }

  for (const [target, origin, path] of [
    ["http://b.test:81/x?y", "http://b.test:81", "/x?y"],
    ["http://u:p@b.test/x", "http://b.test", "/x"],
    ["HTTPS://b.test", "https://b.test", "/"],
    ["/x", null, "/x"],
    ["ftp://b.test/x", null, "ftp://b.test/x"],
    ["b.test:80", null, "b.test:80"],
    ["x", null, "x"],
    ["http:///b.test/x", null, "http:///b.test/x"],
    ["http://[::1/x", null, "http://[::1/x"],
    ["http://b.test:99999/x", null, "http://b.test:99999/x"],
    ["http://u:p@q@b.test:99999/x", null, "http://b.test:99999/x"],
  ] as const) {
    test(`given an unreadable request for ${target}, records the origin that the target names, or else Weir's own`, () =>
      withProxy({}, async (proxy) => {
        const arrived = `http://127.0.0.1:${proxy.port}`;
        for (const [index, bytes] of [
          `GET ${target} HTTP/1.1\r\nHost : a\r\n\r\n`,
          `CONNECT ${target} HTTP/1.1\r\nHost : a\r\n\r\n`,
        ].entries()) {
          const client = await RawPeer.to(proxy.port);
          client.send(bytes);
          await client.rest();
          const { started } = await proxy.traffic.row(index);
          assert.equal([started.origin, started.target], [origin ?? arrived, path]);
        }
      }));
  }

  test("given a target that cannot be parsed in a head that can, the row shows the target as it came", () =>
    withProxy({}, async (proxy) => {
      for (const [index, target] of ["http://b.test:99999/x", "ftp://b.test/x"].entries()) {
        const client = await RawPeer.to(proxy.port);
        client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
        assert.match((await client.rest()).toString(), "400 Bad Request");
        assert.is((await proxy.traffic.row(index)).started.target, target);
      }
    }));

  test("given a target that cannot be parsed in a tunnel, the row has the tunnel's origin", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("fine")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n");
      assert.match((await client.rest()).toString(), "400 Bad Request");
      const { started } = await proxy.traffic.row(0);
      assert.equal([started.origin, started.target], [`https://a.test:${server.port}`, "/"]);
    }));

  test("given a malformed request inside intercepted TLS, responds 400 and records its origin", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("fine")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
      assert.match((await client.rest()).toString(), "400 Bad Request");
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, `https://a.test:${server.port}`);
      assert.is(row.started.method, "GET");
      assert.is(server.peers.length, 0);
    }));

  test("given a body that turns out malformed, responds 400 and closes the server's connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
      client.send("3\r\nabc\r\n");
      const peer = await server.peer(0);
      await peer.until("abc");
      client.send("nonsense\r\n");
      assert.match((await client.rest()).toString(), "400 Bad Request");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "request-malformed");
      await peer.over;
    }));

  for (const [what, errorType, body] of [
    ["is malformed", "request-malformed", "nonsense\r\n"],
    ["is cut off", "client-aborted", "3\r\nabc\r\n"],
  ] as const) {
    test(`given a body for Weir itself that ${what}, responds 400 and records the same error`, () =>
      withProxy({}, async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        client.socket.end(
          `POST http://probe.weir.test/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
        );
        assert.match(
          (await client.rest()).toString(),
          new RegExp(`^HTTP/1\\.1 400 .*Connection: close.*${errorType}`, "s"),
        );
        assert.is(await client.over, "end");
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.equal([outcome.kind === "failed" ? outcome.errorType : "", outcome.status], [errorType, 400]);
      }));
  }
});
