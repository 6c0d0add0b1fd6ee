import { failure, type Result, success } from "./result.ts";

/** In a rule, stands for any one segment. */
export const ANY_SEGMENT = "*";

/** A user's rule that groups paths, or keeps them apart. It matches segment by segment. */
export interface PathRule {
  /** In lower case; `null` if the rule is for every host. */
  readonly host: string | null;
  readonly segments: readonly string[];
  /** Whether each matching path stays an endpoint of its own. Otherwise the segments that `*` matches are folded. */
  readonly apart: boolean;
}

/** Parses a rule such as `/tags/*`, `api.test/tags/*` or, with `apart`, `!/tags/*`. */
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

/** Parses the user's rules and leaves out invalid ones. */
export function pathRulesOf(texts: readonly string[]): readonly PathRule[] {
  return texts.map(pathRuleOf).flatMap((rule) => (rule.ok ? rule.value : []));
}

/** A path whose child segments are folded into `{id}`, except those in `kept`. */
export interface SiblingFold {
  readonly origin: string;
  /** The template of the parent's path; "" for the root. */
  readonly parent: string;
  readonly kept: readonly string[];
}
