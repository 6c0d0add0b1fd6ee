import type { Mark } from "../../engine/model/annotation.ts";

export const MARK_NAMES: Readonly<Record<Mark, string>> = Object.freeze({
  star: "Star",
  flag: "Flag",
  check: "Check",
  cross: "Cross",
});
