import { once } from "node:events";
import type { Socket } from "node:net";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  DisconnectPolicy,
  Standstill,
} from "../../../../../extensions/proxy/data-thread/network/sockets/disconnect-policy.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { get } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const PIECE = Buffer.alloc(64 * 1024);
/** The shortest allowed limit. */
const STALL = 50;

/**
 * Sends until the proxy's socket to the other side has bytes that the system does not accept, and the proxy has stopped
 * reading.
 */
async function backedUp(sender: RawPeer, ours: Socket): Promise<void> {
  for (let sent = ours.bytesWritten; ours.writableLength < 2 * PIECE.length; ) {
    sender.send(PIECE);
    sent += PIECE.length;
    while (ours.bytesWritten < sent) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** `sender` ends, and the connection is dropped by its time limit with bytes still pending for the other side. */
async function over(sender: RawPeer, ours: Socket, clock: HeldClock, { traffic }: TestProxy): Promise<void> {
  sender.socket.end();
  while (!ours.writableEnded) await new Promise((resolve) => setImmediate(resolve));
  clock.pass(2 * STALL);
  await traffic.row(0);
}

const LIMIT = 10;

/** Bytes written, bytes pending, the time of the check, and whether the peer is stalled then. */
const LOOKS: readonly (readonly [title: string, looks: readonly (readonly [number, number, number, boolean])[]])[] = [
  [
    "given no pending bytes, never reports a stall",
    [
      [5, 0, 0, false],
      [5, 0, 99, false],
    ],
  ],
  [
    "given a peer that reads nothing, reports a stall after the limit",
    [
      [9, 9, 0, false],
      [9, 9, 10, false],
      [9, 9, 11, true],
    ],
  ],
  [
    "given a peer that reads as much as is written, reports no stall",
    [
      [9, 9, 0, false],
      [12, 9, 11, false],
    ],
  ],
  [
    "given more bytes written and none read, reports a stall",
    [
      [9, 9, 0, false],
      [12, 12, 11, true],
    ],
  ],
  [
    "given a peer that has read all, starts the limit again",
    [
      [9, 9, 0, false],
      [9, 0, 9, false],
      [12, 3, 12, false],
      [12, 3, 23, true],
    ],
  ],
];

describe("disconnect policy", (test) => {
  for (const [title, looks] of LOOKS) {
    test(title, () => {
      const socket = { bytesWritten: 0, writableLength: 0 };
      const policy = new DisconnectPolicy(socket as Socket);
      for (const [bytesWritten, writableLength, at, isStalled] of looks) {
        Object.assign(socket, { bytesWritten, writableLength });
        assert.is(policy.isStalled(at as Instant, LIMIT), isStalled, `at ${at}`);
      }
    });
  }
});

describe("finished socket with unread bytes", (test) => {
  test("given a tunnel after responses that its client does not read, the proxy still stops at once", () =>
    withMadeSockets("server", (sockets) =>
      withProxy({ limits: { silence: 10 } }, async (proxy) => {
        const server = await proxy.server(answering(() => ok("x".repeat(50_000))));
        const client = await RawPeer.to(proxy.port);
        client.socket.pause();
        const owed = (): number =>
          sockets.find(({ remotePort }) => remotePort === client.socket.localPort)?.writableLength ?? 0;
        for (let count = 0; owed() === 0; count += 1) {
          client.send(get(server.port));
          await proxy.traffic.row(count);
        }
        client.send(`CONNECT a.test:${server.port} HTTP/1.1\r\nHost: a\r\n\r\n`);
        // Waits for the connection, since nothing is sent over it.
        await server.peer(1);
        await proxy.listener.stop(0);
        client.close();
      }),
    ));

  test("given bytes from a client that still reads the end of an upgraded connection, emits nothing after its exchange has ended", () => {
    const clock = new HeldClock();
    return withMadeSockets("server", (sockets) =>
      withProxy({ clock, limits: { stall: STALL } }, async (proxy) => {
        const switching = "Connection: Upgrade\r\nUpgrade: odd\r\n";
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(`HTTP/1.1 101 Switching Protocols\r\n${switching}\r\n`);
        });
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port, "/", "Connection: Upgrade", "Upgrade: odd"));
        await client.head();
        const [ours] = sockets.filter(({ remotePort }) => remotePort === client.socket.localPort);
        assert.ok(ours);
        client.socket.pause();
        const peer = await server.peer(0);
        await backedUp(peer, ours);
        await over(peer, ours, clock, proxy);
        client.send("late");
        // A later client gets its response only after the proxy has read "late".
        const later = await RawPeer.to(proxy.port);
        later.send("GET / HTTP/1.1\r\nHost: weir.test\r\nConnection: close\r\n\r\n");
        await later.rest();
        const id = proxy.traffic.rows[0]?.ended.id;
        assert.is(
          proxy.traffic.events.filter((event) => "id" in event && event.id === id).at(-1)?.type,
          "exchange-ended",
        );
        client.close();
      }),
    );
  });

  const byTime = (_proxy: TestProxy, clock: HeldClock): void => clock.release();
  const byStop = ({ listener }: TestProxy): Promise<void> => listener.stop(0);
  for (const [who, than, end] of [
    ["client", "the stall limit", byTime],
    ["server", "the stall limit", byTime],
    ["client", "the proxy's stop", byStop],
    ["server", "the proxy's stop", byStop],
  ] as const) {
    test(`given a ${who} that reads nothing more of a finished tunnel, closes its socket at ${than}`, () => {
      const clock = new HeldClock();
      return withMadeSockets(who === "client" ? "server" : "client", (sockets) =>
        withProxy({ clock, settings: { passThrough: ["p.test"] }, limits: { stall: STALL } }, async (proxy) => {
          const server = await proxy.server();
          const client = await RawPeer.tunnel(proxy.port, `p.test:${server.port}`);
          const peer = await server.peer(0);
          const [reader, sender] = who === "client" ? [client, peer] : [peer, client];
          const port = who === "client" ? client.socket.localPort : server.port;
          const [ours] = sockets.filter(({ remotePort }) => remotePort === port);
          assert.ok(ours);
          reader.socket.pause();
          await backedUp(sender, ours);
          await over(sender, ours, clock, proxy);
          const closed = ours.destroyed ? null : once(ours, "close");
          await end(proxy, clock);
          await closed;
          reader.close();
        }),
      );
    });
  }
});

const CHECK = fc.record({
  after: fc.integer({ min: 1, max: 1_000 }),
  count: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4 }),
});

describe("send stall detector", (test) => {
  test("given counts, lasts since the first of the latest equal ones, and never while no progress is expected", () => {
    fc.assert(
      fc.property(fc.array(CHECK, { minLength: 1, maxLength: 20 }), (checks) => {
        const standstill = new Standstill();
        const seen: { readonly at: number; readonly count: number | null }[] = [];
        for (const { after, count } of checks) {
          const at = (seen.at(-1)?.at ?? 0) + after;
          seen.push({ at, count });
          const before = seen.findLast((check) => check.count !== count);
          const first = seen.find((check) => before === undefined || check.at > before.at);
          const wanted = count === null ? 0 : at - (first?.at ?? at);
          assert.is(standstill.lasted(at as Instant, count), wanted);
        }
      }),
    );
  });
});
