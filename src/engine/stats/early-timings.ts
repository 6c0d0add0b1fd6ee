import { PHASES } from "../model/phases.ts";
import type { ExchangeId } from "../model/units.ts";
import { EndpointTimings, eachPhase, type Timing } from "./endpoint-timings.ts";

/**
 * The timings of an endpoint that has too few requests for a row, as plain numbers in a row: paths that hold an id make
 * endpoints by the hundred thousand, and each must cost next to nothing.
 *
 *   id │ latency │ dns … transfer, NaN where it did not happen │ id │ …       -1 - id: its exchange has left the list
 */
export type EarlyTimings = readonly number[];

/** A timing, and whether its exchange is still in the list. */
export interface EarlyTiming extends Timing {
  readonly isListed: boolean;
}

const STRIDE = 2 + PHASES.length;

export function withTiming(early: EarlyTimings, { id, latency, phases }: Timing): EarlyTimings {
  const lengths = PHASES.map((phase) => phases[phase] ?? Number.NaN);
  // Of arrays it makes one that is as long as it has to be; of numbers, one with room for many more.
  return early.concat([id, latency], lengths);
}

/** The same, where that exchange has left the list; unchanged if none of them is of it. */
export function withoutListed(early: EarlyTimings, id: ExchangeId): EarlyTimings {
  return early.map((number, place) => (place % STRIDE === 0 && number === id ? -1 - id : number));
}

export function timingsIn(early: EarlyTimings): readonly EarlyTiming[] {
  return Array.from({ length: early.length / STRIDE }, (_, index) => {
    const [id = 0, latency = 0, ...lengths] = early.slice(index * STRIDE, (index + 1) * STRIDE);
    const phases = eachPhase((phase) => {
      const length = lengths[PHASES.indexOf(phase)] ?? Number.NaN;
      return Number.isNaN(length) ? null : length;
    });
    const isListed = id >= 0;
    return { id: isListed ? id : -1 - id, latency, phases, isListed };
  });
}

/** The same, once the endpoint has a row. */
export function endpointTimingsOf(early: EarlyTimings): EndpointTimings {
  const timings = new EndpointTimings();
  for (const timing of timingsIn(early)) {
    timings.record(timing);
    if (!timing.isListed) timings.forget(timing.latency);
  }
  return timings;
}
