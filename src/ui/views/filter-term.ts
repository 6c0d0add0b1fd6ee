/** Names that the filter language takes without quotes. */
const PLAIN_NAME = /^[\w.-]{1,80}$/;

/** Values that it takes without quotes after any key; a value like `8080` could be read as a port. */
const PLAIN_VALUE = /^[a-z*/][\w./*-]*$/i;

/** The most characters of a value that a menu puts into a filter. */
const LONGEST_VALUE = 300;

/** The term `key:value`; `null` if the filter language cannot say the value. */
export function keyedTerm(key: string, value: string): string | null {
  if (value === "" || value.includes('"') || value.length > LONGEST_VALUE) return null;
  if (key === "status") return `status:${value}`;
  return PLAIN_VALUE.test(value) && !value.startsWith("//") ? `${key}:${value}` : `${key}:"${value}"`;
}

/** The term for a header or a query parameter with this value; without a value, for any. `null` as in `keyedTerm`. */
export function namedTerm(prefix: "q" | "req" | "resp", name: string, value: string): string | null {
  if (!PLAIN_NAME.test(name)) return null;
  const key = `${prefix}.${prefix === "q" ? name : name.toLowerCase()}`;
  return value === "" ? `${key}:` : keyedTerm(key, value);
}

/** Words are separated by spaces outside quotes, as in the engine. */
const WORD = /(?:[^\s"]|"[^"]*"?)+/g;

/** The filter with one more term, in place of the same term or its opposite. */
export function withTerm(filter: string, term: string): string {
  const opposite = term.startsWith("-") ? term.slice(1) : `-${term}`;
  const words = filter.match(WORD) ?? [];
  const rest = words.filter((word) => word !== term && word !== opposite).join(" ");
  return rest === "" ? term : `${rest} ${term}`;
}
