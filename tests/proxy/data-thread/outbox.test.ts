import { mock } from "node:test";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LoopLateness, Outbox, TICK_INTERVAL } from "../../../extensions/proxy/data-thread/outbox.ts";
import { type Batch, BUFFER_BYTES, eventsOf } from "../../../extensions/proxy/event-codec/event-batch.ts";
import type { ToWorker } from "../../../extensions/proxy/threads.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Pause } from "../../../src/engine/messages/status-messages.ts";
import { type Instants, startedAt } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { eventsOf as eventsOfExchange } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const MEGABYTE = 1024 * 1024;

function outbox(inScope: (host: string) => boolean = () => true, uncertainty = 0) {
  const posted: CaptureEvent[] = [];
  const batches: Batch[] = [];
  const pauses: (Pause | null)[] = [];
  let posts = 0;
  const box = new Outbox({
    post: (message: ToWorker) => {
      posts += 1;
      if (message.type === "pause") pauses.push(message.pause);
      if (message.type !== "batch") return;
      batches.push(message.batch);
      posted.push(...eventsOf(message.batch));
    },
    now: () => 1 as Instant,
    inScope,
    lateness: { exchangeStarted: () => {}, exchangeEnded: () => uncertainty },
  });
  box.resume(0);
  return { box, posted, batches, pauses, posts: () => posts };
}

function body(bytes: Uint8Array): CaptureEvent {
  return { type: "body-captured", id: 1 as ExchangeId, side: "response", bytes };
}

