import { agreedGain, type Gain, isBesidePath, type LoadGain } from "../../model/load-gain.ts";
import type { Milliseconds } from "../../model/units.ts";
import { counted, inMs, inTime } from "../findings/text.ts";
import type { WhatIf } from "./endpoint-changes.ts";

/** A change of the end from this on is told; a smaller one is none. */
const NOTICED: Milliseconds = 1;

/** "190 ms", or "at most 190 ms" if the proven links alone do not save as much. */
function gainText(gain: Gain): string {
  const agreed = agreedGain(gain);
  return agreed === null ? `at most ${inTime(gain.atMost)}` : inTime(agreed);
}

/** "at most 190 ms sooner", "no sooner", "at least 40 ms later" */
export function soonerText(gain: Gain): string {
  if (gain.atMost <= -NOTICED) return `at least ${inTime(-gain.atMost)} later`;
  return gain.atMost < NOTICED ? "no sooner" : `${gainText(gain)} sooner`;
}

/** "12 of 14 loads" */
function share(part: number, { unit, units }: LoadGain): string {
  return `${part} of ${counted(units, unit)}`;
}

/** Where the requests are: "on the path", "perhaps on the path", or "beside the path: saves nothing for the load". */
export function loadName(gain: LoadGain): string {
  if (isBesidePath(gain)) return `beside the path: saves nothing for the ${gain.unit}`;
  return gain.onPath > 0 ? "on the path" : "perhaps on the path";
}

/** "On the path in 12 of 14 loads: at most 2.1 s of 16.4 s". What is saved if the requests took no time. */
export function pathText(gain: LoadGain): string {
  const { unit, sum, duration } = gain;
  if (isBesidePath(gain)) return `Beside the path: saves nothing for the ${unit}${gain.units === 1 ? "" : "s"}`;
  return `${loadText(gain)}: ${gainText(sum)} of ${inTime(duration)}`;
}

/** As `pathText`, with the condition, for a text of its own. */
export function withoutText(gain: LoadGain): string {
  return isBesidePath(gain) ? pathText(gain) : `${pathText(gain)}, if these requests took no time`;
}

/** What changes together would save. It contains text of the command line. */
export function whatIfTextsOf({ changes, loads, walks }: WhatIf): {
  readonly title: string;
  readonly items: readonly string[];
} {
  const gains = [loads, walks].filter((gain) => gain !== null);
  return {
    title: `What if ${changes.map(({ endpoint, to }) => `${endpoint} took ${inMs(to)}`).join(" and ")}`,
    items:
      gains.length === 0
        ? [
            "These requests are in no page load, and in no walk that occurred three times, so nothing can be calculated.",
          ]
        : gains.flatMap(gainTexts),
  };
}

function gainTexts(gain: LoadGain): readonly string[] {
  const { unit, units, median, sum, duration } = gain;
  const many = unit === "load" ? counted(units, "page load") : counted(units, "walk");
  const total = units === 1 ? "" : `, a median of ${soonerText(median)} each`;
  const all = units === 1 ? `The ${many.replace("1 ", "")}` : `${many} together`;
  return [`${all} would end ${soonerText(sum)} (of ${inTime(duration)})${total}.`, `${loadText(gain)}.`];
}

/** "On the path in 12 of 14 loads, perhaps in 2 more" */
function loadText(gain: LoadGain): string {
  const { onPath, perhaps } = gain;
  if (onPath === 0 && perhaps === 0) return `Beside the path in ${counted(gain.units, gain.unit)}`;
  if (onPath === 0) return `Perhaps on the path in ${share(perhaps, gain)}`;
  return `On the path in ${share(onPath, gain)}${perhaps > 0 ? `, perhaps in ${perhaps} more` : ""}`;
}
