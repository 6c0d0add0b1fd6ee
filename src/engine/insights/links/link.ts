import type { LinkEvidence } from "../../model/findings.ts";

/** Captured values are shown, not kept: our choice of how much of one. */
const LONGEST_VALUE = 200;

export function evidenceOf(source: string, name: string | null, value: string): LinkEvidence {
  return { source, name, value: value.slice(0, LONGEST_VALUE) };
}
