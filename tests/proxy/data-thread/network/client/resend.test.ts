import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const HEAD =
  "POST /again HTTP/1.1\r\nHost: api.test\r\nX-b: 1\r\nx-A: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n";
const BODY = Buffer.from("abc");

/** Resends while the system allows only this many more descriptors, and prints the problem. */
const WITHOUT_DESCRIPTORS = `
  import { closeSync, openSync } from "node:fs";
  import { withProxy } from ${JSON.stringify(new URL("../../../../support/test-proxy.ts", import.meta.url).href)};
  await withProxy({}, async ({ listener, traffic }) => {
    for (const spare of [0, 1, 2]) {
      const held = [];
      try {
        for (;;) held.push(openSync("/dev/null"));
      } catch {}
      for (const file of held.splice(0, spare)) closeSync(file);
      const head = "GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n";
      const trouble = await listener.resend({ origin: "http://nowhere.invalid", head, body: Buffer.alloc(0) });
      for (const file of held) closeSync(file);
      console.log(spare, trouble?.message ?? null, traffic.rows.length);
    }
  });
`;

describe("resending of a request", (test) => {
  for (const scheme of ["http", "https"] as const) {
    test(`given a request for an ${scheme} server, sends it unchanged and tags its row as resent`, () =>
      withProxy({}, async (proxy) => {
        const serve = async (peer: import("../../../../support/raw-peer.ts").RawPeer) => {
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

  test("given a server that cannot be reached, records a failed row", () =>
    withProxy({}, async (proxy) => {
      await proxy.listener.resend({ origin: "http://nowhere.invalid", head: HEAD, body: BODY });
      const row = await proxy.traffic.row(0);
      assert.is(row.ended.outcome.kind, "failed");
      assert.equal(row.ended.tags, ["resent"]);
    }));

  test("given a proxy that stops while a resent request is in flight, records proxy-stopped", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const sent = proxy.listener.resend({ origin: `http://api.test:${server.port}`, head: HEAD, body: BODY });
      await (await server.peer(0)).until("abc");
      await proxy.listener.stop(0);
      const { outcome } = proxy.traffic.rows[0]?.ended ?? {};
      assert.is(outcome?.kind === "failed" && outcome.errorType, "proxy-stopped");
      assert.is(await sent, null);
      await (await server.peer(0)).over;
    }));

  test("given a stopped proxy, sends nothing", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      await proxy.listener.stop();
      await proxy.listener.resend({ origin: `http://api.test:${server.port}`, head: HEAD, body: BODY });
      assert.is(server.peers.length, 0);
    }));

  test(
    "given no free file descriptor, ends the resent request with the reason",
    async () => {
      const program = `ulimit -n 200; exec "$0" --input-type=module -e "$1"`;
      const { stdout } = await promisify(execFile)("sh", ["-c", program, process.execPath, WITHOUT_DESCRIPTORS]);
      assert.match(stdout, /^0 listen EMFILE.* 0\n1 connect EMFILE.* 0\n2 Weir did not accept its connection 0\n$/);
    },
    { skip: process.platform === "win32" ? "needs ulimit" : null },
  );
});
