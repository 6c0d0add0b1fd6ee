import { readFileSync } from "node:fs";
import { setImmediate as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { freedMemoryReturner, IdleCollection } from "../../../extensions/proxy/process/idle-collection.ts";
import { describe } from "../../support/describe.ts";
import { times } from "../../support/scene.ts";

const MEBIBYTE = 1024 * 1024;

/** A thread whose figures the test sets, and the number of its collections. */
class Thread {
  share = 0;
  held = 0;
  collections = 0;
  /** What a collection leaves. */
  reachable = 0;
  readonly collection = new IdleCollection({
    busy: () => this.share,
    memory: () => this.held,
    collect: () => {
      this.collections += 1;
      this.held = this.reachable;
    },
  });
}

describe("idle garbage collection", (test) => {
  test("given a thread that has become idle with memory to free, frees it within two intervals", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 0, max: 20 }), (garbage, busy) => {
        const thread = new Thread();
        thread.share = 1;
        for (let count = 0; count < busy; count += 1) thread.collection.check();
        assert.is(thread.collections, 0);
        thread.share = 0;
        thread.held = garbage * MEBIBYTE;
        for (let count = 0; count < 2; count += 1) thread.collection.check();
        assert.is(thread.held, 0);
      }),
    );
  });

  test("given a thread that is never idle for two intervals, does not collect", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.11, max: 1, noNaN: true }), { maxLength: 20 }), (shares) => {
        const thread = new Thread();
        thread.held = 500 * MEBIBYTE;
        for (const share of shares) {
          thread.share = 0;
          thread.collection.check();
          thread.share = share;
          thread.collection.check();
        }
        assert.is(thread.collections, 0);
      }),
    );
  });

  test("given an idle thread whose memory is all in use, collects ever more rarely", () => {
    const thread = new Thread();
    thread.held = 400 * MEBIBYTE;
    thread.reachable = 400 * MEBIBYTE;
    for (let count = 0; count < 2 + 4 + 8 + 16 + 32; count += 1) thread.collection.check();
    assert.is(thread.collections, 5);
  });

  test("given memory that becomes free while the thread is idle, frees it and looks again soon", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), (before) => {
        const thread = new Thread();
        thread.held = 400 * MEBIBYTE;
        thread.reachable = 400 * MEBIBYTE;
        for (let count = 0; count < before; count += 1) thread.collection.check();
        thread.reachable = 0;
        for (let count = 0; count < 64; count += 1) thread.collection.check();
        assert.is(thread.held, 0);
      }),
    );
  });
});

const residentBytes = () => Number(readFileSync("/proc/self/statm", "utf8").split(" ")[1]) * 4_096;

describe("release of freed memory to the system", (test) => {
  const trim = freedMemoryReturner();
  const skip = trim === null ? "needs GNU's C library" : null;

  test(
    "given freed pieces between pieces in use, gives their memory back to the system",
    async () => {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
      // Pieces that other tests freed would be used again, and the memory would not grow.
      for (let turn = 0; turn < 5; turn += 1) {
        collect();
        await pause();
      }
      trim?.();
      const before = residentBytes();
      // Pieces below GNU's threshold for mappings of their own.
      const pieces = times(6_000).map(() => Buffer.alloc(60_000, 1));
      const kept = pieces.filter((_, index) => index % 60 === 59);
      const held = residentBytes() - before;
      assert.ok(held > 200 * MEBIBYTE, `${held} bytes`);
      pieces.length = 0;
      // V8 frees what a collection found on another thread, some turns later.
      let left = held;
      for (let turn = 0; turn < 200 && left >= held / 4; turn += 1) {
        collect();
        await pause();
        trim?.();
        left = residentBytes() - before;
      }
      assert.ok(left < held / 4, `${left} of ${held} bytes`);
      assert.is(kept.length, 100);
    },
    { skip, isLong: true },
  );
});
