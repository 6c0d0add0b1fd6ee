import * as assert from "uvu/assert";
import { HandshakeTurn } from "../../../../extensions/proxy/network/tls/handshake-turn.ts";
import { clientHello } from "../../../support/client-hello.ts";
import { describe } from "../../../support/describe.ts";
import { RawPeer } from "../../../support/raw-peer.ts";
import { type TestProxy, withProxy } from "../../../support/test-proxy.ts";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Blocks the thread for longer than the handshakes of one turn may take. */
function block(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}

/** Opens `count` tunnels and sends a ClientHello on all of them in one turn of the event loop. */
async function greet(proxy: TestProxy, count: number): Promise<readonly RawPeer[]> {
  const hello = await clientHello({ servername: "a.test" });
  const peers = await Promise.all(Array.from({ length: count }, () => RawPeer.tunnel(proxy.port, "a.test:443")));
  for (const peer of peers) peer.send(hello);
  return peers;
}

describe("the turn of handshakes", (test) => {
  test("given hundreds at once, starts all in order, and as many in a turn as fit", async () => {
    const clock = { now: 0 };
    const turn = new HandshakeTurn(() => clock.now);
    const started: number[] = [];
    for (let index = 0; index < 300; index += 1)
      turn.start(() => {
        clock.now += 1;
        started.push(index);
      });
    const counts = [started.length];
    while (started.length < 300) {
      // What the handshakes cause later in the turn takes as long as they did.
      clock.now += counts.at(-1) ?? 0;
      const before = started.length;
      await nextTurn();
      counts.push(started.length - before);
    }
    assert.equal(
      started,
      Array.from({ length: 300 }, (_, index) => index),
    );
    assert.is(counts[0], 11);
    assert.ok(
      counts.slice(1, -1).every((count) => count >= 4 && count <= 6),
      `started in each turn: ${counts.join(" ")}`,
    );
  });

  test("given one in each turn, starts each at once", async () => {
    const clock = { now: 0 };
    const turn = new HandshakeTurn(() => clock.now);
    for (let count = 1; count <= 5; count += 1) {
      let isStarted = false;
      turn.start(() => {
        clock.now += 100;
        isStarted = true;
      });
      assert.ok(isStarted);
      await nextTurn();
    }
  });

  test("given ClientHellos that arrive together, the proxy answers them over several turns, and all of them", async () => {
    let inTurn = 0;
    const turns: number[] = [];
    const debug = (line: string): void => {
      if (!line.includes("TLS is answered as")) return;
      if (inTurn === 0)
        setImmediate(() => {
          turns.push(inTurn);
          inTurn = 0;
        });
      inTurn += 1;
      block();
    };
    await withProxy({ debug }, async (proxy) => {
      const peers = await greet(proxy, 6);
      await Promise.all(peers.map((peer) => peer.bytes(1)));
      for (const peer of peers) peer.close();
    });
    // One more may be started right before the turn's end.
    assert.ok(Math.max(...turns) <= 2, `answered in each turn: ${turns.join(" ")}`);
  });

  test("given that Weir stops while handshakes wait, answers no more of them", async () => {
    let answered = 0;
    const debug = (line: string): void => {
      if (!line.includes("TLS is answered as")) return;
      answered += 1;
      block();
    };
    await withProxy({ debug }, async (proxy) => {
      const peers = await greet(proxy, 6);
      while (answered === 0) await nextTurn();
      const stopped = proxy.listener.stop();
      const before = answered;
      assert.ok(before < 6, `answered before: ${before}`);
      await stopped;
      await Promise.all(peers.map((peer) => peer.over));
      // Each that still waited would have a turn.
      for (let turn = 0; turn < 6; turn += 1) await nextTurn();
      assert.is(answered, before);
    });
  });
});
