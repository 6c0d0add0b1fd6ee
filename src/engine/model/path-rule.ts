import { failure, type Result, success } from "./result.ts";

/** In a rule, stands for any one segment. */
export const ANY_SEGMENT = "*";

/** A user's rule for paths; it matches segment by segment. */
export interface PathRule {
  /** In lower case; `null` if the rule is for every host. */
  readonly host: string | null;
  readonly segments: readonly string[];
  /** Whether each matching path is shown by itself, instead of folding what `*` matches. */
  readonly apart: boolean;
}

/**
 * Parses a rule such as `/tags/*`, `api.test/tags/*` or `!/tags/*` (paths shown by themselves).
 */
export function pathRuleOf(text: string): Result<PathRule> {
  const apart = text.startsWith("!");
  const rest = apart ? text.slice(1) : text;
  const slash = rest.indexOf("/");
  if (slash < 0 || /[\s?#]/.test(rest)) return failure(`"${text}" is not a path. Write one such as /shop/*/item/*.`);
  const segments = rest.slice(slash).split("/").slice(1);
  if (!segments.includes(ANY_SEGMENT))
    return failure(`"${text}" has no *. Write * in place of each id, as in /shop/*/item/*.`);
  return success({ host: slash === 0 ? null : rest.slice(0, slash).toLowerCase(), segments, apart });
}

/** The user's rules that are valid. */
export function pathRulesOf(texts: readonly string[]): readonly PathRule[] {
  return texts.map(pathRuleOf).flatMap((rule) => (rule.ok ? rule.value : []));
}
