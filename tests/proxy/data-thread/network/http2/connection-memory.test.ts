import { once } from "node:events";
import { connect, createServer, type Http2Session, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  ConnectionMemory,
  connectionWindowFor,
  STREAM_WINDOW,
  STREAMS,
  streamWindowFor,
} from "../../../../../extensions/proxy/data-thread/network/http2/connection-memory.ts";
import { UnreadInput } from "../../../../../extensions/proxy/data-thread/network/http2/unread-input.ts";
import { UnreadStreamBudget } from "../../../../../extensions/proxy/data-thread/network/http2/unread-stream-budget.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";

const MIB = 1024 * 1024;

/**
 * A peer that sends as much as its windows allow (RFC 9113, 6.9). As nghttp2 does, refills the connection's window once
 * half of it was used, and never takes back what the peer may already send.
 */
class GreedyPeer {
  readonly memory: ConnectionMemory;
  /** For each open stream, how many bytes it has sent that nobody has read. */
  readonly streams: number[] = [];
  most = 0;
  sentSettings = 0;
  #now = 0;
  #window = STREAM_WINDOW;
  #settings: { readonly window: number; readonly acknowledged: () => void }[] = [];
  #connection = 65_535;
  /** Negative while the peer may still use a window that was larger. */
  #used = 0;
  #reduction = 0;
  #consumed = 0;

