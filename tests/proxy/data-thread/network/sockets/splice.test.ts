import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { stalled } from "../../../../support/stalled.ts";
import { swept } from "../../../../support/swept.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** Both ends of two joined sockets. */
interface Ends {
  readonly client: RawPeer;
  readonly server: RawPeer;
}

const KINDS: readonly (readonly [title: string, ends: (proxy: TestProxy) => Promise<Ends>])[] = [
  [
    "a tunnel",
    async (proxy) => {
      proxy.settings.passThrough = ["a.test"];
      const server = await proxy.server();
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      return { client, server: await server.peer(0) };
    },
  ],
  [
    "a WebSocket",
    async (proxy) => {
      const switching = "Connection: Upgrade\r\nUpgrade: websocket";
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(`HTTP/1.1 101 Switching Protocols\r\n${switching}\r\n\r\n`);
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port, "/", switching));
      await client.head();
      return { client, server: await server.peer(0) };
    },
  ],
];

describe("splice of two sockets", (test) => {
  for (const [kind, endsOf] of KINDS) {
    for (const who of ["client", "server"] as const) {
      test(`given ${kind} whose ${who} resets while the other side reads nothing, ends the exchange and closes both sides`, () =>
        withProxy({ limits: { linger: 50 } }, async (proxy) => {
          const ends = await endsOf(proxy);
          const [sender, reader] = who === "client" ? [ends.client, ends.server] : [ends.server, ends.client];
          reader.socket.pause();
          await stalled(sender);
          sender.socket.resetAndDestroy();
          // A client's reset is noticed even while nothing is read from it; a server's arrives after the data that it
          // sent.
          if (who === "server") reader.socket.resume();
          const { outcome } = (await proxy.traffic.row(0)).ended;
          assert.is(outcome.kind, "failed");
          reader.socket.resume();
          while (proxy.listener.connections > 0) await pause(10);
        }));
    }
  }

  test("given a half-closed client that reads slowly, delivers all that the server sends", () => {
    const clock = new HeldClock();
    return withMadeSockets("server", (sockets) =>
      withProxy(
        { clock, settings: { passThrough: ["a.test"] }, limits: { halfClosed: 50, idle: 50 } },
        async (proxy) => {
          const server = await proxy.server();
          const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
          client.socket.pause();
          client.socket.end();
          const peer = await server.peer(0);
          await peer.over;
          const [ours] = sockets.filter(({ remotePort }) => remotePort === client.socket.localPort);
          const [pieces, piece] = [200, Buffer.alloc(60_000)];
          for (let sent = 0; sent < pieces; sent += 1) peer.send(piece);
          peer.socket.end();
          while ((ours?.writableLength ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve));
          await swept(proxy.port, clock, 100);
          client.socket.resume();
          for (let got = 0; got < pieces; got += 1) await client.bytes(piece.length);
          client.close();
        },
      ),
    );
  });
});
