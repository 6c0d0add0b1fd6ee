import { UNCERTAIN_FROM } from "../../model/exchange.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";

/** A pause between two tokens. */
export interface Pause {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * Whether something between the model and the client held the answer back. `certain`: the server says that it took
 * longer to make it, or it is too much for a burst of chance. `likely`: a short answer, whose wait may be the model's
 * as well. `unclear`: so few events that they do not tell.
 */
export interface Buffered {
  readonly certainty: "certain" | "likely" | "unclear";
  /** How long the server generated, by its own figures; `null` if it does not say. */
  readonly generation: Milliseconds | null;
}

/** Fewer events may come together because the server sends them together. */
const LEAST_EVENTS = 4;

/** By the server's figures: it generated for at least this long, and the tokens came in at most this share of that. */
const LEAST_GENERATION: Milliseconds = 500;
const BURST_OF_GENERATION = 0.2;

/**
 * Without such figures: the first token took this long, and the rest came in this share of that, faster than any model.
 */
const LEAST_WAIT: Milliseconds = 1_000;
const BURST_OF_WAIT = 0.1;
/** From this many events and tokens on, the burst is certain. */
const MANY_EVENTS = 10;
const MANY_TOKENS = 50;
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

/** Whether the answer's events came in one burst, faster than the server made them; `null` if they did not. */
export function bufferedOf({ start, tokens, events, visible, generation }: Answer): Buffered | null {
  const burst = tokens.end - tokens.start;
  const wait = tokens.start - start;
  if (generation !== null) {
    const isBurst =
      generation >= LEAST_GENERATION && wait + burst >= generation && burst <= BURST_OF_GENERATION * generation;
    return isBurst ? Object.freeze({ certainty: events < LEAST_EVENTS ? "unclear" : "certain", generation }) : null;
  }
  const count = visible ?? events;
  // The events of one packet are recorded one after another, so a burst as short as Weir's own delays is at once.
  const isTooFast = count * 1_000 > FASTEST_PER_SECOND * (burst - UNCERTAIN_FROM);
  // One token has nothing to wait for.
  if (visible === 1 || wait < LEAST_WAIT || burst > BURST_OF_WAIT * wait || !isTooFast) return null;
  if (events < LEAST_EVENTS) return Object.freeze({ certainty: "unclear", generation: null });
  const isMany = events >= MANY_EVENTS && count >= MANY_TOKENS;
  return Object.freeze({ certainty: isMany ? "certain" : "likely", generation: null });
}
