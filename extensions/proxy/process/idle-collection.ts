import type { Bytes, Milliseconds } from "../../../src/engine/model/units.ts";
import { freedMemoryReturner } from "./freed-memory.ts";

const INTERVAL: Milliseconds = 5_000;
/** The share of an interval up to which a thread counts as idle. */
const MOST_BUSY = 0.1;
/** Idle intervals before the first collection, and before the second. */
const FIRST_WAIT = 2;
/** Idle intervals between collections that free nothing. */
const LONGEST_WAIT = 64;
/** A collection that frees less has freed nothing. */
const LEAST_FREED: Bytes = 4 * 1024 * 1024;

/** The calling thread's figures. */
export interface ThreadMeter {
  /** The share of the time since the last call in which the thread ran, 0 to 1. */
  readonly busy: () => number;
  /** V8's heap and what it holds outside of it. */
  readonly memory: () => Bytes;
  /** Frees unreachable objects, and gives free memory back. Stops the thread for some 20 to 50 ms. */
  readonly collect: () => void;
}

/**
 * Frees an idle thread's memory. V8 collects only while a program allocates, so that after a flood of requests, or
 * after Clear, memory would stay for as long as little happens.
 */
export class IdleCollection {
  readonly #meter: ThreadMeter;
  #wait = FIRST_WAIT;
  #idle = 0;

  constructor(meter: ThreadMeter) {
    this.#meter = meter;
  }

  /** Ends an interval. Collects while the thread is idle, and ever more rarely if nothing is freed. */
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

/** Checks the calling thread until it ends. Does nothing where Node was started without `--expose-gc`. */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const trim = freedMemoryReturner();
  let last = { time: performance.now(), used: process.threadCpuUsage() };
  const collection = new IdleCollection({
    busy: () => {
      const now = { time: performance.now(), used: process.threadCpuUsage() };
      const used = now.used.user + now.used.system - last.used.user - last.used.system;
      const share = used / 1_000 / (now.time - last.time);
      last = now;
      return share;
    },
    memory: () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    collect: () => {
      gc();
      trim?.();
    },
  });
  setInterval(() => collection.check(), INTERVAL).unref();
}
