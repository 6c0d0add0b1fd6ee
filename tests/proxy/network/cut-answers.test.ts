import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { withProxy } from "../../support/test-proxy.ts";

describe("answers that are cut off", (test) => {
  for (const [what, head, told] of [
    ["a length", "Content-Length: 100", "after 8 of 100"],
    ["chunks", "Transfer-Encoding: chunked", "after 3 bytes"],
  ] as const) {
    test(`a body with ${what} that is cut is never completed at the client`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n3\r\nabc\r\n`);
          peer.socket.end();
        });
        const client = await RawPeer.to(proxy.port);
        client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
        assert.match((await client.rest()).toString(), /\r\n\r\n3\r\nabc\r\n$/);
        assert.is(await client.over, "end");
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-truncated");
        assert.match(outcome.kind === "failed" ? outcome.detail : "", told);
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
});
