import type { Milliseconds } from "../../model/units.ts";
import type { Shift } from "../../stats/ranks.ts";
import { counted, inTime } from "../findings/text.ts";
import type { MarkedChange, Prediction, TimesChange } from "./marked-change.ts";

/** The fewest turns in which a change over time cannot look like the difference of A and B: A, B, A, B. */
const ENOUGH_TURNS = 4;

/** What a comparison of A and B found, as sentences. `unit`: what was timed, such as "load" or "walk". */
export function markedChangeTexts(change: MarkedChange, predicted: Prediction | null, unit: string): readonly string[] {
  const { units, turns } = change;
  const isOneSided = units.counts.A === 0 || units.counts.B === 0;
  const texts = [isOneSided ? missingText(units, unit) : timesChangeText(units, unit)];
  if (!isOneSided && turns < ENOUGH_TURNS)
    texts.push("A change over time would look the same: switch between A and B at least three times.");
  if (predicted !== null && change.prediction !== null) texts.push(predictionText(change.prediction, predicted));
  return texts;
}

function missingText({ counts }: TimesChange, unit: string): string {
  const [count, missing] = counts.A === 0 ? [counts.B, "A"] : [counts.A, "B"];
  if (count === 0) return `No ${unit} of A or B yet: run "weir mark A", then your program.`;
  return `Only ${counted(count, unit)} of ${missing === "A" ? "B" : "A"}, none of ${missing} yet.`;
}

/** "B is faster: 205 ms less, 160 ms to 250 ms. 12 loads of A, 11 of B." `unit`: what was timed. */
export function timesChangeText({ kind, counts, gain, note }: TimesChange, unit: string): string {
  const isSlower = gain !== null && gain.middle < 0 && (kind === "slower" || slightText(gain) !== null);
  const figures = gain === null ? "" : `: ${figuresOf(gain, isSlower)}`;
  const from = `${counted(counts.A, unit)} of A, ${counts.B} of B.`;
  switch (kind) {
    case "faster":
      return `B is faster${figures}. ${from}`;
    case "slower":
      return `B is slower${figures}. ${from}`;
    case "same":
      return `${slightText(gain) ?? "No change"}${figures}. ${from}`;
    case "same-median":
      return `${slightText(gain) ?? "Same median"}${figures}. ${from}`;
    case "unknown":
      return `${note === null ? "Can't tell" : capitalized(note)}. ${gain === null ? "" : `So far${figures}. `}${from}`;
  }
}

/** A difference within the stable band, whose interval excludes 0; `null` if there is none. */
function slightText(gain: Shift | null): string | null {
  if (gain === null || (gain.low <= 0 && gain.high >= 0)) return null;
  return gain.low > 0 ? "B is slightly faster" : "B is slightly slower";
}

/** "205 ms less, 160 ms to 250 ms" */
function figuresOf({ middle, low, high }: Shift, isSlower: boolean): string {
  return isSlower
    ? `${signed(-middle)} more, ${signed(-high)} to ${signed(-low)}`
    : `${signed(middle)} less, ${signed(low)} to ${signed(high)}`;
}

function signed(time: Milliseconds): string {
  const text = inTime(Math.abs(time));
  return time < 0 && text !== inTime(0) ? `−${text}` : text;
}

function predictionText(found: NonNullable<MarkedChange["prediction"]>, { byLinks, atMost }: Prediction): string {
  const range = atMost - byLinks < 1 ? inTime(atMost) : `${inTime(byLinks)} to ${inTime(atMost)}`;
  switch (found) {
    case "held":
      return `Predicted: ${range} less. The prediction held.`;
    case "more":
      return `Predicted: ${range} less. It saves more than that.`;
    case "less":
      return `Predicted: ${range} less. It saves less than that.`;
    case "open":
      return `Predicted: ${range} less.`;
  }
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