  constructor(budget = new UnreadStreamBudget()) {
    const session = {
      destroyed: false,
      closed: false,
      settings: ({ initialWindowSize = 0 }, acknowledged: () => void) => {
        this.sentSettings += 1;
        this.#settings.push({ window: initialWindowSize, acknowledged });
      },
      setLocalWindowSize: (window: number) => {
        const change = window - this.#connection;
        const absorbed = change < 0 ? change : Math.min(this.#reduction, change);
        this.#connection = window;
        this.#used += absorbed;
        this.#reduction -= absorbed;
      },
      destroy: () => {},
    };
    this.memory = new ConnectionMemory(session as unknown as Http2Session, () => this.#now as Instant, budget);
    this.memory.start();
  }

  /** How many bytes the connection's window still allows. */
  get credit(): number {
    return this.#connection - this.#used;
  }

  open(): void {
    if (this.streams.length >= STREAMS) return;
    this.streams.push(0);
    this.memory.opened();
  }

  close(at: number): void {
    const [unread] = this.streams.splice(at % Math.max(1, this.streams.length), 1);
    if (unread === undefined) return;
    this.memory.count(-unread);
    this.memory.closed();
  }

  acknowledge(): void {
    const next = this.#settings.shift();
    if (next === undefined) return;
    this.#window = next.window;
    next.acknowledged();
  }

  send(at: number): void {
    const stream = at % Math.max(1, this.streams.length);
    const unread = this.streams[stream];
    if (unread === undefined) return;
    const bytes = Math.min(this.#window - unread, this.credit);
    if (bytes <= 0) return;
    this.streams[stream] = unread + bytes;
    this.#used += bytes;
    this.#consumed += bytes;
    this.memory.received(bytes);
    this.memory.count(bytes);
    this.most = Math.max(this.most, this.memory.unread);
    const back = Math.min(this.#used, this.#consumed);
    if (back <= 0 || back < this.#connection / 2) return;
    this.#used -= back;
    this.#consumed -= back;
  }

  read(at: number): void {
    const stream = at % Math.max(1, this.streams.length);
    const unread = this.streams[stream];
    if (unread === undefined) return;
    this.streams[stream] = 0;
    this.memory.count(-unread);
  }

  wait(): void {
    this.#now += 1_000;
  }
}

const act = fc.record({
  kind: fc.constantFrom("open", "open", "send", "send", "send", "close", "acknowledge", "read", "wait"),
  at: fc.nat({ max: STREAMS }),
  times: fc.integer({ min: 1, max: STREAMS }),
});

describe("memory of an HTTP/2 connection", (test) => {
  test("given any number of streams, their windows together leave room for what is held, and the connection's is larger", () => {
    for (let streams = 1; streams <= STREAMS; streams += 1) {
      const window = streamWindowFor(streams);
      assert.ok(window >= STREAM_WINDOW);
      assert.ok(window <= streamWindowFor(Math.max(1, streams - 1)));
      assert.ok(streams * window <= 9 * MIB, `${streams} streams of ${window}`);
      assert.ok(connectionWindowFor(streams) >= 2 * streams * window);
    }
    assert.ok(streamWindowFor(1) > MIB);
    assert.is(streamWindowFor(STREAMS), STREAM_WINDOW);
  });

  test("given a peer that always sends what it may, whatever it opens, closes or acknowledges, 14 MiB stay unread", () =>
    fc.assert(
      fc.property(fc.array(act, { minLength: 20, maxLength: 120 }), (acts) => {
        const peer = new GreedyPeer();
        for (const { kind, at, times } of acts)
          for (let time = 0; time < (kind === "wait" ? 1 : times); time += 1) peer[kind](at + time);
        assert.ok(peer.most <= 14 * MIB, `${peer.most}`);
        assert.is(
          peer.memory.unread,
          peer.streams.reduce((sum, unread) => sum + unread, 0),
        );
      }),
    ));

  test("given a peer that opens all streams while the windows are raised, 14 MiB stay unread", () => {
    for (const [acknowledges, before, rounds] of [
      [true, 0, 4],
      [false, 0, 4],
      [false, STREAMS, 4],
      [false, STREAMS, 1],
    ] as const)
      for (let first = 1; first < STREAMS; first += 1) {
        const peer = new GreedyPeer();
        // The connection's window is larger after many streams.
        for (let stream = 0; stream < before; stream += 1) peer.open();
        while (peer.streams.length > first) peer.close(0);
        while (peer.streams.length < first) peer.open();
        for (let round = 0; round < rounds; round += 1) {
          for (let stream = 0; stream < first; stream += 1) {
            peer.wait();
            peer.send(stream);
            peer.read(stream);
          }
          peer.acknowledge();
        }
        while (peer.streams.length < STREAMS) peer.open();
        for (let round = 0; round < 4; round += 1) {
          for (let stream = 0; stream < STREAMS; stream += 1) peer.send(stream);
          if (acknowledges) peer.acknowledge();
        }
        assert.ok(peer.most <= 14 * MIB, `${peer.most} after ${first} streams`);
      }
  });

  test("given unread data on all streams but one, that one continues", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: STREAMS }), (count) => {
        const peer = new GreedyPeer();
        for (let stream = 0; stream < count; stream += 1) peer.open();
        for (let stream = 1; stream < count; stream += 1) peer.send(stream);
        let sent = 0;
        while (sent < 40 * MIB) {
          peer.send(0);
          const [bytes = 0] = peer.streams;
          assert.ok(bytes > 0, `stopped after ${sent} bytes beside ${count - 1} streams`);
          sent += bytes;
          peer.read(0);
        }
      }),
    ));

  test("given a peer that has used up the connection's window, it may send again once all was read", () =>
    fc.assert(
      fc.property(fc.integer({ min: 8, max: STREAMS }), (count) => {
        const budget = new UnreadStreamBudget(16 * MIB);
        budget.count({ unread: 9 * MIB, regulate: () => {}, overflow: () => {} }, 9 * MIB);
        const peer = new GreedyPeer(budget);
        for (let stream = 0; stream < count; stream += 1) peer.open();
        for (let stream = 0; peer.credit > 0; stream += 1) {
          if (peer.streams[stream % count] !== 0) peer.read(stream);
          peer.send(stream);
          assert.ok(stream < 100_000, "the window stays open");
        }
        for (let stream = 0; stream < count; stream += 1) peer.read(stream);
        assert.ok(peer.credit > 0);
        for (let stream = 0; stream < 10 * count; stream += 1) {
          peer.send(stream);
          peer.read(stream);
        }
        assert.ok(peer.credit >= connectionWindowFor(count) / 2, `${peer.credit}`);
      }),
    ));

  test("given a single body, raises the window once, and lowers it before more streams are counted", () => {
    const peer = new GreedyPeer();
    peer.open();
    for (let round = 0; round < 100; round += 1) {
      peer.send(0);
      peer.read(0);
      peer.acknowledge();
    }
    assert.is(peer.sentSettings, 1);
    assert.is(peer.memory.streamWindow, streamWindowFor(1));
    for (let stream = 1; stream < STREAMS; stream += 1) {
      peer.open();
      assert.ok(peer.memory.streamWindow <= streamWindowFor(stream + 1));
    }
    // Node ends a session with more than ten SETTINGS that the peer has not acknowledged.
    assert.ok(peer.sentSettings < 10);
  });

  test("given a spent budget, a real peer stops, and goes on once its bytes are read", async () => {
    const [count, size] = [8, MIB];
    const server = createServer({ settings: { initialWindowSize: 512 * 1024 } }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const sessions: ServerHttp2Session[] = [];
    const streams: ServerHttp2Stream[] = [];
    const budget = new UnreadStreamBudget(16 * MIB);
    const other = { unread: 15 * MIB, regulate: () => {}, overflow: () => {} };
    let memory: ConnectionMemory | null = null;
    const stopped = new Promise<void>((resolve) => {
      server.on("session", (session) => {
        sessions.push(session);
        session.on("error", () => {});
        const resize = session.setLocalWindowSize.bind(session);
        session.setLocalWindowSize = (window) => {
          resize(window);
          if (window === 0) resolve();
        };
        memory = new ConnectionMemory(session, () => 0 as Instant, budget);
        memory.start();
        session.on("stream", (stream) => {
          memory?.opened();
          if (memory !== null) new UnreadInput(stream, memory);
          streams.push(stream);
        });
      });
    });
    budget.count(other, other.unread);
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      const requests = Array.from({ length: count }, () => client.request({ ":method": "POST" }, { endStream: false }));
      for (const request of requests) request.on("error", () => {}).end(Buffer.alloc(size, 1));
      await stopped;
      budget.count({ ...other, unread: 0 }, -other.unread);
      const sizes = await Promise.all(
        Array.from({ length: count }, async (_, at) => {
          while (streams.length <= at) await once(sessions[0] as ServerHttp2Session, "stream");
          const stream = streams[at] as ServerHttp2Stream;
          let read = 0;
          stream.on("data", (bytes: Buffer) => {
            read += bytes.length;
          });
          await once(stream, "end");
          return read;
        }),
      );
      assert.equal(sizes, Array(count).fill(size));
      assert.is((memory as ConnectionMemory | null)?.unread, 0);
    } finally {
      client.destroy();
      for (const session of sessions) session.destroy();
      server.close();
    }
  });
});
