import type { Endpoint, EndpointParts } from "./endpoint.ts";
import type { Instant, Milliseconds } from "./units.ts";

/** How long responses are held, unless the user chooses other levels. */
export const DEFAULT_LEVELS: readonly Milliseconds[] = [0, 100, 300];

/** Why a unit is in no statistic of its experiment. */
export type LeftOut = "failed" | "reloaded" | "other-traffic";

/** Where a unit belongs in the plan of an experiment. */
export interface Draw {
  /** From 0; the units of a block have different levels. */
  readonly block: number;
  /** How long the target's responses are held. */
  readonly level: Milliseconds;
}

/** One page load or walk of an experiment that has ended. */
export interface ExperimentUnit extends Draw {
  /** `null`: the unit counts. */
  readonly leftOut: LeftOut | null;
  /** From the unit's start to its end. */
  readonly duration: Milliseconds;
  /**
   * For each endpoint with a request after the target's first start: when the first such request started, from the
   * unit's start on.
   */
  readonly starts: ReadonlyMap<string, Milliseconds>;
}

export interface ExperimentPlan {
  /** At least two different ones. */
  readonly levels: readonly Milliseconds[];
  /** How many units are to count, rounded up to whole blocks. Must not change while the experiment runs. */
  readonly units: number;
}

/** How many ms a time grows for each ms of delay, with its interval of 95 %. */
export interface SlopeEstimate {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

export type Dependence = "on-path" | "not-on-path" | "partly" | "unknown";

export interface ExperimentVerdict {
  readonly kind: Dependence;
  /** `null` with fewer than three whole blocks, which allow no interval. */
  readonly estimate: SlopeEstimate | null;
  /** The units of whole blocks; no others count. */
  readonly units: number;
  /** For "unknown": about how many units would be enough. Else `null`. */
  readonly needed: number | null;
  /** How much longer than at the lowest level the units took at each level, on average; the levels ascend. */
  readonly shifts: readonly { readonly level: Milliseconds; readonly shift: Milliseconds }[];
  /** How many units do not count, by reason; "unfinished": those of a block that is not whole. */
  readonly leftOut: Readonly<Record<LeftOut | "unfinished", number>>;
}

/** Whether the start of a later endpoint moves with the delay. */
export interface LaterStart {
  readonly endpoint: string;
  readonly kind: "follows" | "independent" | "unknown";
  /** Only for "follows", since a page has many other requests, and an interval takes a while. */
  readonly estimate: SlopeEstimate | null;
  /** The units of whole blocks in which the endpoint occurred. */
  readonly units: number;
}

/** A: what ran before a change; B: what runs with it. */
export const CHANGE_MARKS = ["A", "B"] as const;

export type ChangeMark = (typeof CHANGE_MARKS)[number];

/** From `at` on, requests that start count to `mark`. */
export interface ChangeMarked {
  readonly at: Instant;
  readonly mark: ChangeMark;
}

export type ExperimentEnd =
  | "enough"
  | "stopped"
  | "time"
  | "session"
  | "paused"
  | "proxy-stopped"
  | "window-gone"
  | "silent";

/** An experiment that has ended, as its session keeps it. */
export interface EndedExperiment {
  readonly target: EndpointParts;
  /** As `Exchange.client`; `null`: all. */
  readonly client: string | null;
  readonly levels: readonly Milliseconds[];
  /** What it timed. */
  readonly unit: "load" | "walk";
  /** How many units were to count. */
  readonly planned: number;
  readonly end: ExperimentEnd;
  readonly verdict: ExperimentVerdict;
  /** The endpoints that were requested after the target, in enough units to tell something about them. */
  readonly later: readonly Endpoint[];
  /** The units that the verdict is about. */
  readonly units: readonly KeptUnit[];
}

/** `starts`: as in `ExperimentUnit`, for each of `later`; `null` if the endpoint was not requested. */
export interface KeptUnit extends Omit<ExperimentUnit, "starts"> {
  readonly starts: readonly (Milliseconds | null)[];
}
