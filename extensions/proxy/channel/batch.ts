import type { CaptureEvent } from "../../../src/engine/capture/event.ts";

/**
 * Packed events for the other thread. Cloning the events would cost three times as much, because the property names of
 * each event are written and read (docs/decisions.md, The engine thread).
 */
export interface Batch {
  /** The kind of each event and its figures, in order; NaN stands for `null`. */
  readonly figures: Float64Array<ArrayBuffer>;
  /** Short texts that many events share, each stored once; figures hold their indexes. */
  readonly words: readonly string[];
  /** Heads, targets, bodies and messages, one after the other; figures hold their lengths. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Events of rare kinds, not packed. */
  readonly others: readonly CaptureEvent[];
}

/* The kind of a packed event is its first figure. batch-writer.ts and batch-reader.ts agree on the figures after it. */
export const OTHER = 0;
export const STARTED = 1;
export const ANSWERED = 2;
export const BODY = 3;
export const MESSAGE = 4;
export const ENDED = 5;
