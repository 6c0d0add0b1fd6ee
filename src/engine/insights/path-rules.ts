import { hostOf } from "../model/endpoint.ts";
import { ANY_SEGMENT, type PathRule } from "../model/path-rule.ts";
import { PLACEHOLDER } from "./path-template.ts";

/** The pattern of a rule that matches this path or template on the origin's host. */
export function patternOf(origin: string, path: string): string {
  return `${hostOf(origin)}${path.replaceAll(`/${PLACEHOLDER}`, `/${ANY_SEGMENT}`)}`;
}

/** The template that the first matching rule gives a path; `null` if none matches. */
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
