import type { CaptureEvent } from "../../../src/engine/capture/event.ts";

/**
 * Events on their way between the threads, packed: a structured clone of the objects themselves writes and reads the name
 * of every property of every event, and costs three times as much on either side.
 */
export interface Batch {
  /** Of every event its kind and its figures, in order; NaN = `null`. */
  readonly figures: Float64Array<SharedArrayBuffer>;
  /** The short texts that many events share, each once; figures say which. */
  readonly words: readonly string[];
  /** Heads, targets, bodies and messages, one after the other; figures say how long. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Events of rare kinds, as they are. */
  readonly others: readonly CaptureEvent[];
}

/* What an event is packed as: the first of its figures. What follows stands in batch-writer.ts and, alike, in batch-reader.ts. */
export const OTHER = 0;
export const STARTED = 1;
export const ANSWERED = 2;
export const BODY = 3;
export const MESSAGE = 4;
export const ENDED = 5;
