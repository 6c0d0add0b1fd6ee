import type { Milliseconds } from "../../engine/model/units.ts";
import { countText } from "./count.ts";

/** Says by how much an exchange's times may be wrong: "times uncertain by up to 12 ms". */
export function uncertaintyText(uncertainty: Milliseconds): string {
  return `times uncertain by up to ${countText(uncertainty)} ms`;
}
