import type { Request } from "../traffic.ts";

/**
 * The order in which attributes are named if several explain the slow requests about equally well: from what the client
 * asked for to mere consequences.
 */
export const TIERS = { request: 0, header: 1, told: 2, meanwhile: 3, circumstance: 4, consequence: 5 } as const;

export type Tier = (typeof TIERS)[keyof typeof TIERS];

/** An attribute that sorts requests into categories. A request can be in several categories or in none. */
export interface CategoryColumn {
  readonly name: string;
  readonly tier: Tier;
  readonly valuesOf: (request: Request) => readonly string[];
  /** Whether requests with any value are also compared with requests without a value. */
  readonly hasPresence: boolean;
  /** By how much the requests with a value must be slower at least; absent if the general limit suffices. */
  readonly leastEffectOf?: (value: string) => number;
}

/** An attribute that is a number; `null` if a request has none. */
export interface NumberColumn {
  readonly name: string;
  readonly tier: Tier;
  readonly valueOf: (request: Request) => number | null;
  readonly textOf: (value: number) => string;
  /** Whether requests in a middle range of values may be slow, such as those sent while a job runs. */
  readonly hasWindow: boolean;
  /** Whether only large values are a cause. */
  readonly isUpwards: boolean;
}

export function column(
  name: string,
  tier: Tier,
  valuesOf: CategoryColumn["valuesOf"],
  hasPresence: boolean,
): CategoryColumn {
  return { name, tier, valuesOf, hasPresence };
}
