import { EventEmitter } from "node:events";
import type { Http2Session } from "node:http2";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SessionTurns } from "../../../../../extensions/proxy/data-thread/network/http2/session-turns.ts";
import { StreamEvents } from "../../../../../extensions/proxy/data-thread/network/http2/stream-events.ts";
import { READ_TURN } from "../../../../../extensions/proxy/data-thread/network/sockets/read-turn.ts";
import type { CapturedTraffic } from "../../../../support/captured-traffic.ts";
import { describe } from "../../../../support/describe.ts";
import { http2ByHand } from "../../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM, fields, frame, GREETING } from "../../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { echo, http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rounds } from "../../../../support/rounds.ts";
import { inShortSlices } from "../../../../support/short-slices.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const STREAMS = 100;
/** Added to the table once (RFC 7541, 6.2.1), then referenced by one byte for each field. */
const PUT = Buffer.from([0x40, 1, "x".charCodeAt(0), 1, "v".charCodeAt(0)]);
const many = (count: number): Buffer => Buffer.alloc(count, 0xbe);
/** The six steps that each reader has in a turn, and what one call in a later turn handles. */
const MOST_IN_A_TURN = 20;

/** Runs `body` while each turn of the event loop is used up, and returns the most events of this type in one turn. */
async function mostInATurn(traffic: CapturedTraffic, type: string, body: () => Promise<unknown>): Promise<number> {
  const emit = traffic.emit.bind(traffic);
  let [count, most, isOver] = [0, 0, false];
  traffic.emit = (event) => {
    if (event.type === type) count += 1;
    emit(event);
  };
  const nextTurn = (): void => {
    most = Math.max(most, count);
    count = 0;
    if (!isOver) setImmediate(nextTurn);
  };
  Object.defineProperty(READ_TURN, "isUsedUp", { get: () => true, configurable: true });
  setImmediate(nextTurn);
  try {
    await body();
  } finally {
    isOver = true;
    traffic.emit = emit;
    Reflect.deleteProperty(READ_TURN, "isUsedUp");
  }
  return most;
}

/** A socket that counts how often its handle started and stopped reading. */
function socketOf(isReading: { is: boolean }, hasHandle: boolean): Socket {
  const change = (is: boolean) => () => {
    isReading.is = is;
  };
  const handle = { readStart: change(true), readStop: change(false) };
  const socket = Object.assign(new EventEmitter(), { resume: change(true), pause: change(false) });
  return Object.assign(socket, hasHandle ? { _handle: handle } : {}) as unknown as Socket;
}

describe("HTTP/2 connection events", (test) => {
  test("given more than fit into a turn, are handled in order, and nothing is read until all are", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 12 }), fc.boolean(), async (turns, hasHandle) => {
        await inShortSlices(async () => {
          const isReading = { is: true };
          const events = new StreamEvents(socketOf(isReading, hasHandle), new SessionTurns());
          const handled: number[] = [];
          let emitted = 0;
          for (const count of turns) {
            for (let event = 0; event < count; event += 1) {
              const own = emitted;
              events.emitted(() => handled.push(own));
              emitted += 1;
            }
            assert.is(isReading.is, handled.length === emitted);
            await turn();
          }
          for (let rest = emitted; rest >= 0; rest -= 1) await turn();
          assert.equal(
            handled,
            Array.from({ length: emitted }, (_, index) => index),
          );
          assert.is(isReading.is, true);
        });
      }),
      { numRuns: rounds(50) },
    ));

  test("given a session that Node ends again and again within a read, counts one event of it", () => {
    const turns = new SessionTurns();
    const events = new StreamEvents(socketOf({ is: true }, true), turns);
    let counted = 0;
    const { emitted } = turns;
    turns.emitted = (session, handle) => {
      counted += 1;
      emitted.call(turns, session, handle);
    };
    const ended: unknown[] = [];
    const session = { destroyed: false, destroy: (error: unknown) => void ended.push(error) };
    events.watch(session as unknown as Http2Session);
    for (let call = 0; call < 3; call += 1) {
      session.destroy(call);
      session.destroyed = true;
    }
    assert.equal([counted, ended], [1, [0, 1, 2]]);
  });

  test("given 100 requests of 250 fields at once, starts a few in each turn", () =>
    withProxy({}, async (proxy) => {
      const authority = "absent.invalid:443";
      const peer = await RawPeer.secure(proxy.port, authority, proxy.clientCa, ["h2"]);
      const heads = Array.from({ length: STREAMS }, (_, index) => {
        const path = [":path", `/${index}`] as const;
        const head = fields([":method", "GET"], [":scheme", "https"], [":authority", authority], path);
        const block = Buffer.concat([head, ...(index === 0 ? [PUT] : []), many(245)]);
        return frame("headers", END_STREAM | END_HEADERS, 2 * index + 1, block);
      });
      const most = await mostInATurn(proxy.traffic, "request-started", async () => {
        peer.send(Buffer.concat([GREETING, ...heads]));
        await proxy.traffic.row(STREAMS - 1);
      });
      assert.ok(most <= MOST_IN_A_TURN, `${most} in a turn`);
      peer.close();
    }));

  test(
    "given 100 responses of 900 fields at once, handles a few in each turn",
    () =>
      withProxy({}, async (proxy) => {
        const asked: number[] = [];
        const server = await http2ByHand(proxy, (stream) => {
          asked.push(stream);
          if (asked.length < STREAMS) return Buffer.alloc(0);
          const answers = asked.map((one, index) =>
            frame(
              ...(["headers", END_STREAM | END_HEADERS, one] as const),
              Buffer.concat([Buffer.from([0x88]), ...(index === 0 ? [PUT] : []), many(900)]),
            ),
          );
          return Buffer.concat(answers);
        });
        const client = await http2Client(proxy, `https://a.test:${server.port}`, { maxHeaderListPairs: 2_000 });
        const most = await mostInATurn(proxy.traffic, "response-started", async () => {
          const replies = Array.from({ length: STREAMS }, () => ask(client, { ":path": "/" }));
          for (const { status } of await Promise.all(replies)) assert.is(status, 200);
        });
        assert.ok(most <= MOST_IN_A_TURN, `${most} in a turn`);
        client.destroy();
        await server.stop();
      }),
    { isLong: true },
  );

  test("given one event in each turn, bodies, trailers and resets arrive as without", () =>
    inShortSlices(() =>
      withProxy({}, async (proxy) => {
        const server = await http2Server(proxy, (stream, headers) => {
          if (headers[":path"] === "/reset") stream.close(8);
          else echo(stream, headers);
        });
        const client = await http2Client(proxy, `https://a.test:${server.port}`);
        const bodies = Array.from({ length: 30 }, (_, index) => Buffer.alloc(5_000 * index, index));
        const replies = bodies.map((body) => ask(client, { ":method": "POST", ":path": "/" }, body));
        const cancelled = ask(client, { ":path": "/reset" }).then(
          () => "was answered",
          (error: unknown) => String(error),
        );
        for (const [index, { status, body }] of (await Promise.all(replies)).entries())
          assert.equal([status, body.equals(bodies[index] ?? Buffer.alloc(0))], [200, true]);
        assert.match(await cancelled, /CANCEL|code 8/);
        client.destroy();
        await server.stop();
      }),
    ));
});