describe("outbox", (test) => {
  test("given several events, posts them in the order of their arrival", () => {
    const { box, posted } = outbox();
    for (let size = 0; size < 10; size += 1) box.emit(body(new Uint8Array(size)));
    box.flush();
    assert.equal(
      posted.map((event) => (event.type === "body-captured" ? event.bytes.length : null)),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  test("given a measured lateness of the event loop, adds it to the exchange's end", () => {
    const ends = (uncertainty: number) => {
      const { box, posted } = outbox(() => true, uncertainty);
      for (const event of eventsOfExchange(exchange({ end: 9 }))) box.emit(event);
      box.flush();
      return posted.flatMap((event) => (event.type === "exchange-ended" ? [event.uncertainty] : []));
    };
    assert.equal([ends(0), ends(12)], [[0], [12]]);
  });

  test("given a body whose buffer is overwritten later, posts the bytes as they came", () => {
    const { box, posted } = outbox();
    const buffer = Buffer.from("abcdef");
    box.emit(body(buffer.subarray(1, 3)));
    buffer.fill("x");
    box.flush();
    const [event] = posted;
    assert.is(event?.type === "body-captured" && Buffer.from(event.bytes).toString(), "bc");
  });

  test("given 2,000 events, posts a batch without waiting for the timer", () => {
    const { box, posts } = outbox();
    for (let count = 0; count < 2_000; count += 1) box.emit(body(new Uint8Array(0)));
    assert.is(posts(), 1);
  });

  test("given bodies in pieces of 64 KiB, posts each batch before it outgrows its buffer", () => {
    const { box, batches } = outbox();
    for (let count = 0; count < 100; count += 1) box.emit(body(new Uint8Array(64 * 1024)));
    box.flush();
    assert.ok(batches.length > 10, `${batches.length} batches`);
    for (const { bytes } of batches) assert.ok(bytes.length <= BUFFER_BYTES);
  });

  test("given a few events, posts them after 20 ms, each time anew", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { box, posts } = outbox();
      for (const round of [1, 2, 3]) {
        box.emit(body(new Uint8Array(1)));
        mock.timers.tick(19);
        assert.is(posts(), round - 1);
        mock.timers.tick(1);
        assert.is(posts(), round);
      }
    } finally {
      mock.timers.reset();
    }
  });

  test("given a pause of recording or a host out of scope, wants no events", () => {
    const { box } = outbox((host) => host !== "out.test");
    assert.ok(box.wanted("in.test"));
    assert.not(box.wanted("out.test"));
    box.recording = false;
    assert.not(box.wanted("in.test"));
  });

  test("given requests while recording is paused, posts the number of those in scope, and again from 0", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      fc.assert(
        fc.property(fc.array(fc.constantFrom("in.test", "out.test", "post"), { maxLength: 40 }), (steps) => {
          const { box, pauses } = outbox((host) => host !== "out.test");
          box.wanted("in.test");
          for (const _ of [1, 2]) {
            box.recording = false;
            assert.equal(pauses.at(-1), { since: 1, passed: 0 });
            for (const step of steps) {
              if (step === "post") mock.timers.tick(250);
              else assert.not(box.wanted(step));
            }
            mock.timers.tick(250);
            assert.equal(pauses.at(-1), { since: 1, passed: steps.filter((step) => step === "in.test").length });
            box.recording = true;
            assert.is(pauses.at(-1), null);
            assert.ok(box.wanted("in.test"));
          }
          const before = pauses.length;
          mock.timers.tick(1_000);
          assert.is(pauses.length, before);
        }),
      );
    } finally {
      mock.timers.reset();
    }
  });

  test(
    "given an engine that falls behind, drops bodies first, then exchanges, and reports the count of those",
    () => {
      const { box, posted } = outbox();
      const piece = new Uint8Array(MEGABYTE);
      for (let count = 0; count < 80; count += 1) box.emit(body(piece));
      box.flush();
      assert.ok(posted.length > 60 && posted.length < 70, `${posted.length} pieces of 1 MB were kept`);
      assert.ok(box.wanted("a.test"), "exchanges are still wanted");

      const head = "x".repeat(64_000);
      while (box.wanted("a.test")) {
        box.emit({ type: "response-started", id: 1 as ExchangeId, at: 1 as Instant, status: 200, head });
      }
      assert.not(box.wanted("a.test"));
      box.flush();
      assert.equal(posted.at(-1), { type: "events-dropped", at: 1, count: 2 });
    },
    { isLong: true },
  );

  test(
    "given heads alone, fills the same limit as bodies and reports dropped exchanges in an event of its own",
    () => {
      mock.timers.enable({ apis: ["setTimeout"] });
      try {
        const { box, posted } = outbox();
        const head = "x".repeat(64_000);
        while (box.wanted("a.test")) {
          box.emit({ type: "response-started", id: 1 as ExchangeId, at: 1 as Instant, status: 200, head });
        }
        mock.timers.tick(20);
        const held = posted.splice(0).length * head.length;
        assert.ok(held > 120 * MEGABYTE && held < 130 * MEGABYTE, `${held} bytes of heads`);
        assert.not(box.wanted("a.test"));
        mock.timers.tick(20);
        assert.equal(posted, [{ type: "events-dropped", at: 1, count: 1 }]);
      } finally {
        mock.timers.reset();
      }
    },
    { isLong: true },
  );

  test(
    "given messages without room, keeps their sizes, then only counts them",
    () => {
      const { box, posted } = outbox();
      const large = new Uint8Array(MEGABYTE);
      const message = { type: "message-captured", id: 1 as ExchangeId, at: 1 as Instant, side: "request" } as const;
      let sent = 0;
      const send = (bytes: Uint8Array): void => {
        box.emit({ ...message, kind: "binary", size: bytes.length, bytes, cut: false });
        sent += 1;
      };
      for (let count = 0; count < 80; count += 1) send(large);
      send(new Uint8Array(0));
      box.flush();
      assert.is(posted.length, sent);
      const seen = posted.flatMap((event) => (event.type === "message-captured" ? [event] : []));
      assert.equal(
        [seen[0], seen[79], seen[80]].map((one) => [one?.size, one?.bytes.length, one?.cut]),
        [
          [MEGABYTE, MEGABYTE, false],
          [MEGABYTE, 0, true],
          [0, 0, false],
        ],
      );
      while (box.wanted("a.test")) send(large);
      box.flush();
      const told = posted.length;
      for (let count = 0; count < 5; count += 1) send(large);
      box.flush();
      assert.equal(posted.slice(told), [{ type: "events-dropped", at: 1, count: 5 }]);
    },
    { isLong: true },
  );

  test("given a dropped piece of a body, drops the rest of that body too", () => {
    const { box, posted } = outbox();
    const other = {
      type: "body-captured",
      id: 2 as ExchangeId,
      side: "response",
      bytes: new Uint8Array(MEGABYTE),
    } as const;
    box.emit(body(Buffer.from("first")));
    for (let count = 0; count < 80; count += 1) box.emit(other);
    box.emit(body(Buffer.from("second")));
    box.flush();
    box.acknowledge(posted.length, 0);
    posted.length = 0;
    box.emit(body(Buffer.from("third")));
    box.emit({ ...other, id: 3 as ExchangeId });
    box.flush();
    assert.equal(
      posted.map((event) => "id" in event && event.id),
      [3],
    );
  });

  test("given an engine that has caught up, keeps body bytes again", () => {
    const { box, posted } = outbox();
    const piece = new Uint8Array(MEGABYTE);
    for (let count = 0; count < 80; count += 1) box.emit(body(piece));
    box.flush();
    const refused = posted.length;
    box.emit(body(piece));
    box.flush();
    assert.is(posted.length, refused);
    box.acknowledge(refused, 0);
    const before = posted.length;
    box.emit({ type: "body-captured", id: 2 as ExchangeId, side: "response", bytes: piece });
    box.flush();
    assert.is(posted.length, before + 1);
  });

  test("given batches that are not on disk, hands them over again unchanged to the next engine", () => {
    const { box, posted } = outbox();
    const tell = (text: string) => {
      box.emit(body(Buffer.from(text)));
      box.flush();
    };
    const heard = () => posted.splice(0).map((event) => "bytes" in event && String(Buffer.from(event.bytes)));
    tell("one");
    tell("two");
    assert.equal(heard(), ["one", "two"]);
    box.acknowledge(2, 1);
    tell("three");
    tell("four");
    assert.equal(heard(), ["three", "four"]);
    box.suspend();
    box.resume(1);
    assert.equal(heard(), ["two", "three", "four"]);
  });

  test("given a next engine, hands over again exactly the batches that are not on disk", () => {
    const { box, posted } = outbox();
    const tell = (...sizes: number[]) => {
      for (const size of sizes) box.emit(body(new Uint8Array(size)));
      box.flush();
    };
    tell(1);
    tell(2, 3);
    box.acknowledge(2, 1);
    tell(4);
    box.suspend();
    tell(5);
    assert.equal(sizesOf(posted), [1, 2, 3, 4], "while there is no engine, nothing is handed over");
    posted.length = 0;
    // The engine had written more than it could acknowledge before it failed.
    box.resume(2);
    assert.equal(sizesOf(posted), [4, 5]);
    posted.length = 0;
    box.suspend();
    box.resume(4);
    assert.equal(sizesOf(posted), []);
  });

  test(
    "given batches handed over again, counts them as in flight only until the next engine has acknowledged them",
    () => {
      const { box, posted } = outbox();
      const tell = (to: Outbox, pieces: number) => {
        for (let count = 0; count < pieces; count += 1) to.emit(body(new Uint8Array(MEGABYTE)));
        to.flush();
      };
      tell(box, 40);
      box.acknowledge(40, 10);
      box.emit(body(new Uint8Array(1)));
      box.flush();
      box.suspend();
      box.resume(10);
      box.acknowledge(41, 10);
      posted.length = 0;
      tell(box, 80);
      const fresh = outbox();
      tell(fresh.box, 80);
      assert.is(posted.length, fresh.posted.length, "as much as has room in a new one");
    },
    { isLong: true },
  );

  test("given batches that are on disk, does not hand them over again, even to an engine that has read none", () => {
    const { box, posted } = outbox();
    for (const size of [1, 2]) {
      box.emit(body(new Uint8Array(size)));
      box.flush();
    }
    box.acknowledge(2, 2);
    posted.length = 0;
    box.suspend();
    box.resume(0);
    assert.equal(sizesOf(posted), []);
  });

  test(
    "given a disk that cannot be written, keeps a bounded number of batches for the next engine",
    () => {
      const { box, posted } = outbox();
      const piece = new Uint8Array(MEGABYTE);
      for (let count = 1; count <= 300; count += 1) {
        box.emit(body(piece));
        box.flush();
        box.acknowledge(posted.length, 0);
      }
      assert.is(posted.length, 300, "nothing is left out for that");
      posted.length = 0;
      box.suspend();
      box.resume(0);
      assert.ok(posted.length > 100 && posted.length < 140, `${posted.length} pieces of 1 MB`);
    },
    { isLong: true },
  );
});

