import { hostOf } from "../model/endpoint.ts";
import { ANY_SEGMENT, type PathRule } from "../model/path-rule.ts";
import { PLACEHOLDER } from "./path-template.ts";

/** A path, or a template, of a host as the pattern of a rule. */
export function patternOf(origin: string, path: string): string {
  return `${hostOf(origin)}${path.replaceAll(`/${PLACEHOLDER}`, `/${ANY_SEGMENT}`)}`;
}

/** What the first rule that matches makes of a path; `null` where none does. */
export function pathByRules(rules: readonly PathRule[], origin: string, path: string): string | null {
  if (rules.length === 0) return null;
  const host = hostOf(origin).toLowerCase();
  const segments = path.split("/").slice(1);
  const rule = rules.find((one) => (one.host === null || one.host === host) && isMatch(one.segments, segments));
  if (rule === undefined) return null;
  if (rule.apart) return path;
  return `/${rule.segments.map((segment) => (segment === ANY_SEGMENT ? PLACEHOLDER : segment)).join("/")}`;
}

function isMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((wanted, place) => {
    const segment = segments[place] as string;
    return wanted === ANY_SEGMENT ? segment !== "" : wanted === segment;
  });
}
