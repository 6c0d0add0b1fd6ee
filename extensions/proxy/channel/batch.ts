import type { CaptureEvent } from "../../../src/engine/capture/event.ts";

/**
 * Packed events for the other thread. A structured clone of the events writes and reads every property name of each,
 * and costs three times as much; docs/decisions.md, The engine thread.
 */
export interface Batch {
  /** Kind and figures of every event, in order; NaN = `null`. */
  readonly figures: Float64Array<ArrayBuffer>;
  /** Short texts shared by many events, each once; figures index them. */
  readonly words: readonly string[];
  /** Heads, targets, bodies and messages, concatenated; figures contain the lengths. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Events of rare kinds, unpacked. */
  readonly others: readonly CaptureEvent[];
}

/*
 * The kind of a packed event, its first figure. batch-writer.ts and batch-reader.ts define the figures that follow,
 * alike.
 */
export const OTHER = 0;
export const STARTED = 1;
export const ANSWERED = 2;
export const BODY = 3;
export const MESSAGE = 4;
export const ENDED = 5;
