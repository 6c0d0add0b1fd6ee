import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { ok } from "../../support/raw-server.ts";
import { withProxy } from "../../support/test-proxy.ts";

const HEAD =
  "POST /again HTTP/1.1\r\nHost: api.test\r\nX-b: 1\r\nx-A: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n";
const BODY = Buffer.from("abc");

describe("sending again", (test) => {
  for (const scheme of ["http", "https"] as const) {
    test(`a request reaches its ${scheme} server as it is, and is a row tagged resent`, () =>
      withProxy({}, async (proxy) => {
        const serve = async (peer: import("../../support/raw-peer.ts").RawPeer) => {
          await peer.head();
          peer.send(ok(`got ${await peer.bytes(3)}`));
        };
        const server = await (scheme === "http" ? proxy.server(serve) : proxy.tlsServer(serve));
        await proxy.listener.resend({ origin: `${scheme}://api.test:${server.port}`, head: HEAD, body: BODY });
        const row = await proxy.traffic.row(0);
        assert.equal(row.ended.tags, ["resent"]);
        assert.is(row.started.method, "POST");
        assert.is(row.started.origin, `${scheme}://api.test:${server.port}`);
        assert.match(row.started.head, /X-b: 1\r\nx-A: 2\r\n/);
        assert.is(row.requestBody.toString(), "abc");
        assert.is(row.responseBody.toString(), "got abc");
        assert.equal(row.ended.outcome, { kind: "responded", status: 200 });
      }));
  }

  test("a server that is not there is a failed row", () =>
    withProxy({}, async (proxy) => {
      await proxy.listener.resend({ origin: "http://nowhere.invalid", head: HEAD, body: BODY });
      const row = await proxy.traffic.row(0);
      assert.is(row.ended.outcome.kind, "failed");
      assert.equal(row.ended.tags, ["resent"]);
    }));

  test("while the proxy is stopped nothing is sent", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      await proxy.listener.stop();
      await proxy.listener.resend({ origin: `http://api.test:${server.port}`, head: HEAD, body: BODY });
      assert.is(server.peers.length, 0);
    }));
});
