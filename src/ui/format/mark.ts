import type { Mark } from "../../engine/model/annotation.ts";

/** Display names of the marks. */
export const MARK_NAMES: Readonly<Record<Mark, string>> = Object.freeze({
  star: "Star",
  flag: "Flag",
  check: "Check",
  cross: "Cross",
});
