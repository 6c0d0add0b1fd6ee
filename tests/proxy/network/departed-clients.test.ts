import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { withProxy } from "../../support/test-proxy.ts";

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

describe("clients that go away", (test) => {
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
});
