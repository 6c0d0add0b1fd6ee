import { endpointKeyOf } from "../../model/endpoint.ts";
import type { Gain } from "../../model/load-gain.ts";
import type { Milliseconds } from "../../model/units.ts";
import type { LoadStep, WaitPhase } from "../../model/where.ts";
import { groupedBy } from "../grouped.ts";
import { microsecondsOf, millisecondsOf } from "../microseconds.ts";

/** From this many consecutive requests to one endpoint on, a path shows them as one step. */
const LEAST_RUN = 4;

/**
 * The steps of a path in order: those of a run together, every other one by itself. `endpointOf`: equal for one
 * endpoint.
 */
export function stepRunsOf<Step>(
  steps: readonly Step[],
  endpointOf: (step: Step) => string,
): readonly (readonly [Step, ...Step[]])[] {
  const runs: [Step, ...Step[]][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    if (run !== undefined && endpointOf(run[0]) === endpointOf(step)) run.push(step);
    else runs.push([step]);
  }
  return runs.flatMap((run) => (run.length < LEAST_RUN ? run.map((step): [Step] => [step]) : [run]));
}

/** Consecutive steps of a page load's path to one endpoint, or a single step. */
export interface LoadRun {
  readonly steps: readonly [LoadStep, ...LoadStep[]];
  /** The sum of the steps' times. */
  readonly time: Milliseconds;
  /** The sum of the gaps between the steps. */
  readonly gaps: Milliseconds;
  /** The phase that took the longest part of most of the time. */
  readonly phase: WaitPhase;
  /** How much sooner the load would end if these steps took no time; absent if it was not calculated. */
  readonly ifGone?: Gain;
}

export function loadRunsOf(path: readonly LoadStep[]): readonly LoadRun[] {
  return stepRunsOf(path, ({ endpoint }) => endpointKeyOf(endpoint)).map((steps) => {
    const [first, ...later] = steps;
    const gaps = sumOf(later.map(({ gap }) => gap));
    const time = sumOf(steps.map((step) => step.time));
    const ifGone = later.length > 0 ? first.ifRunGone : first.ifGone;
    const gain = ifGone === undefined ? {} : { ifGone };
    return Object.freeze({ steps, time, gaps, phase: phaseOf(steps), ...gain });
  });
}

function sumOf(times: readonly Milliseconds[]): Milliseconds {
  return millisecondsOf(times.reduce((sum, time) => sum + microsecondsOf(time), 0));
}

function phaseOf(steps: LoadRun["steps"]): WaitPhase {
  const timeOf = (own: readonly LoadStep[]) => sumOf(own.map(({ time }) => time));
  const phases = [...groupedBy(steps, ({ phase }) => phase).values()];
  const [largest = steps] = phases.sort((left, right) => timeOf(right) - timeOf(left));
  return (largest[0] ?? steps[0]).phase;
}
