import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  SESSION_TURNS,
  type SessionInput,
  SessionTurns,
} from "../../../../../extensions/proxy/data-thread/network/http2/session-turns.ts";
import { describe } from "../../../../support/describe.ts";
import {
  END_HEADERS,
  END_STREAM,
  fields,
  frame,
  frameThat,
  GREETING,
  TYPES,
} from "../../../../support/http2-frames.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { rounds } from "../../../../support/rounds.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const SHARE = 10;
/** What a session may read for each event, and without any. */
const READ = 64 * 1024;

/** A session whose reads take `cost` milliseconds each. */
class Session implements SessionInput {
  readonly cost: number;
  bytesRead = 0;
  bytesWritten = 0;
  /** The bytes of each read. */
  size = READ;
  /** How many reads wait. */
  due = 0;
  reads = 0;
  isReading = true;

  constructor(cost: number) {
    this.cost = cost;
  }

  setTurn(isOwn: boolean): void {
    this.isReading = isOwn;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads all sessions that may be read, as libuv does in one turn; returns how long that took. */
function readAll(sessions: readonly Session[], turns: SessionTurns, clock: { now: number }): number {
  const began = clock.now;
  for (const session of sessions) {
    if (!session.isReading || session.due === 0) continue;
    session.due -= 1;
    session.reads += 1;
    session.bytesRead += session.size;
    // The first event of a turn is that of a read which has taken its time already.
    clock.now += session.cost / 2;
    turns.emitted(session, () => {
      clock.now += session.cost / 2;
    });
  }
  return clock.now - began;
}

function joined(turns: SessionTurns, cost: number): Session {
  const session = new Session(cost);
  turns.join(session);
  return session;
}

describe("read turns of HTTP/2 connections", (test) => {
  test("given sessions with costly reads, a turn lasts a share and a read, and none is read more than three times as often", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 300 }),
        fc.double({ min: 1, max: 25, noNaN: true }),
        async (count, cost) => {
          const clock = { now: 0 };
          const turns = new SessionTurns(() => clock.now);
          const sessions = Array.from({ length: count }, () => joined(turns, cost));
          for (const session of sessions) session.due = Number.POSITIVE_INFINITY;
          for (let turn = 0; turn < 2 * count; turn += 1) {
            const took = readAll(sessions, turns, clock);
            assert.ok(took <= SHARE + 1.5 * cost + 0.001, `turn ${turn} took ${took}`);
            await nextTurn();
          }
          const reads = sessions.map((session) => session.reads);
          assert.ok(
            Math.max(...reads) <= 3 * Math.min(...reads) + 3,
            `reads: ${Math.min(...reads)} to ${Math.max(...reads)}`,
          );
        },
      ),
      { numRuns: rounds(20) },
    ));

  test("given 300 costly sessions, one that has cost little is read within three turns", async () => {
    const clock = { now: 0 };
    const turns = new SessionTurns(() => clock.now);
    const bad = Array.from({ length: 300 }, () => joined(turns, 5));
    const good = joined(turns, 0.2);
    const all = [...bad.slice(0, 150), good, ...bad.slice(150)];
    for (const session of bad) session.due = Number.POSITIVE_INFINITY;
    // Every session has had its turn once, so what each costs is known.
    while (bad.some(({ reads }) => reads === 0)) {
      readAll(all, turns, clock);
      await nextTurn();
    }
    for (let request = 0; request < 20; request += 1) {
      good.due = 1;
      const before = good.reads;
      for (let turn = 0; good.reads === before; turn += 1) {
        assert.ok(turn < 3, `request ${request} waits`);
        readAll(all, turns, clock);
        await nextTurn();
      }
      for (let turn = 0; turn < 7; turn += 1) {
        readAll(all, turns, clock);
        await nextTurn();
      }
    }
  });

  test("given a small read that is measured together with a pause, the session counts as cheap still", async () => {
    const clock = { now: 0 };
    const turns = new SessionTurns(() => clock.now);
    const good = joined(turns, 0.2);
    good.size = 400;
    const bad = Array.from({ length: 100 }, () => joined(turns, 20));
    for (const session of bad) session.due = Number.POSITIVE_INFINITY;
    for (let request = 0; request < 5; request += 1) {
      good.due = 1;
      const before = good.reads;
      for (let turn = 0; good.reads === before; turn += 1) {
        assert.ok(turn < 3, `request ${request} waits`);
        // A garbage collection between the turn's first event and the read of the good session.
        turns.emitted(bad[0] as Session, () => {});
        if (good.isReading) clock.now += 60;
        readAll([good, ...bad], turns, clock);
        await nextTurn();
      }
    }
  });

  test("given dear sessions that go on joining, one with cheap reads is read in two of three turns", async () => {
    const clock = { now: 0 };
    const turns = new SessionTurns(() => clock.now);
    const good = joined(turns, 0.4);
    const all = [good];
    const join = () => {
      const session = joined(turns, 20);
      session.due = 1;
      all.push(session);
    };
    for (let count = 0; count < 50; count += 1) join();
    good.due = Number.POSITIVE_INFINITY;
    readAll(all, turns, clock);
    await nextTurn();
    const before = good.reads;
    for (let turn = 0; turn < 90; turn += 1) {
      if (turn % 2 === 0) join();
      readAll(all, turns, clock);
      await nextTurn();
    }
    assert.ok(good.reads - before >= 60, `${good.reads - before} of 90`);
  });

  test("given few and cheap reads, no session is stopped", async () => {
    const clock = { now: 0 };
    const turns = new SessionTurns(() => clock.now);
    const sessions = Array.from({ length: 20 }, () => joined(turns, 0.4));
    for (let turn = 0; turn < 10; turn += 1) {
      for (const session of sessions) session.due = 1;
      readAll(sessions, turns, clock);
      assert.ok(sessions.every(({ isReading }) => isReading));
      await nextTurn();
      clock.now += 1_000; // The loop sleeps.
    }
  });

  test("given a stopped session that Node starts again, stops it again; one that has left is not started", async () => {
    const clock = { now: 0 };
    const turns = new SessionTurns(() => clock.now);
    const [first, second, third] = [joined(turns, 30), joined(turns, 1), joined(turns, 1)];
    first.due = 1;
    readAll([first], turns, clock);
    assert.equal(
      [first, second, third].map(({ isReading }) => isReading),
      [false, false, false],
    );
    second.isReading = true;
    second.due = 1;
    readAll([second], turns, clock);
    assert.not(second.isReading);
    turns.leave(third);
    for (let turn = 0; turn < 4; turn += 1) await nextTurn();
    assert.equal(
      [first, second, third].map(({ isReading }) => isReading),
      [true, true, false],
    );
  });

  test("given sessions that read much without events, one reads between two looks, none between the next two", () => {
    const turns = new SessionTurns(() => 0);
    const [first, second, third, ...others] = Array.from({ length: 6 }, () => joined(turns, 0));
    assert.ok(first && second && third);
    const silent = [first, second, third];
    const [fed, quiet, uploading] = others;
    assert.ok(fed && quiet && uploading);
    for (const one of silent) one.bytesRead += 2 * READ;
    fed.bytesRead += 2 * READ;
    fed.bytesWritten += 16 * READ;
    quiet.bytesRead += READ;
    uploading.bytesRead += 8 * READ;
    for (let piece = 0; piece < 8; piece += 1) turns.emitted(uploading, () => {});
    const order: number[] = [];
    for (let look = 0; look < 12; look += 1) {
      assert.ok(turns.look());
      const reading = silent.filter(({ isReading }) => isReading);
      assert.is(reading.length, look % 2 === 0 ? 1 : 0);
      for (const one of reading) {
        one.bytesRead += READ;
        order.push(silent.indexOf(one));
      }
      assert.ok(others.every(({ isReading }) => isReading));
    }
    assert.equal(order, [0, 1, 2, 0, 1, 2]);
    for (const one of silent) turns.leave(one);
    turns.look();
    assert.not(turns.look(), "nothing was read");
  });

  test("given a session that reads a little at a time without events, for hours, lets it read", () => {
    const turns = new SessionTurns(() => 0);
    const session = joined(turns, 0);
    for (let look = 0; look < 5_000; look += 1) {
      session.bytesRead += 17;
      turns.look();
      assert.ok(session.isReading);
    }
  });

  test("given a silent session whose bytes are told by events again, lets it read", () => {
    const turns = new SessionTurns(() => 0);
    const session = joined(turns, 0);
    session.bytesRead = 3 * READ;
    for (let look = 0; look < 2; look += 1) turns.look();
    assert.not(session.isReading);
    for (let event = 0; event < 2; event += 1) turns.emitted(session, () => {});
    assert.not(session.isReading);
    turns.look();
    assert.ok(session.isReading);
  });

  test("given sessions whose sockets have read much, starts one at a time, and others at once", async () => {
    const turns = new SessionTurns(() => 0);
    const started: number[] = [];
    const turnOf = new Map<number, number>();
    let turn = 0;
    const all = new Promise<void>((resolve) => {
      for (let session = 0; session < 5; session += 1)
        turns.start(
          READ,
          () => {
            started.push(session);
            turnOf.set(turn, session);
            if (session === 4) resolve();
          },
          assert.unreachable,
        );
    });
    turns.start(500, () => started.push(-1), assert.unreachable);
    assert.equal(started, [0, -1]);
    let isDone = false;
    void all.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await nextTurn();
      turn += 1;
    }
    assert.equal(started, [0, -1, 1, 2, 3, 4]);
    assert.is(turnOf.size, 5, "each in a turn of its own");
  });

  test("given more sessions with much early input than may wait, refuses those with the most", async () => {
    const turns = new SessionTurns(() => 0);
    const [started, refused]: [number[], number[]] = [[], []];
    const last = new Promise<void>((resolve) => {
      for (let session = 0; session < 100; session += 1) {
        const early = session % 2 === 0 ? READ : READ / 4;
        const begin = () => {
          started.push(session);
          if (started.length + refused.length === 100) resolve();
        };
        turns.start(early, begin, () => void refused.push(session));
      }
    });
    await last;
    // One starts at once, and 30 wait.
    assert.is(started.length, 31);
    assert.ok(refused.filter((session) => session % 2 === 0).length >= 49, "the larger ones first");
  });

  test("given turns that are over at once, many clients' heads are read one session a turn, and all are answered", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x")));
      const authority = `127.0.0.1:${server.port}`;
      const head = fields([":method", "GET"], [":scheme", "http"], [":authority", authority], [":path", "/"]);
      const heads = [1, 3, 5].map((stream) => frame("headers", END_STREAM | END_HEADERS, stream, head));
      const peers = await Promise.all(Array.from({ length: 20 }, () => RawPeer.tunnel(proxy.port, authority)));
      for (const peer of peers) peer.send(GREETING);
      for (const peer of peers) await frameThat(peer, ({ type }) => type === TYPES.settings);
      const seen = new Set<number>();
      let [most, isDone] = [0, false];
      const emit = proxy.traffic.emit.bind(proxy.traffic);
      proxy.traffic.emit = (event) => {
        if (event.type === "request-started") seen.add(event.clientConnection ?? 0);
        emit(event);
      };
      const next = (): void => {
        most = Math.max(most, seen.size);
        seen.clear();
        if (!isDone) setImmediate(next);
      };
      Object.defineProperty(SESSION_TURNS, "isOver", { get: () => true, configurable: true });
      setImmediate(next);
      try {
        for (const peer of peers) peer.send(Buffer.concat(heads));
        for (const peer of peers) {
          for (const _ of heads)
            assert.ok(
              (await frameThat(peer, ({ flags, stream }) => stream > 0 && (flags & END_STREAM) !== 0)) !== null,
            );
        }
      } finally {
        isDone = true;
        proxy.traffic.emit = emit;
        Reflect.deleteProperty(SESSION_TURNS, "isOver");
      }
      assert.is(most, 1);
      for (const peer of peers) peer.close();
    }));
});
