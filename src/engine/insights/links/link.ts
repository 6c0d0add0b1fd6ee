import type { LinkEvidence } from "../../model/findings.ts";

/** Captured values are only displayed, so they are cut to this length. Default; not from a specification. */
const LONGEST_VALUE = 200;

export function evidenceOf(source: string, name: string | null, value: string): LinkEvidence {
  return { source, name, value: value.slice(0, LONGEST_VALUE) };
}
