import { getHeapStatistics, setFlagsFromString } from "node:v8";
import type { Bytes } from "../../src/engine/model/units.ts";

/**
 * Our choice: V8 collects all of the engine's heap once it has grown by so much. By itself it does so at a tenth, which under
 * load is once a second for a small heap, and costs 1 µs an exchange; a share of a large one, that of a million endpoints, would
 * be hundreds of megabytes that nobody needs (docs/measurements.md).
 */
const GROWTH: Bytes = 64 * 1024 * 1024;
/** Our choice, percent. */
const LEAST = 10;
const MOST = 200;

/** How much V8 lets its heaps grow between two collections: a setting for the whole process, by the size of the engine's heap. */
export class HeapGrowth {
  readonly #set: (flags: string) => void;
  #percent = 0;

  constructor(set = setFlagsFromString) {
    this.#set = set;
  }

  /** `used`: by this thread's heap. */
  adapt(used: Bytes = getHeapStatistics().used_heap_size): void {
    const percent = Math.round(Math.min(MOST, Math.max(LEAST, (100 * GROWTH) / used)));
    if (percent === this.#percent) return;
    this.#percent = percent;
    this.#set(`--heap-growing-percent=${percent}`);
  }
}
