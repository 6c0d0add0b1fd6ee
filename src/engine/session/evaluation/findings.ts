import type { EndpointCause } from "../../insights/findings/slow-when/endpoint-causes.ts";
import type { WalkPlace, WalksFound } from "../../insights/links/walks.ts";
import type { ParallelGroup, Repeat } from "../../model/findings.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { FoundFindings } from "./found-findings.ts";

/**
 * Findings that are costly to compute: searched in the background, and only once requested. They contain what was found
 * so far.
 */
export interface Findings {
  /** Grows with each new result. */
  readonly version: number;
  chains(): ChainsFound;
  groups(): GroupsFound;
  repeats(): RepeatsFound;
  slowCauses(): SlowCausesFound;
  ranked(): RankedFound;
}

/** How much of the session was examined. */
export interface Searched {
  /** The share of the exchanges that the results cover, 0 to 1; 0 until the first results. */
  readonly progress: number;
  /** Older exchanges that are left out, since only the latest are examined. */
  readonly leftOut: number;
}

export interface ChainsFound extends Searched, Pick<WalksFound, "walks"> {
  readonly chainGap: Milliseconds;
  /** The position of an exchange in the listed walks; `null` if it is in none. */
  placeOf(id: ExchangeId): WalkPlace | null;
}

export interface GroupsFound {
  /** Sorted by start. */
  readonly groups: readonly ParallelGroup[];
  /** The first exchange of this exchange's parallel group; `null` if it is in none. */
  groupOf(id: ExchangeId): ExchangeId | null;
}

export interface RepeatsFound extends Searched {
  /** The costliest first. */
  readonly repeats: readonly Repeat[];
}

/** The causes of lost time and bytes, the costliest first. */
export interface RankedFound extends Searched {
  /** `null` until the first results. */
  readonly found: FoundFindings | null;
}

/** What the slow requests of each endpoint have in common. Whether a request is slow is evaluated live. */
export interface SlowCausesFound extends Searched {
  /** By the endpoint's number, the cause that explains most first. */
  causesOf(endpoint: number): readonly EndpointCause[];
  /** The request's result in the comparison of its endpoint's requests. */
  placeOf(row: number): CausePlace;
  /** The operation of GraphQL, JSON-RPC or SOAP; `null` for other requests, and for those not examined. */
  operationOf(id: ExchangeId): string | null;
}

/**
 * `unknown`: not examined yet. `incomparable`: a redirect, a preflight or similar. A number: the cause of its endpoint.
 */
export type CausePlace = "unknown" | "incomparable" | "none" | number;

/** Why a filter by findings is not applied before the first results. */
export const FINDINGS_AWAITED = "Findings are still being looked for.";

const NOTHING: Searched = Object.freeze({ progress: 0, leftOut: 0 });

export const NO_CHAINS: Omit<ChainsFound, "chainGap"> = Object.freeze({
  ...NOTHING,
  walks: Object.freeze([]),
  placeOf: () => null,
});

export const NO_GROUPS: GroupsFound = Object.freeze({ groups: Object.freeze([]), groupOf: () => null });

export const NO_REPEATS: RepeatsFound = Object.freeze({ ...NOTHING, repeats: Object.freeze([]) });

export const NO_RANKED: RankedFound = Object.freeze({ ...NOTHING, found: null });

export const NO_SLOW_CAUSES: SlowCausesFound = Object.freeze({
  ...NOTHING,
  causesOf: () => [],
  placeOf: () => "unknown" as const,
  operationOf: () => null,
});
