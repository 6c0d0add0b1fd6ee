import { PHASES } from "../model/phases.ts";
import { EndpointTimings, eachPhase, type Timing } from "./endpoint-timings.ts";

/**
 * The timings of an endpoint that has too few requests for a row, as plain numbers in a row: paths that hold an id make
 * endpoints by the hundred thousand, and each must cost next to nothing.
 *
 *   id │ latency │ dns … transfer, NaN where it did not happen │ id │ …
 */
export type EarlyTimings = readonly number[];

const STRIDE = 2 + PHASES.length;

export function withTiming(early: EarlyTimings, { id, latency, phases }: Timing): EarlyTimings {
  return early.concat(
    id,
    latency,
    PHASES.map((phase) => phases[phase] ?? Number.NaN),
  );
}

export function timingsIn(early: EarlyTimings): readonly Timing[] {
  return Array.from({ length: early.length / STRIDE }, (_, index) => {
    const [id = 0, latency = 0, ...lengths] = early.slice(index * STRIDE, (index + 1) * STRIDE);
    const phases = eachPhase((phase) => {
      const length = lengths[PHASES.indexOf(phase)] ?? Number.NaN;
      return Number.isNaN(length) ? null : length;
    });
    return { id, latency, phases };
  });
}

/** The same, once the endpoint has a row. */
export function endpointTimingsOf(early: EarlyTimings): EndpointTimings {
  const timings = new EndpointTimings();
  for (const timing of timingsIn(early)) timings.record(timing);
  return timings;
}
