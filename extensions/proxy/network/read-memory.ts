import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Bytes } from "../../../src/engine/model/units.ts";

/** Our choice, measured: a young collection takes about a millisecond, and with fewer bytes read there is less to gain. */
const COLLECTED_EVERY: Bytes = 4 * 1024 * 1024;
/**
 * Our choice: smaller reads are given memory of their size, and are many in ordinary traffic. A little less than a TLS record
 * of 16 KiB, since what HTTP/2 gives of one lacks the heads of its frames.
 */
const LARGE_READ: Bytes = 15 * 1024;

type Collect = (options: { readonly type: "minor" }) => void;

/**
 * Gives the memory of large reads back in time. Each is a new 64 KB outside V8's heap, which sees little reason to collect
 * before some 64 MB of them are dead: a long body then costs that much, and the allocator never sees the same page twice.
 */
export class ReadMemory {
  readonly #collect: Collect;
  #read: Bytes = 0;

  constructor() {
    setFlagsFromString("--expose-gc");
    this.#collect = runInNewContext("gc") as Collect;
  }

  read(size: Bytes): void {
    if (size < LARGE_READ) return;
    this.#read += size;
    if (this.#read < COLLECTED_EVERY) return;
    this.#read = 0;
    this.#collect({ type: "minor" });
  }
}
