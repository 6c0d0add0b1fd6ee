import * as assert from "uvu/assert";
import { Replay } from "../../../../../extensions/proxy/data-thread/network/client/replay.ts";
import type { ExchangeId } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";
import type { RawPeer } from "../../../../support/raw-peer.ts";
import { ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const HEAD = "GET /again HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n";

/** A run against a server of the proxy, and the exchanges that it reports. */
function runOf(proxy: TestProxy, port: number, times: number, atOnce: number) {
  const ended: ExchangeId[] = [];
  const request = { origin: `http://api.test:${port}`, head: HEAD, body: Buffer.alloc(0) };
  const send = (options: Parameters<TestProxy["listener"]["resend"]>[1]) => proxy.listener.resend(request, options);
  return { ended, replay: new Replay({ times, atOnce, send, onEnded: (id) => ended.push(id) }) };
}

describe("replay of a request", (test) => {
  for (const [times, atOnce] of [
    [12, 1],
    [40, 7],
    [3, 3],
  ] as const) {
    test(`given ${times} repeats, ${atOnce} at once, all are sent and recorded, and never more at once`, () =>
      withProxy({}, async (proxy) => {
        let [inFlight, most] = [0, 0];
        const serve = async (peer: RawPeer) => {
          for (;;) {
            await peer.head();
            inFlight += 1;
            most = Math.max(most, inFlight);
            await new Promise((resolve) => setImmediate(resolve));
            inFlight -= 1;
            peer.send(ok("done"));
          }
        };
        const server = await proxy.server(serve);
        const { ended, replay } = runOf(proxy, server.port, times, atOnce);
        assert.is(await replay.run(), null);
        const { rows } = proxy.traffic;
        assert.is(rows.length, times);
        assert.equal(
          ended.toSorted((one, other) => one - other),
          rows.map(({ started }) => started.id).toSorted((one, other) => one - other),
        );
        assert.ok(rows.every((row) => row.ended.tags.join() === "resent" && row.responseBody.toString() === "done"));
        assert.ok(most <= atOnce, `${most}`);
      }));
  }

  test("given a stop, nothing more is sent, and what is in flight is closed and not reported", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const { ended, replay } = runOf(proxy, server.port, 50, 2);
      const running = replay.run();
      const [first, second] = [await server.peer(0), await server.peer(1)];
      await Promise.all([first.head(), second.head()]);
      replay.stop();
      assert.is(await running, null);
      await Promise.all([first.over, second.over]);
      assert.equal(ended, []);
      assert.is(server.peers.length, 2);
      const rows = [await proxy.traffic.row(0), await proxy.traffic.row(1)];
      assert.equal(
        rows.map(({ ended: { outcome } }) => outcome.kind === "failed" && outcome.errorType),
        ["client-aborted", "client-aborted"],
      );
    }));

  test("given a host that is not recorded, or a stopped proxy, it ends early and says why", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(ok("done"));
      });
      proxy.traffic.unwanted = ["api.test"];
      const unrecorded = runOf(proxy, server.port, 20, 1);
      assert.match((await unrecorded.replay.run()) ?? "", /^The repeats ended early: they were not recorded\. /);
      assert.is(server.peers.length, 1);
      await proxy.listener.stop();
      const stopped = runOf(proxy, server.port, 20, 4);
      assert.is(await stopped.replay.run(), "The repeats ended early: the proxy is stopped.");
      assert.equal([...unrecorded.ended, ...stopped.ended], []);
    }));
});
