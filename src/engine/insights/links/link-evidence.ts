import type { LinkEvidence } from "../../model/link.ts";

/** The most characters kept of a captured value, which is only displayed. */
const LONGEST_VALUE = 200;

export function evidenceOf(source: string, name: string | null, value: string): LinkEvidence {
  return { source, name, value: value.slice(0, LONGEST_VALUE) };
}
