import type { Chain, ChainEdge, ParallelGroup, Repeat } from "../model/findings.ts";
import type { ExchangeId, Milliseconds } from "../model/units.ts";

/**
 * What is dear to find in a session: looked for in the background, and only after somebody has asked. An answer is what
 * has been found so far.
 */
export interface Findings {
  /** Grows when something new was found. */
  readonly version: number;
  chains(): ChainsFound;
  overlaps(): Overlaps;
}

export interface ChainsFound {
  readonly chains: readonly Chain[];
  readonly chainGap: Milliseconds;
  /** How much of the session the chains were listed from, 0 to 1: 0 until the first list is made. */
  readonly progress: number;
  /** Where in the listed chains an exchange stands; `null` if in none. */
  placeOf(id: ExchangeId): ChainPlace | null;
}

export interface ChainPlace {
  /** Index of the chain. */
  readonly chain: number;
  /** From the exchange before; `null` for the first of a chain. */
  readonly edge: ChainEdge | null;
}

export interface Overlaps {
  /** By start. */
  readonly groups: readonly ParallelGroup[];
  /** By first start. */
  readonly repeats: readonly Repeat[];
  /** The first exchange of the parallel group of this one; `null` if it is in none. */
  groupOf(id: ExchangeId): ExchangeId | null;
}

export const NO_OVERLAPS: Overlaps = Object.freeze({
  groups: Object.freeze([]),
  repeats: Object.freeze([]),
  groupOf: () => null,
});
