import type { LinkEvidence } from "../../model/findings.ts";

/** Default; not from a specification: characters of a captured value that are kept, since it is only displayed. */
const LONGEST_VALUE = 200;

export function evidenceOf(source: string, name: string | null, value: string): LinkEvidence {
  return { source, name, value: value.slice(0, LONGEST_VALUE) };
}
