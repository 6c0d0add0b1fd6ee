import { type Endpoint, type EndpointParts, endpointAt } from "../../model/endpoint.ts";
import type { EndedExperiment, ExperimentUnit, LaterStart } from "../../model/experiment.ts";
import type { Milliseconds } from "../../model/units.ts";
import { isAbove, isBelow, slopeOf } from "./slope.ts";
import { LAST, LEAST_BLOCKS, NOT_ON_PATH, ON_PATH } from "./verdict.ts";
import { type WholeBlocks, wholeBlocksOf } from "./whole-blocks.ts";

/** The most experiments of a session that count, and the most later endpoints that one keeps. */
const MOST_EXPERIMENTS = 32;
const MOST_LATER = 100;

/** An experiment to be kept with its session. `units`: those that the verdict is about. */
export function endedExperimentOf(
  facts: Omit<EndedExperiment, "later" | "units">,
  units: readonly ExperimentUnit[],
): EndedExperiment {
  const later = laterOf(units, LEAST_BLOCKS * facts.levels.length);
  const kept = units.map(({ block, level, leftOut, duration, starts }) => {
    const own = later.map((endpoint) => toMicrosecond(starts.get(endpoint) ?? null));
    return { block, level, leftOut, duration, starts: own };
  });
  return Object.freeze({ ...facts, later, units: kept });
}

/**
 * For each endpoint that started after the target: whether its start moves with the delay. By endpoint. With 300 units
 * it takes seconds of a processor.
 */
export function laterStartsIn({ levels, later, units }: EndedExperiment): readonly LaterStart[] {
  return later.toSorted().map((endpoint) => {
    const at = later.indexOf(endpoint);
    const blocks = wholeBlocksOf(units, levels, ({ starts }) => starts[at] ?? null);
    const kind = kindOf(blocks);
    return { endpoint, kind, estimate: kind === "follows" ? slopeOf(blocks) : null, units: blocks.figures.length };
  });
}

/** The experiments with another one, which replaces an earlier one of the same target and client. The latest first. */
export function withLatest(kept: readonly EndedExperiment[], ended: EndedExperiment): readonly EndedExperiment[] {
  const isOther = (one: EndedExperiment) => targetOf(one) !== targetOf(ended);
  return Object.freeze([ended, ...kept.filter(isOther)].slice(0, MOST_EXPERIMENTS));
}

/** The endpoint of a target. */
export function targetEndpointOf({ method, origin, path, operation }: EndpointParts): Endpoint {
  return endpointAt(method, origin, path, operation);
}

function targetOf({ target, client }: EndedExperiment): string {
  return `${client ?? ""} ${targetEndpointOf(target)}`;
}

/** The endpoints that were requested in at least `least` units, the most frequent ones. */
function laterOf(units: readonly ExperimentUnit[], least: number): readonly Endpoint[] {
  const counts = new Map<string, number>();
  for (const { leftOut, starts } of units)
    if (leftOut === null) for (const endpoint of starts.keys()) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  const enough = [...counts].filter(([, count]) => count >= least);
  enough.sort(([, one], [, other]) => other - one);
  return enough.slice(0, MOST_LATER).map(([endpoint]) => endpoint as Endpoint);
}

/** Instants have no more digits; more would only lengthen what is stored. */
function toMicrosecond(time: Milliseconds | null): Milliseconds | null {
  return time === null ? null : Math.round(1_000 * time) / 1_000;
}

function kindOf(blocks: WholeBlocks): LaterStart["kind"] {
  if (blocks.figures.length < LEAST_BLOCKS * blocks.levels.length) return "unknown";
  if (isAbove(blocks, ON_PATH, LAST)) return "follows";
  return isBelow(blocks, NOT_ON_PATH, LAST) ? "independent" : "unknown";
}
