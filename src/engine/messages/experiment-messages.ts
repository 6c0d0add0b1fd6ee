import * as v from "valibot";
import type { EndpointParts } from "../model/endpoint.ts";
import { CHANGE_MARKS, type ExperimentEnd, type ExperimentVerdict } from "../model/experiment.ts";
import type { Milliseconds } from "../model/units.ts";
import { textUpTo } from "./decoded.ts";

/* Experiments: responses of one endpoint are held back, to learn what waits for them (docs/specification.md, Experiment). */

/** docs/specification.md, Experiment: the longest level, and the number of levels. */
export const LONGEST_LEVEL: Milliseconds = 2_000;
export const LEVELS = 3;

export const FEWEST_UNITS = 21;
export const USUAL_UNITS = 30;
export const MOST_UNITS = 300;

/** The longest endpoint that a command names. */
const LONGEST_TARGET = 4_096;

const level = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LONGEST_LEVEL));

export const experimentCommands = [
  /**
   * Starts an experiment. `target`: "METHOD PATH" or "METHOD URL" of a recorded endpoint; the path may be a template.
   * `client`: as `Exchange.client`; `null` for all. `confirmed`: the user agreed to hold a method that is not safe. It
   * ends when the UI client disconnects. The reply's value is `null`; `Status.experiment` tells the rest.
   */
  v.object({
    type: v.literal("start-experiment"),
    target: textUpTo(LONGEST_TARGET),
    client: v.nullable(textUpTo(LONGEST_TARGET)),
    levels: v.pipe(v.array(level), v.length(LEVELS), v.readonly()),
    units: v.pipe(v.number(), v.integer(), v.minValue(FEWEST_UNITS), v.maxValue(MOST_UNITS)),
    confirmed: v.boolean(),
  }),
  v.object({ type: v.literal("stop-experiment") }),
  /** Says what runs from now on, to compare B with A. The reply's value is `null`. */
  v.object({ type: v.literal("mark-change"), mark: v.picklist(CHANGE_MARKS) }),
] as const;

const END_TEXTS: Readonly<Record<ExperimentEnd, string>> = {
  enough: "",
  stopped: "Stopped. ",
  time: "Ended after 10 minutes. ",
  session: "Ended: another session is recorded now. ",
  paused: "Ended: recording was paused. ",
  "proxy-stopped": "Ended: the proxy was stopped. ",
  "window-gone": "Ended: the window that started it has closed. ",
  silent: "Ended: Weir’s engine was too busy. ",
};

/** Why it ended unless it was at its verdict, then the verdict, as sentences. */
export function experimentResultText({ end, text }: Pick<ExperimentResult, "end" | "text">): string {
  return END_TEXTS[end] + text;
}

/** An experiment, while it runs and after it. */
export interface ExperimentState {
  /** Its number since the start of Weir, from 1. */
  readonly number: number;
  readonly target: EndpointParts;
  readonly client: string | null;
  readonly levels: readonly Milliseconds[];
  /** What it times. */
  readonly unit: "load" | "walk";
  /** How many units are to count. */
  readonly planned: number;
  /** How many count so far. */
  readonly counted: number;
  /** How many do not: the target failed or could not be held, nothing followed it, or other traffic was in between. */
  readonly leftOut: number;
  /** `null` while it runs. */
  readonly result: ExperimentResult | null;
}

export interface ExperimentResult {
  readonly end: ExperimentEnd;
  readonly verdict: ExperimentVerdict;
  /** The verdict as a sentence. */
  readonly text: string;
}
