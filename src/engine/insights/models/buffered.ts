import type { Instant, Milliseconds } from "../../model/units.ts";

/** A pause between two tokens. */
export interface Pause {
  readonly start: Instant;
  readonly end: Instant;
}

export interface Buffered {
  /** How long the server generated, by its own figures; `null` if it does not say. */
  readonly generation: Milliseconds | null;
}

/** Fewer events may come together because they are one packet. */
const LEAST_EVENTS = 10;

/** By the server's figures: it generated for at least this long, and the tokens came in at most this share of that. */
const LEAST_GENERATION: Milliseconds = 500;
const BURST_OF_GENERATION = 0.2;

/** Without such figures: the first token took this long, and the rest came in this share of that, faster than any model. */
const LEAST_WAIT: Milliseconds = 1_000;
const BURST_OF_WAIT = 0.1;
const LEAST_TOKENS = 50;
/** Tokens per second that no model reaches. */
export const FASTEST_PER_SECOND = 5_000;

interface Answer {
  readonly start: Instant;
  /** When the first and the last event with generated content arrived. */
  readonly tokens: Pause;
  readonly events: number;
  /** The tokens that the client received; `null` if they are not counted. */
  readonly visible: number | null;
  /** How long the server generated, by its own figures; `null` if it does not say. */
  readonly generation: Milliseconds | null;
}

/** Whether something between buffered the answer: its events came in one burst, faster than the server made them. */
export function bufferedOf({ start, tokens, events, visible, generation }: Answer): Buffered | null {
  if (events < LEAST_EVENTS) return null;
  const burst = tokens.end - tokens.start;
  const wait = tokens.start - start;
  if (generation !== null) {
    const isBurst =
      generation >= LEAST_GENERATION && wait + burst >= generation && burst <= BURST_OF_GENERATION * generation;
    return isBurst ? Object.freeze({ generation }) : null;
  }
  const count = visible ?? events;
  const isTooFast = count >= LEAST_TOKENS && count * 1_000 > FASTEST_PER_SECOND * burst;
  return wait >= LEAST_WAIT && burst <= BURST_OF_WAIT * wait && isTooFast ? Object.freeze({ generation: null }) : null;
}
