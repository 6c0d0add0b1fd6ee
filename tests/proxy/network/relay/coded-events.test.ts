import { EventEmitter } from "node:events";
import * as assert from "uvu/assert";
import { CodedEvents } from "../../../../extensions/proxy/network/relay/coded-events.ts";
import type { Decoder } from "../../../../extensions/proxy/recording/decompression.ts";
import { describe } from "../../../support/describe.ts";

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
  test("given a decoder that falls behind, holds at most 1 MiB with the overhead of each piece, then gives up", () => {
    const decoder = new StuckDecoder();
    const events = new CodedEvents(
      () => decoder as unknown as Decoder,
      () => {},
    );
    events.feed(Buffer.from("ab"));
    for (let count = 0; count < 20_000; count += 1) events.feed(Buffer.from("a"));
    assert.ok(decoder.writes <= 1 + (1024 * 1024) / 257, `${decoder.writes} pieces wait`);
    assert.ok(decoder.isDestroyed);
    decoder.emit("close");
  });
});
