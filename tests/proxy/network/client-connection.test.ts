import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { answering, ok } from "../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../support/test-proxy.ts";

/** Requests that no two readers take the same way, and what is wrong with them. The codec's own tests have many more. */
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

/** Sends until nothing more goes out. */
async function stalled(client: RawPeer): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024);
  let before = -1;
  while (client.socket.bytesWritten - client.socket.writableLength !== before) {
    before = client.socket.bytesWritten - client.socket.writableLength;
    if (client.socket.writableLength < piece.length) client.send(piece);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe("client connection", (test) => {
  for (const [what, bytes, status] of MALFORMED) {
    test(`${what}: answered ${status}, one malformed row, nothing forwarded, and the next connection works`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(answering(() => ok("fine")));
        const client = await RawPeer.to(proxy.port);
        client.send(bytes.replace("a.test/", `a.test:${server.port}/`));
        assert.match((await client.rest()).toString(), new RegExp(`^HTTP/1\\.1 ${status} .*Connection: close`, "s"));
        const row = await proxy.traffic.row(0);
        assert.equal(row.ended.tags, ["malformed"]);
        assert.is(row.ended.outcome.status, status);
        assert.is(server.peers.length, 0);
        await canStillBeUsed(proxy, server.port);
      }));
  }

  test("a malformed request inside opened TLS is answered 400 too", () =>
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

  test("a body that turns out malformed ends the exchange on both sides", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
      client.send("3\r\nabc\r\nnonsense\r\n");
      assert.match((await client.rest()).toString(), "400 Bad Request");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "request-malformed");
      for (const peer of server.peers) await peer.over;
    }));

  test("a client that goes away takes the server's connection with it", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("abc");
      client.socket.resetAndDestroy();
      await (await server.peer(0)).over;
      const { ended } = await proxy.traffic.row(0);
      assert.equal(ended.outcome.kind === "failed" ? ended.outcome.errorType : "", "client-aborted");
      assert.is(ended.outcome.status, 200);
      assert.is(ended.encodedBodySize, 3);
      assert.is(ended.instants.responseEnd, null);
    }));

  for (const scheme of ["http", "https"] as const) {
    test(`a ${scheme} client that closes in order while it waits is noticed within a second`, () =>
      withProxy({}, async (proxy) => {
        const server = await (scheme === "http" ? proxy.server() : proxy.tlsServer());
        const client =
          scheme === "http"
            ? await RawPeer.to(proxy.port)
            : await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        const target = scheme === "http" ? `http://a.test:${server.port}/` : "/";
        client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
        const peer = await server.peer(0);
        await peer.head();
        const begun = performance.now();
        client.socket.destroy();
        await peer.over;
        assert.ok(performance.now() - begun < 1_000);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      }));
  }

  for (const scheme of ["http", "https"] as const) {
    test(`a ${scheme} client that goes away in an upload that the server does not read is noticed within a second`, () =>
      withProxy({}, async (proxy) => {
        const serve = async (peer: RawPeer): Promise<void> => {
          await peer.head();
          peer.socket.pause();
        };
        const server = await (scheme === "http" ? proxy.server(serve) : proxy.tlsServer(serve));
        const authority = `a.test:${server.port}`;
        const client =
          scheme === "http"
            ? await RawPeer.to(proxy.port)
            : await RawPeer.secure(proxy.port, authority, proxy.clientCa);
        const target = scheme === "http" ? `http://${authority}/` : "/";
        client.send(`POST ${target} HTTP/1.1\r\nHost: ${authority}\r\nContent-Length: 1000000000\r\n\r\n`);
        await stalled(client);
        client.socket.destroy();
        const begun = performance.now();
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.ok(performance.now() - begun < 1_000, `${performance.now() - begun} ms`);
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      }));
  }

  test("an upload that the server reads late arrives whole", () =>
    withProxy({}, async (proxy) => {
      const size = 20_000_000;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.socket.pause();
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        peer.socket.resume();
        while (peer.total < size) await new Promise((resolve) => peer.socket.once("data", resolve));
        peer.send(ok("whole"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
      client.send(Buffer.alloc(size, "x"));
      await client.until("\r\n\r\nwhole");
      assert.is((await proxy.traffic.row(0)).ended.requestBodySize, size);
      client.close();
    }));

  test("a client that has closed only its own side still gets a late answer", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        await new Promise((resolve) => setTimeout(resolve, 900));
        peer.send(ok("late"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      client.socket.end();
      const answer = (await client.rest()).toString();
      assert.match(answer, /HTTP\/1\.1 200 OK.*\r\n\r\nlate$/s);
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
    }));

  test("a request whose body is cut off is answered, and the server's connection ends", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc`);
      await (await server.peer(0)).until("abc");
      client.socket.end();
      assert.match((await client.rest()).toString(), "400 Bad Request");
      await (await server.peer(0)).over;
      const { outcome, requestBodySize } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "request-truncated");
      assert.is(requestBodySize, 3);
    }));

  for (const [what, head, end] of [
    ["a length", "Content-Length: 100", "end"],
    ["chunks", "Transfer-Encoding: chunked", "end"],
  ] as const) {
    test(`a cut body with ${what} never ends in order at the client`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n3\r\nabc\r\n`);
          peer.socket.end();
        });
        const client = await RawPeer.to(proxy.port);
        client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
        assert.match((await client.rest()).toString(), /\r\n\r\n3\r\nabc\r\n$/);
        assert.is(await client.over, end);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-truncated");
        assert.match(
          outcome.kind === "failed" ? outcome.detail : "",
          what === "chunks" ? "after 3 bytes" : "after 8 of 100",
        );
      }));
  }

  test("a cut body that only the connection's end would end is reset", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\n\r\npart");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("part");
      (await server.peer(0)).socket.resetAndDestroy();
      assert.is(await client.over, "ECONNRESET");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-truncated");
    }));

  test("the same cut over TLS is no clean end either", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\n\r\npart");
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await client.until("part");
      for (const socket of server.transports) socket.resetAndDestroy();
      assert.is(await client.over, "ECONNRESET");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-truncated");
    }));

  test("requests that were pipelined before the client closed its side are all answered", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("one")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3));
      client.socket.end();
      const answers = (await client.rest()).toString();
      assert.is(answers.split("200 OK").length, 4);
      assert.is(proxy.traffic.rows.length, 3);
    }));

  test("a slow reader gets all of an answer that ends its connection", () =>
    withProxy({ limits: { linger: 20 } }, async (proxy) => {
      const size = 8_000_000;
      const server = await proxy.server(answering(() => ok("x".repeat(size))));
      const client = await RawPeer.to(proxy.port);
      client.socket.pause();
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await proxy.traffic.event("response-started");
      await new Promise((resolve) => setTimeout(resolve, 200));
      client.socket.resume();
      await client.head();
      assert.is((await client.rest()).length, size);
    }));

  test("empty lines between requests are no request", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("one")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n\r\n`);
      await client.until("one");
      client.socket.end();
      await client.rest();
      assert.is(proxy.traffic.rows.length, 1);
    }));

  test("a head that does not arrive in time is answered 408", () =>
    withProxy({ limits: { head: 100 } }, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("GET http://a.test/ HTTP/1.1\r\nHo");
      assert.match((await client.rest()).toString(), "408 Request Timeout");
    }));

  test("a connection is closed when it is idle for too long, not while an exchange takes long", () =>
    withProxy({ limits: { idle: 100 } }, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        await new Promise((resolve) => setTimeout(resolve, 300));
        peer.send(ok("slow"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("slow");
      assert.is(await client.over, "end");
    }));
});
