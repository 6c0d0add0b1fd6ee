import { valueText } from "../../engine/session/filter/filter-to-text.ts";
import { tokensOf } from "../../engine/session/filter/term-parser.ts";

/** Names that the filter language takes without quotes. */
const PLAIN_NAME = /^[\w.-]{1,80}$/;

/** The most characters of a value that a menu puts into a filter. */
const LONGEST_VALUE = 300;

/** The term `key:value`; `null` if the filter language cannot say the value. */
export function keyedTerm(key: string, value: string): string | null {
  if (value === "" || value.includes('"') || value.length > LONGEST_VALUE) return null;
  return `${key}:${valueText(value)}`;
}

/** A value with a blank, a comma or a parenthesis is quoted, because it could end an unquoted value. */
export function quotedValue(value: string): string {
  return /[\s,()]/.test(value) ? `"${value}"` : value;
}

/** The term for a header or a query parameter with this value; without a value, for any. `null` as in `keyedTerm`. */
export function namedTerm(prefix: "q" | "req" | "resp", name: string, value: string): string | null {
  if (!PLAIN_NAME.test(name)) return null;
  const key = `${prefix}.${prefix === "q" ? name : name.toLowerCase()}`;
  return value === "" ? `${key}:` : keyedTerm(key, value);
}

/** The filter with one more term, in place of the same term or its opposite. Alternatives get parentheses. */
export function withTerm(filter: string, term: string): string {
  const opposite = term.startsWith("-") ? term.slice(1) : `-${term}`;
  return [...partsOf(filter).filter((part) => part !== term && part !== opposite), term].join(" ");
}

/** What must all hold for the filter: its words and groups, as written. */
function partsOf(filter: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { kind, text, at } of tokensOf(filter)) {
    if (depth === 0) start = at;
    if (kind === "or" && depth === 0) return [`(${filter.trim()})`];
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    if (depth === 0 && kind !== "and") parts.push(filter.slice(start, at + text.length));
  }
  return depth === 0 ? parts : [filter];
}
