import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BatchWriter } from "../../../extensions/proxy/event-codec/event-batch.ts";
import { BatchPacker, eventsByExchange, logOf, storedEvents } from "../../../extensions/proxy/storage/stored-batch.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { describe } from "../../support/describe.ts";
import { drawnBytes } from "../../support/drawn-bytes.ts";
import { rounds } from "../../support/rounds.ts";
import { answered, ended, exchange, idOf, message, piece, started } from "./story.ts";

function packed(events: readonly CaptureEvent[]) {
  const writer = new BatchWriter();
  for (const event of events) writer.add(event);
  return writer.finish();
}

const bodies = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), drawnBytes(0, 2_000)), {
  maxLength: 20,
});

describe("stored batch", (test) => {
  test("given bodies and messages, gives each its place in the batch's bytes", () => {
    fc.assert(
      fc.property(bodies, fc.boolean(), (drawn, asMessages) => {
        const events = drawn.map(([number, bytes]) => (asMessages ? message(number, bytes) : piece(number, bytes)));
        const batch = packed(events);
        const byExchange = eventsByExchange(storedEvents(logOf(batch), batch.bytes.length));
        for (const number of [1, 2, 3, 4]) {
          const places = (byExchange.get(idOf(number)) ?? []).flatMap((event) =>
            "bytes" in event
              ? [batch.bytes.subarray(event.bytes.byteOffset, event.bytes.byteOffset + event.bytes.length)]
              : [],
          );
          assert.equal(
            places.map((bytes) => [...bytes]),
            drawn.filter(([owner]) => owner === number).map(([, bytes]) => [...bytes]),
          );
        }
      }),
    );
  });

  test("given other events, returns them as they were", () => {
    const events = [...exchange(1), ...exchange(2)].filter(({ type }) => type !== "body-captured");
    const batch = packed(events);
    assert.equal(storedEvents(logOf(batch), 0), events);
  });

  test("given any changed byte of a log, refuses the log or reads what was written", () => {
    const events = [...exchange(1), ...exchange(2)].filter(({ type }) => type !== "body-captured");
    const log = logOf(packed(events));
    fc.assert(
      fc.property(fc.nat(log.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(log);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        let read: unknown = null;
        try {
          read = storedEvents(damaged, 0);
        } catch {
          return;
        }
        assert.equal(read, events);
      }),
    );
    assert.throws(() => storedEvents(log.subarray(0, log.length / 2), 0));
  });
});

const MIB = 1024 ** 2;

const heldBytes = (packer: BatchPacker) =>
  packer.waiting().reduce((sum, { bytes, log }) => sum + (bytes?.length ?? 0) + log.length, 0);

describe("queue of unstored events", (test) => {
  test("given exchanges, names for each batch the exchanges in it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const packer = new BatchPacker();
        for (const [number, size] of sizes.entries())
          for (const event of exchange(number + 1, Buffer.alloc(size))) packer.add(event);
        assert.is(packer.exchanges, sizes.length);
        for (const { log, size, parts } of packer.waiting())
          assert.equal([...parts.keys()], [...eventsByExchange(storedEvents(log, size)).keys()]);
        packer.clear();
        assert.ok(packer.isEmpty);
      }),
    );
  });

  test("given bodies in one piece, splits them over batches of less than 1 MiB, with all their bytes in order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 * MIB), { minLength: 1, maxLength: 3 }), (sizes) => {
        const packer = new BatchPacker();
        const bodies = sizes.map((size) => randomBytes(size));
        for (const number of bodies.keys()) packer.add(started(number + 1));
        for (const [number, body] of bodies.entries()) packer.add(piece(number + 1, body));
        const read = bodies.map((): Uint8Array[] => []);
        for (const { log, size, bytes, parts } of packer.waiting()) {
          assert.ok(size < MIB, `${size} bytes`);
          const byExchange = eventsByExchange(storedEvents(log, size, bytes));
          assert.equal([...parts.keys()], [...byExchange.keys()]);
          for (const [id, events] of byExchange)
            for (const event of events) if (event.type === "body-captured") read[id - 1]?.push(event.bytes);
        }
        for (const [number, body] of bodies.entries()) assert.ok(Buffer.concat(read[number] ?? []).equals(body));
      }),
      { numRuns: rounds(10) },
    );
  });

  test("given messages, says the index of the first in each batch", () => {
    const packer = new BatchPacker();
    packer.add(started(1));
    for (let number = 0; number < 2_500; number += 1) packer.add(message(1, Buffer.from("x")));
    const firsts = packer.waiting().map(({ parts }) => parts.get(idOf(1)));
    assert.equal(firsts, [0, 999, 1_999]);
  });

  test("given more bodies than may wait, drops the oldest and counts each body once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 34, max: 40 }), (count) => {
        const packer = new BatchPacker();
        for (let number = 1; number <= count; number += 1)
          for (const event of [started(number), piece(number, Buffer.alloc(MIB)), ended(number)]) packer.add(event);
        packer.waiting();
        packer.dropOldest();
        assert.ok(heldBytes(packer) <= 33 * MIB);
        assert.equal(packer.lost, { exchanges: 0, messages: 0, bodies: count - 32 });
      }),
      { numRuns: rounds(5) },
    );
  });

  test(
    "given more logs than may wait, drops the oldest exchanges, and stores starts of exchanges in flight again",
    () => {
      const packer = new BatchPacker();
      packer.add(started(1));
      const count = 1_600;
      for (let number = 2; number <= count; number += 1) {
        const head = `HTTP/1.1 200 OK\r\nx: ${randomBytes(22_000).toString("base64")}\r\n\r\n`;
        for (const event of [started(number), { ...answered(number), head }, ended(number)]) packer.add(event);
      }
      packer.waiting();
      packer.dropOldest();
      assert.ok(heldBytes(packer) <= 33 * MIB);
      const kept = packer
        .waiting()
        .flatMap(({ log, size }) =>
          storedEvents(log, size).flatMap((event) => (event.type === "request-started" ? [event.id] : [])),
        );
      assert.ok(kept.includes(idOf(1)));
      assert.is(packer.lost.exchanges, count - new Set(kept).size);
      packer.add(ended(1));
    },
    { isLong: true },
  );
});
