type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown, given: never) => boolean;

/**
 * The keywords of JSON Schema (draft 2020-12) that the published schemas use, except keywords about parts of a value.
 */
const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (value, given: string | readonly string[]) => [given].flat().some((type) => isOf(value, type)),
  const: (value, given: unknown) => value === given,
  enum: (value, given: readonly unknown[]) => given.includes(value),
  minimum: (value, given: number) => typeof value !== "number" || value >= given,
  maximum: (value, given: number) => typeof value !== "number" || value <= given,
  maxItems: (value, given: number) => !Array.isArray(value) || value.length <= given,
  pattern: (value, given: string) => typeof value !== "string" || new RegExp(given, "u").test(value),
  required: (value, given: readonly string[]) => !isRecord(value) || given.every((name) => Object.hasOwn(value, name)),
};

const ANNOTATIONS = ["$schema", "title", "description"];
const OF_PARTS = ["properties", "additionalProperties", "propertyNames", "items", "anyOf"];
const KNOWN = new Set([...ANNOTATIONS, ...OF_PARTS, ...Object.keys(KEYWORDS)]);

/**
 * Where `value` violates the schema, and which keyword it violates; empty if it is valid. Throws for an unknown
 * keyword.
 */
export function schemaProblems(schema: Schema, value: unknown, at = "$"): readonly string[] {
  const unknown = Object.keys(schema).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new Error(`the validator does not know ${unknown}`);
  const own = Object.entries(schema)
    .filter(([name, given]) => KEYWORDS[name]?.(value, given as never) === false)
    .map(([name]) => `${at}: ${name} ${JSON.stringify(value)?.slice(0, 80)}`);
  return [...own, ...problemsOfParts(schema, value, at)];
}

function problemsOfParts(schema: Schema, value: unknown, at: string): readonly string[] {
  const problems: string[] = [];
  const anyOf = schema["anyOf"] as readonly Schema[] | undefined;
  const tried = anyOf?.map((one) => schemaProblems(one, value, at)) ?? [];
  // The alternative with the fewest problems is taken for the one that was meant.
  if (tried.every((one) => one.length > 0)) problems.push(...(tried.toSorted((a, b) => a.length - b.length)[0] ?? []));
  const items = schema["items"] as Schema | undefined;
  if (Array.isArray(value) && items !== undefined)
    problems.push(...value.flatMap((item, index) => schemaProblems(items, item, `${at}[${index}]`)));
  if (!isRecord(value)) return problems;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const others = (schema["additionalProperties"] ?? true) as Schema | boolean;
  const names = schema["propertyNames"] as Schema | undefined;
  for (const [name, part] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : others;
    if (known === false) problems.push(`${at}.${name}: is no property`);
    else if (typeof known === "object") problems.push(...schemaProblems(known, part, `${at}.${name}`));
    if (names !== undefined && schemaProblems(names, name).length > 0) problems.push(`${at}.${name}: is no name`);
  }
  return problems;
}

function isOf(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
