import type { Bytes, Milliseconds } from "../../../src/engine/model/units.ts";

const INTERVAL: Milliseconds = 5_000;
/** The share of an interval up to which a thread or process counts as idle. */
const MOST_BUSY = 0.1;
/** Idle intervals before the first collection, and before the second. */
const FIRST_WAIT = 2;
/** Idle intervals between collections that free nothing. */
const LONGEST_WAIT = 64;
/** A collection that frees less has freed nothing. */
const LEAST_FREED: Bytes = 4 * 1024 * 1024;

/** The figures of a thread, or of the process. */
export interface Meter {
  /** The processor time since the last call, as a share of the time: of a thread 0 to 1. */
  readonly busy: () => number;
  readonly memory: () => Bytes;
  /** Frees memory. Stops the thread for some 20 to 50 ms. */
  readonly collect: () => void;
}

/**
 * Frees the memory of an idle thread or process. V8 collects only while a program allocates, so that after a flood of
 * requests, or after Clear, memory would stay for as long as little happens.
 */
export class IdleCollection {
  readonly #meter: Meter;
  #wait = FIRST_WAIT;
  #idle = 0;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** Ends an interval. Collects while little runs, and ever more rarely if nothing is freed. */
  check(): void {
    const { busy, memory, collect } = this.#meter;
    if (busy() > MOST_BUSY) {
      this.#idle = 0;
      this.#wait = FIRST_WAIT;
      return;
    }
    this.#idle += 1;
    if (this.#idle < this.#wait) return;
    const before = memory();
    collect();
    this.#idle = 0;
    this.#wait = before - memory() < LEAST_FREED ? Math.min(2 * this.#wait, LONGEST_WAIT) : FIRST_WAIT;
  }
}

/** Frees unreachable objects of the calling thread while it is idle. Does nothing without Node's `--expose-gc`. */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  checkAlways({
    busy: shareOf(() => process.threadCpuUsage()),
    memory: () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    collect: gc,
  });
}

/**
 * Gives freed memory back to the system while the whole process is idle. malloc_trim(3) holds GNU's locks of allocation
 * meanwhile: beside a flood, one call of an idle thread has stopped a busy one for 1.7 s. Does nothing without Weir's
 * flags for Node, which would warn of `node:ffi`.
 */
export function trimWhenIdle(): void {
  const trim = globalThis.gc === undefined ? null : freedMemoryReturner();
  if (trim === null) return;
  checkAlways({ busy: shareOf(() => process.cpuUsage()), memory: () => process.memoryUsage.rss(), collect: trim });
}

function checkAlways(meter: Meter): void {
  const collection = new IdleCollection(meter);
  setInterval(() => collection.check(), INTERVAL).unref();
}

/** `usage`: microseconds. */
function shareOf(usage: () => NodeJS.CpuUsage): () => number {
  let last = { time: performance.now(), used: usage() };
  return () => {
    const now = { time: performance.now(), used: usage() };
    const used = now.used.user + now.used.system - last.used.user - last.used.system;
    const share = used / 1_000 / (now.time - last.time);
    last = now;
    return share;
  };
}

/**
 * Returns what gives freed memory back to the system, wherever it lies: mallopt(3)'s M_TRIM_THRESHOLD does so only for
 * the end of the heap, where one object in use keeps all below it. `null` without GNU's C library (malloc_trim(3)) or
 * without Node's `node:ffi`.
 */
export function freedMemoryReturner(): (() => void) | null {
  if (process.platform !== "linux") return null;
  try {
    const ffi = process.getBuiltinModule("node:ffi");
    const { functions } = ffi.dlopen(null, { malloc_trim: { arguments: ["u64"], return: "i32" } });
    return () => void functions.malloc_trim(0n);
  } catch {
    return null;
  }
}
