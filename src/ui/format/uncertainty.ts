import type { Milliseconds } from "../../engine/model/units.ts";
import { countText } from "./count.ts";

/** How late Weir may have read an exchange's times because it was busy: "times uncertain by up to 12 ms". */
export function uncertaintyText(uncertainty: Milliseconds): string {
  return `times uncertain by up to ${countText(uncertainty)} ms`;
}
