import { randomBytes } from "node:crypto";
import type { ServerHttp2Stream } from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { echo, hello, http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** Reads a chunked body without trailers to its end (RFC 9112, 7.1). */
async function chunkedBody(peer: RawPeer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt(await peer.until("\r\n"), 16);
    chunks.push(await peer.bytes(size));
    await peer.until("\r\n");
    if (size === 0) return Buffer.concat(chunks);
  }
}

describe("HTTP/1.1 to HTTP/2", (test) => {
  test("given requests with and without a body, delivers both sides whole, chunked where no length is declared", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, echo);
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      const sent = randomBytes(100_000);
      client.send(`PUT /p HTTP/1.1\r\nHost: a.test\r\nX-Name: Value\r\nContent-Length: ${sent.length}\r\n\r\n`);
      client.send(sent);
      const head = await client.head();
      assert.match(head, /^HTTP\/1\.1 200 \r\n/);
      assert.match(head, /\r\nx-x-name: Value\r\n/);
      assert.match(head, /\r\ntransfer-encoding: chunked\r\n/);
      assert.ok((await chunkedBody(client)).equals(sent));
      client.send("GET /q HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.until("\r\n\r\n0\r\n\r\n");
      const { started, response, requestBody, responseBody } = await proxy.traffic.row(0);
      assert.ok(requestBody.equals(sent) && responseBody.equals(sent));
      assert.is(started.protocol, "http/1.1");
      assert.match(response?.head ?? "", /^HTTP\/2 200\r\n/);
      assert.is((await proxy.traffic.row(1)).ended.reused, true);
      assert.is(server.sessions.length, 1);
      client.close();
      await server.stop();
    }));

  test("given trailers, sends them behind a chunked body, and only the body to a client of HTTP/1.0", () =>
    withHttp2Ends(
      (stream) => {
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
        stream.end("body");
      },
      async ({ proxy, server }) => {
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
        await client.head();
        assert.is(await client.until("\r\n\r\n"), "4\r\nbody\r\n0\r\nx-sum: 7\r\n\r\n");
        const old = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        old.send("GET / HTTP/1.0\r\nHost: a.test\r\n\r\n");
        await old.head();
        assert.is((await old.rest()).toString(), "body");
        client.close();
      },
    ));

  for (const [what, head] of [
    ["a header field", `GET / HTTP/1.1\r\nHost: a.test\r\nCookie: ${"v".repeat(100_000)}\r\n\r\n`],
    ["a target", `GET /${"v".repeat(100_000)} HTTP/1.1\r\nHost: a.test\r\n\r\n`],
  ] as const) {
    test(`given ${what} too long for HTTP/2, sends the request over HTTP/1.1 and keeps the other streams`, () =>
      withProxy({}, async (proxy) => {
        let hold: (stream: ServerHttp2Stream) => void = () => {};
        const held = new Promise<ServerHttp2Stream>((resolve) => {
          hold = resolve;
        });
        const limits = { allowHTTP1: true, maxHeaderSize: 200_000, settings: { maxHeaderListSize: 200_000 } };
        const server = await http2Server(
          proxy,
          (stream) => hold(stream),
          limits,
          (_, response) => response.end("by itself"),
        );
        const other = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        other.send("GET /held HTTP/1.1\r\nHost: a.test\r\n\r\n");
        const stream = await held;
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send(head);
        await client.until("by itself");
        hello(stream);
        await other.until("hello");
        client.close();
        other.close();
        await server.stop();
      }));
  }

  test("given a trailer too long for HTTP/2, responds 400 with the reason and keeps the other streams", () =>
    withProxy({}, async (proxy) => {
      let hold: (stream: ServerHttp2Stream) => void = () => {};
      const held = new Promise<ServerHttp2Stream>((resolve) => {
        hold = resolve;
      });
      const server = await http2Server(proxy, (stream, headers) => {
        if (headers[":path"] === "/held") hold(stream);
      });
      const other = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      other.send("GET /held HTTP/1.1\r\nHost: a.test\r\n\r\n");
      const stream = await held;
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nTrailer: x-long\r\n\r\n");
      client.send(`4\r\nbody\r\n0\r\nx-long: ${"Z".repeat(66_000)}\r\n\r\n`);
      await client.until("400 Bad Request");
      await client.until("A trailer field of the request is over 64 KB");
      hello(stream);
      await other.until("hello");
      client.close();
      other.close();
      await server.stop();
    }));

  test("given a request with Upgrade, sends it over HTTP/1.1", () =>
    withProxy({}, async (proxy) => {
      const secure = { ...servedBy(proxy.servers), ALPNProtocols: ["h2", "http/1.1"] };
      const server = await rawServer(
        answering(() => ok("x")),
        secure,
      );
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      await client.head();
      assert.is(proxy.traffic.connections[0]?.tls?.alpn, "http/1.1");
      client.close();
      await server.stop();
    }));
});
