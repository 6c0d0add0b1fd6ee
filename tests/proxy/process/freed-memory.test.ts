import { readFileSync } from "node:fs";
import { setImmediate as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { freedMemoryReturner } from "../../../extensions/proxy/process/freed-memory.ts";
import { describe } from "../../support/describe.ts";
import { times } from "../../support/scene.ts";

const MEBIBYTE = 1024 * 1024;

const residentBytes = () => Number(readFileSync("/proc/self/statm", "utf8").split(" ")[1]) * 4_096;

describe("the return of freed memory", (test) => {
  const trim = freedMemoryReturner();
  const skip = trim === null ? "needs GNU's C library" : null;

  test(
    "given freed pieces between pieces in use, gives their memory back to the system",
    async () => {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
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
