import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BatchWriter } from "../../../extensions/proxy/log/packing.ts";
import { checksumOf, logOf, storedLog } from "../../../extensions/proxy/storage/stored-batch.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { describe } from "../../support/describe.ts";
import { drawnBytes } from "../../support/drawn-bytes.ts";
import { exchange, idOf, message, piece } from "./story.ts";

function packed(events: readonly CaptureEvent[]) {
  const writer = new BatchWriter();
  for (const event of events) writer.add(event);
  return writer.finish();
}

const bodies = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), drawnBytes(0, 2_000)), {
  maxLength: 20,
});

describe("a stored batch", (test) => {
  test("given bodies and messages, gives each its place in the batch's bytes", () => {
    fc.assert(
      fc.property(bodies, fc.boolean(), (drawn, asMessages) => {
        const events = drawn.map(([number, bytes]) => (asMessages ? message(number, bytes) : piece(number, bytes)));
        const batch = packed(events);
        const { byExchange } = storedLog(logOf(batch), batch.bytes.length);
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
    assert.equal(storedLog(logOf(batch), 0).events, events);
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
          read = storedLog(damaged, 0).events;
        } catch {
          return;
        }
        assert.equal(read, events);
      }),
    );
    assert.throws(() => storedLog(log.subarray(0, log.length / 2), 0));
    assert.is.not(checksumOf(Buffer.from("one")), checksumOf(Buffer.from("two")));
  });
});
