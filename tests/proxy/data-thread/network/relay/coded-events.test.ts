import { EventEmitter } from "node:events";
import * as assert from "uvu/assert";
import { CodedEvents } from "../../../../../extensions/proxy/data-thread/network/relay/coded-events.ts";
import { MessageMemory } from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import type { Decoder } from "../../../../../extensions/proxy/decoding/decompression.ts";
import { describe } from "../../../../support/describe.ts";
import { inShortSlices } from "../../../../support/short-slices.ts";

/** A decoder that never finishes what it was given. */
class StuckDecoder extends EventEmitter {
  writes = 0;
  isDestroyed = false;

  write(): boolean {
    this.writes += 1;
    return true;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

describe("coded events", (test) => {
  test("given 32 streams that are decoded, decodes a further one only once one of them has ended", () => {
    const decoders: StuckDecoder[] = [];
    const begin = () => {
      const coding = () => {
        const decoder = new StuckDecoder();
        decoders.push(decoder);
        return decoder as unknown as Decoder;
      };
      new CodedEvents(coding, new MessageMemory(), () => {}).feed(Buffer.from("ab"));
    };
    for (let count = 0; count < 40; count += 1) begin();
    assert.is(decoders.length, 32);
    decoders[0]?.emit("close");
    for (let count = 0; count < 40; count += 1) begin();
    assert.is(decoders.length, 33);
    for (const decoder of decoders.slice(1)) decoder.emit("close");
  });

  test("given a decoder that falls behind, holds at most 1 MiB with the overhead of each piece, then gives up", () => {
    const decoder = new StuckDecoder();
    const events = new CodedEvents(
      () => decoder as unknown as Decoder,
      new MessageMemory(),
      () => {},
    );
    events.feed(Buffer.from("ab"));
    for (let count = 0; count < 20_000; count += 1) events.feed(Buffer.from("a"));
    assert.ok(decoder.writes <= 1 + (1024 * 1024) / 257, `${decoder.writes} pieces wait`);
    assert.ok(decoder.isDestroyed);
    decoder.emit("close");
  });

  test("given many events in one decoded part, the decoder is paused until all are split in slices", async () => {
    class PausableDecoder extends StuckDecoder {
      pauses = 0;
      isPaused = false;

      pause(): void {
        this.pauses += 1;
        this.isPaused = true;
      }

      resume(): void {
        this.isPaused = false;
      }
    }
    const decoder = new PausableDecoder();
    let emitted = 0;
    let whenAll = () => {};
    const all = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const events = new CodedEvents(
      () => decoder as unknown as Decoder,
      new MessageMemory(),
      () => {
        emitted += 1;
        if (emitted === 2_000) whenAll();
      },
    );
    await inShortSlices(async () => {
      events.feed(Buffer.alloc(14_000));
      decoder.emit("data", Buffer.from("data:\n\n".repeat(2_000)));
      assert.ok(emitted <= 512 && decoder.isPaused, `${emitted} events in the first slice`);
      await all;
    });
    assert.ok(decoder.pauses >= 14_000 / 1_024, `${decoder.pauses} pauses`);
    assert.not.ok(decoder.isPaused);
    decoder.emit("close");
  });
});
