import type { EndpointCause } from "../../insights/findings/slow-when/endpoint-causes.ts";
import { type CriticalPaths, NO_PATHS } from "../../insights/links/critical-paths.ts";
import type { WalkPosition, WalksFound } from "../../insights/links/walks.ts";
import type { ParallelGroup } from "../../insights/parallel-groups.ts";
import type { MarkedChangeRecord } from "../../messages/compare-messages.ts";
import type { WhereFound } from "../../messages/finding-messages.ts";
import type { GainsFound } from "../../model/load-gain.ts";
import type { Repeat } from "../../model/repeat.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { FoundFindings } from "./found-findings.ts";
import type { ChangedTime } from "./gain-records.ts";

/**
 * Results of searches that run in the background. A search starts when its result is first requested; until the search
 * is complete, the result contains what was found so far.
 */
export interface Insights {
  /** Increases with each new result. */
  readonly version: number;
  /** `null` before the first results. */
  where(): WhereFound | null;
  chains(): ChainsFound;
  groups(): GroupsFound;
  repeats(): RepeatsFound;
  slowCauses(): SlowCausesFound;
  ranked(): RankedFound;
  /** The exchanges with this text in a body. */
  bodies(text: string): BodiesFound;
  /** The units of A and B, compared; `null` before the first results. */
  marked(): readonly MarkedChangeRecord[] | null;
  /** `null` before the first results for this change. */
  gains(changed: ChangedTime): GainsFound | null;
}

/** What filters need. */
export type FilterInsights = Pick<Insights, "version" | "ranked" | "bodies">;

/** How much of the session was examined. */
export interface Searched {
  /** The share of the exchanges that the results cover, 0 to 1; 0 before the first results. */
  readonly progress: number;
  /** The number of older exchanges that were not examined: a search is limited to the latest exchanges. */
  readonly leftOut: number;
}

export interface ChainsFound extends Searched, Pick<WalksFound, "walks"> {
  readonly chainGap: Milliseconds;
  readonly paths: CriticalPaths;
  /** Where an exchange is in the listed walks; `null` if it is in none. */
  positionOf(id: ExchangeId): WalkPosition | null;
}

export interface GroupsFound {
  /** The groups, by start. */
  readonly groups: readonly ParallelGroup[];
  /** The first exchange of the parallel group that contains exchange `id`; `null` if no group contains it. */
  groupOf(id: ExchangeId): ExchangeId | null;
}

export interface RepeatsFound extends Searched {
  /** The repeats, the costliest first. */
  readonly repeats: readonly Repeat[];
}

export interface BodiesFound extends Pick<Searched, "progress"> {
  has(id: ExchangeId): boolean;
}

/** The causes of lost time and bytes, the costliest first. */
export interface RankedFound extends Searched {
  /** `null` before the first results. */
  readonly found: FoundFindings | null;
}

/**
 * What the slow requests of each endpoint have in common. The slow requests themselves are not stored, since later
 * requests can change the latency above which a request is slow.
 */
export interface SlowCausesFound extends Searched {
  /** The causes of the endpoint with this number. The strongest cause comes first. */
  causesOf(endpoint: number): readonly EndpointCause[];
  /** The result of comparing the request in this row with the endpoint's other requests. */
  causeIndexOf(row: number): CauseIndex;
}

/**
 * `unknown`: the request was not examined yet. `incomparable`: it was not compared, for example because it is a
 * redirect, or its endpoint has too few requests. `none`: it was compared and has no cause. A number: the index of its
 * cause among the causes of its endpoint.
 */
export type CauseIndex = "unknown" | "incomparable" | "none" | number;

/** The problem reported for a filter with `finding:` while there are no results yet. */
export const FINDINGS_AWAITED = "Weir is still looking for findings.";

const NOTHING: Searched = Object.freeze({ progress: 0, leftOut: 0 });

export const NO_CHAINS: Omit<ChainsFound, "chainGap"> = Object.freeze({
  ...NOTHING,
  walks: Object.freeze([]),
  paths: NO_PATHS,
  positionOf: () => null,
});

export const NO_GROUPS: GroupsFound = Object.freeze({ groups: Object.freeze([]), groupOf: () => null });

export const NO_REPEATS: RepeatsFound = Object.freeze({ ...NOTHING, repeats: Object.freeze([]) });

export const NO_RANKED: RankedFound = Object.freeze({ ...NOTHING, found: null });

export const NO_BODIES: BodiesFound = Object.freeze({ progress: 0, has: () => false });

export const NO_SLOW_CAUSES: SlowCausesFound = Object.freeze({
  ...NOTHING,
  causesOf: () => [],
  causeIndexOf: () => "unknown" as const,
});
