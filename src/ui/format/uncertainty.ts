import type { Milliseconds } from "../../engine/model/units.ts";
import { countText } from "./count.ts";

/** That Weir was too busy to read an exchange's times when they were: "times uncertain by up to 12 ms". */
export function uncertaintyText(uncertainty: Milliseconds): string {
  return `times uncertain by up to ${countText(uncertainty)} ms`;
}
