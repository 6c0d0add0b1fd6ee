import type { Mark } from "../../engine/model/remark.ts";

/** Marks in words. */
export const MARK_NAMES: Readonly<Record<Mark, string>> = Object.freeze({
  star: "Star",
  flag: "Flag",
  check: "Check",
  cross: "Cross",
});
