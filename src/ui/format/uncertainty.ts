import type { Milliseconds } from "../../engine/model/units.ts";
import { countText } from "./count.ts";

/** The most by which Weir, when busy, may have read an exchange's times too late: "times uncertain by up to 12 ms". */
export function uncertaintyText(uncertainty: Milliseconds): string {
  return `times uncertain by up to ${countText(uncertainty)} ms`;
}