function sizesOf(events: readonly CaptureEvent[]): readonly (number | null)[] {
  return events.map((event) => (event.type === "body-captured" ? event.bytes.length : null));
}

describe("event loop lateness", (test) => {
  test("given a loop on time, no exchange is uncertain", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      for (let now = TICK_INTERVAL; now <= 40; now += TICK_INTERVAL) loop.tickAt(now);
      assert.is(loop.end(1, 41), 0);
    });
  });

  test("given a stall, what was read in it or right after is uncertain by up to its length, from 5 ms on", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 400 }), fc.integer({ min: 0, max: 100 }), (stall, before) => {
        withLoop((loop) => {
          loop.start(1, 0);
          for (let ticks = 1; ticks <= before; ticks += 1) loop.tickAt(ticks * TICK_INTERVAL);
          const late = before * TICK_INTERVAL + stall;
          loop.tickAt(late);
          const wanted = stall - TICK_INTERVAL < 5 ? 0 : stall;
          assert.is(loop.end(1, late + 1, { responseStart: (late + 0.5) as Instant }), wanted);
        });
      }),
    );
  });

  test("given a stall while an exchange waited, with none of its times in it, it is certain", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      loop.tickAt(5);
      loop.tickAt(10);
      loop.tickAt(70);
      for (let now = 75; now <= 100; now += TICK_INTERVAL) loop.tickAt(now);
      assert.is(loop.end(1, 101), 0);
    });
  });

  test("given a stall that no tick has noticed yet, what ends in it is uncertain by up to the time since the last one", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      loop.tickAt(5);
      assert.is(loop.end(1, 45.5), 41);
    });
  });

  test("given no exchange in flight, the loop is not measured, and idle time is no lateness", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      assert.is(loop.end(1, 1), 0);
      loop.start(2, 5_000);
      assert.is(loop.end(2, 5_001), 0);
    });
  });

  test("given more late moments than are kept, the latest count", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      for (let round = 1; round <= 200; round += 1) loop.tickAt(round * 15);
      assert.is(loop.end(1, 3_001), 15);
    });
  });
});

/** An event loop with a clock that the test sets. */
function withLoop(
  body: (loop: {
    start(id: number, at: number): void;
    tickAt(at: number): void;
    end(id: number, at: number, instants?: Partial<Instants>): number;
  }) => void,
): void {
  let now = 0;
  const starts = new Map<number, Instant>();
  const lateness = new LoopLateness(() => now as Instant);
  try {
    body({
      start: (id, at) => {
        now = at;
        starts.set(id, at as Instant);
        lateness.exchangeStarted(id as ExchangeId, []);
      },
      tickAt: (at) => {
        now = at;
        lateness.tick();
      },
      end: (id, at, instants = {}) => {
        now = at;
        const started = startedAt(starts.get(id) ?? (0 as Instant), null);
        return lateness.exchangeEnded({
          id: id as ExchangeId,
          at: at as Instant,
          instants: { ...started, ...instants },
        });
      },
    });
  } finally {
    lateness.stop();
  }
}
