import type { Milliseconds } from "./units.ts";

/** What is timed as one whole: a page load, or one occurrence of an API client's walk. */
export type UnitKind = "load" | "walk";

/** How much sooner a unit would end if some of its requests took less time; negative if it would end later. */
export interface Gain {
  /** If requests move only with those that they are proven to need. */
  readonly byLinks: Milliseconds;
  /** If requests also wait for each changed one that ended between their last proven need and their start. */
  readonly atMost: Milliseconds;
}

/** What several units of one kind would gain. */
export interface LoadGain {
  readonly unit: UnitKind;
  /** The units with a changed request. */
  readonly units: number;
  /** In how many of these the changed requests are on the path: shortening them by a tenth moves the end. */
  readonly onPath: number;
  /** In how many more they may be on the path: only `Gain.atMost` moves. */
  readonly perhaps: number;
  readonly median: Gain;
  readonly sum: Gain;
  /** The duration of these units, summed. */
  readonly duration: Milliseconds;
}

/** What the unit of an exchange, or of several, would gain. */
export interface StepGain {
  readonly unit: UnitKind;
  readonly duration: Milliseconds;
  /** How long the exchanges took together. */
  readonly took: Milliseconds;
  readonly gain: Gain;
}

/** What page loads and walks would gain if requests took another time. */
export interface GainsFound {
  /** If only the exchanges that the query names change; `null` if it names none, or one that is in no unit. */
  readonly step: StepGain | null;
  /** If all requests to the endpoint change. `null`: no page load has one. */
  readonly loads: LoadGain | null;
  /** `null`: no walk that occurred three times has one. */
  readonly walks: LoadGain | null;
}

/** docs/specification.md, What if: requests whose gain is at most less than this are beside the path. */
const NOTHING: Milliseconds = 1;

/** Whether the requests save nothing. */
export function isBesidePath({ sum }: Pick<LoadGain, "sum">): boolean {
  return sum.atMost < NOTHING;
}

/** The one figure on which both calculations agree; `null` if they do not. */
export function agreedGain({ byLinks, atMost }: Gain): Milliseconds | null {
  return Math.abs(atMost - byLinks) < NOTHING ? atMost : null;
}
