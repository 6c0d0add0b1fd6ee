import type { Socket } from "node:net";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ROOM } from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { get } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { rounds } from "../../../../support/rounds.ts";
import { inShortSlices } from "../../../../support/short-slices.ts";
import { stalled } from "../../../../support/stalled.ts";
import { swept } from "../../../../support/swept.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";
import { cutAt } from "../http1/transcript.ts";

const PIECE = 60_000;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until<Thing>(found: () => readonly Thing[]): Promise<readonly Thing[]> {
  while (found().length === 0) await turn();
  return found();
}

/** Prepares more responses than `client` reads; resolves with the bytes it should receive. */
async function askedAhead(proxy: TestProxy, client: RawPeer, ours: Socket): Promise<number> {
  const answer = ok("x".repeat(PIECE));
  const server = await proxy.server(answering(() => answer));
  const count = 500;
  client.send(get(server.port).repeat(count));
  while (ours.writableLength < ROOM) await turn();
  return count * answer.length;
}

/** Prepares one response that ends with its connection and that the server has sent completely; resolves likewise. */
async function lastAnswer(proxy: TestProxy, client: RawPeer, ours: Socket): Promise<number> {
  const piece = Buffer.alloc(PIECE);
  const server = await proxy.server();
  client.send(get(server.port));
  const peer = await server.peer(0);
  await peer.head();
  peer.send("HTTP/1.1 200 OK\r\n\r\n");
  let size = 0;
  while (ours.writableLength === 0) {
    peer.send(piece);
    size += piece.length;
    while (ours.bytesWritten < size) await turn();
  }
  peer.socket.end();
  await proxy.traffic.row(0);
  return size;
}

describe("client connection", (test) => {
  test("given a server that stops reading within an upload for a while, delivers all of it", () =>
    withProxy({}, async (proxy) => {
      const size = 20_000_000;
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
      client.send(Buffer.alloc(size, "x"));
      const peer = await server.peer(0);
      await peer.head();
      peer.socket.pause();
      await stalled(client, size);
      peer.socket.resume();
      while (peer.total < size) await new Promise((resolve) => peer.socket.once("data", resolve));
      peer.send(ok("whole"));
      await client.until("\r\n\r\nwhole");
      assert.is((await proxy.traffic.row(0)).ended.requestBodySize, size);
      client.close();
    }));

  test("given a client that has half-closed, delivers a response that comes after the idle limit", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 50, linger: 50 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      client.socket.end();
      const peer = await server.peer(0);
      await peer.head();
      await swept(proxy.port, clock, 100);
      peer.send(ok("late"));
      const answer = (await client.rest()).toString();
      assert.match(answer, /HTTP\/1\.1 200 OK.*\r\n\r\nlate$/s);
      // The first row to end is that of the client that the sweep closed.
      assert.equal((await proxy.traffic.row(1)).ended.outcome, { kind: "responded", status: 200 });
    });
  });

  test("given pipelined requests before the client half-closes, answers all of them", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("one")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3));
      client.socket.end();
      const answers = (await client.rest()).toString();
      assert.is(answers.split("200 OK").length, 4);
      assert.is(proxy.traffic.rows.length, 3);
    }));

  test("given requests in any pieces, times each from the arrival of its own first byte", () =>
    withMadeSockets("server", (sockets) => {
      const clock = new HeldClock();
      return withProxy({ clock }, async (proxy) => {
        let answer = Promise.resolve();
        const server = await proxy.server(async (peer) => {
          for (;;) {
            await peer.head();
            await answer;
            peer.send(ok("x"));
          }
        });
        let ended = 0;
        const requests = fc.array(fc.constantFrom("", "\r\n"), { minLength: 2, maxLength: 4 });
        const places = fc.array(fc.nat(400), { maxLength: 6 });
        await fc.assert(
          fc.asyncProperty(requests, places, async (before, places) => {
            let allow = (): void => {};
            answer = new Promise((resolve) => {
              allow = resolve;
            });
            const client = await RawPeer.to(proxy.port);
            const [ours] = await until(() =>
              sockets.filter(({ remotePort }) => remotePort === client.socket.localPort),
            );
            const text = before.map((line) => line + get(server.port)).join("");
            const arrivals: Instant[] = [];
            for (const piece of cutAt(text, places)) {
              clock.pass(100);
              client.send(piece);
              arrivals.push(...Array(piece.length).fill(clock.now()));
              while ((ours?.bytesRead ?? 0) < arrivals.length) await turn();
            }
            clock.pass(100);
            allow();
            const begins = [...text.matchAll(/GET/g)].map(({ index }) => arrivals[index]);
            ended += begins.length;
            await proxy.traffic.row(ended - 1);
            client.close();
            const rows = proxy.traffic.rows.slice(-begins.length);
            assert.equal(
              rows.map(({ started }) => started.at),
              begins,
            );
          }),
          { numRuns: rounds(30), includeErrorInReport: true },
        );
      });
    }));

  test("given the beginning of a request during a response, waits for the rest as long as after the response", () =>
    withMadeSockets("server", (sockets) => {
      const clock = new HeldClock();
      return withProxy({ clock, limits: { head: 1_000, idle: 300 } }, async (proxy) => {
        const server = await proxy.server();
        const client = await RawPeer.to(proxy.port);
        const [ours] = await until(() => sockets.filter(({ remotePort }) => remotePort === client.socket.localPort));
        const [first, second] = [get(server.port), get(server.port)];
        client.send(first + second.slice(0, 20));
        const peer = await server.peer(0);
        await peer.head();
        while ((ours?.bytesRead ?? 0) < first.length + 20) await turn();
        await swept(proxy.port, clock, 1_100);
        peer.send(ok("first"));
        await client.until("first");
        await swept(proxy.port, clock, 400);
        assert.is(client.received.toString(), "");
        client.send(second.slice(20));
        await peer.head();
        peer.send(ok("second"));
        await client.until("second");
        client.close();
      });
    }));

  test("given input that takes long to parse, parses it in several turns of the event loop", () => {
    return inShortSlices(() =>
      withProxy({}, async (proxy) => {
        let [turns, isOver] = [0, false];
        const count = () => {
          turns += 1;
          if (!isOver) setImmediate(count);
        };
        const { traffic } = proxy;
        const emit = traffic.emit.bind(traffic);
        const seen = new Set<number>();
        traffic.emit = (event) => {
          if (event.type === "request-started") seen.add(turns);
          emit(event);
        };
        const client = await RawPeer.to(proxy.port);
        count();
        client.send("GET http://weir.test/ HTTP/1.1\r\nHost: weir.test\r\n\r\n".repeat(100));
        client.socket.end();
        await client.rest();
        isOver = true;
        assert.is(traffic.rows.length, 100);
        assert.ok(seen.size > 5, `in ${seen.size} turns`);
      }),
    );
  });

  test("given a client that pipelines requests and reads no responses, stops reading its requests", () =>
    withMadeSockets("server", (sockets) =>
      withProxy({}, async (proxy) => {
        const answer = ok("x".repeat(60_000));
        const server = await proxy.server(answering(() => answer));
        const ahead = await RawPeer.to(proxy.port);
        ahead.socket.pause();
        const owed = (): number =>
          sockets.find(({ remotePort }) => remotePort === ahead.socket.localPort)?.writableLength ?? 0;
        let most = 0;
        const { traffic } = proxy;
        const emit = traffic.emit.bind(traffic);
        traffic.emit = (event) => {
          if (event.type === "request-started" && event.clientConnection === 1) most = Math.max(most, owed());
          emit(event);
        };
        const count = 250;
        ahead.send(get(server.port).repeat(count));
        while (owed() < ROOM) await new Promise((resolve) => setImmediate(resolve));
        const other = await RawPeer.to(proxy.port);
        for (let round = 0; round < 20; round += 1) {
          other.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n");
          await other.until("</html>");
        }
        ahead.socket.resume();
        for (let taken = 0; taken < count; taken += 1) await ahead.bytes(answer.length);
        assert.ok(most <= ROOM, `${most} bytes`);
        for (const client of [ahead, other]) client.close();
      }),
    ));

  for (const [title, stall, end] of [
    ["closes its connection in the end", 50, () => {}],
    ["does not delay the proxy's stop", 60_000, ({ listener }: TestProxy) => listener.stop(0)],
  ] as const)
    test(`given a client that never reads its responses, ${title}`, () =>
      withProxy({ limits: { stall } }, async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        client.socket.pause();
        const count = 20_000;
        client.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n".repeat(count));
        await proxy.traffic.event("exchange-ended");
        await end(proxy);
        while (proxy.listener.connections > 0) await new Promise((resolve) => setImmediate(resolve));
        assert.ok(proxy.traffic.rows.length < count);
        client.close();
      }));

  test("given a slow client and a response that ends the connection, delivers all of it", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 50, linger: 20 } }, async (proxy) => {
      const size = 8_000_000;
      const server = await proxy.server(answering(() => ok("x".repeat(size))));
      const client = await RawPeer.to(proxy.port);
      client.socket.pause();
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await proxy.traffic.event("response-started");
      await swept(proxy.port, clock, 100);
      client.socket.resume();
      await client.head();
      assert.is((await client.rest()).length, size);
    });
  });

  for (const [title, owe] of [
    ["pipelined responses", askedAhead],
    ["a response that ends the connection", lastAnswer],
  ] as const)
    test(
      `given a client that reads nothing of ${title} beyond the idle limit, still delivers all of it`,
      () => {
        const clock = new HeldClock();
        return withMadeSockets("server", (sockets) =>
          withProxy({ clock, limits: { idle: 50, linger: 50 } }, async (proxy) => {
            const client = await RawPeer.to(proxy.port);
            client.socket.pause();
            const [ours] = await until(() =>
              sockets.filter(({ remotePort }) => remotePort === client.socket.localPort),
            );
            assert.ok(ours);
            const size = await owe(proxy, client, ours);
            await swept(proxy.port, clock, 100);
            client.socket.resume();
            // In pieces: one buffer would be copied again and again.
            for (let left = size; left > 0; left -= PIECE) await client.bytes(Math.min(left, PIECE));
            client.close();
          }),
        );
      },
      { isLong: true },
    );

  test("given an empty line after a request, makes no row of it", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("one")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n\r\n`);
      await client.until("one");
      client.socket.end();
      await client.rest();
      assert.is(proxy.traffic.rows.length, 1);
    }));

  test("given a head that does not arrive in time, responds 408", () =>
    withProxy({ limits: { head: 100 } }, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("GET http://a.test/ HTTP/1.1\r\nHo");
      assert.match((await client.rest()).toString(), "408 Request Timeout");
    }));

  test("given a connection, closes it when idle for too long, but not while an exchange takes long", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 100 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      const peer = await server.peer(0);
      await peer.head();
      await swept(proxy.port, clock, 150);
      peer.send(ok("slow"));
      await client.until("slow");
      clock.pass(150);
      assert.is(await client.over, "end");
    });
  });

  test("given an exchange that times out after the idle limit, still answers the next request", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 50, response: 100 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await (await server.peer(0)).head();
      clock.pass(100);
      assert.match(await client.head(), "504 Gateway Timeout");
      client.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n");
      await client.until("200 OK");
      client.close();
    });
  });

  test("given a silent tunnel and WebSocket, keeps both beyond the idle limit (docs/security.md L5)", () =>
    withProxy({ limits: { idle: 100 } }, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        for (;;) {
          const heard = await peer.until("\n");
          if (heard.startsWith("GET /ws")) {
            await peer.head();
            peer.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
          } else if (heard.startsWith("GET ")) {
            await peer.head();
            peer.send(ok("fine"));
          } else peer.send(`again ${heard}`);
        }
      });
      const host = `a.test:${server.port}`;
      const tunnel = await RawPeer.tunnel(proxy.port, host);
      tunnel.send("\0tunnel\n");
      await tunnel.until("again \0tunnel\n");
      const upgraded = await RawPeer.to(proxy.port);
      const asked =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
      upgraded.send(`GET http://${host}/ws HTTP/1.1\r\nHost: ${host}\r\n${asked}\r\n\r\n`);
      assert.match(await upgraded.head(), "101 ");
      // Each arrives later than the two above, and closes before they are used again.
      for (let round = 0; round < 2; round += 1) {
        const idle = await RawPeer.to(proxy.port);
        idle.send(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        await idle.until("fine");
        assert.is(await idle.over, "end");
      }
      for (const peer of [tunnel, upgraded]) {
        peer.send("\x81\x02hi\n");
        await peer.until("hi\n");
        peer.close();
      }
    }));
});
