/** A JSON Schema (draft 2020-12): values by keyword. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schemas of all fields of an object; the compiler reports a missing field. */
type Fields<Shape> = { readonly [Name in keyof Required<Shape>]: Schema };

export function objectOf<Shape extends object>(
  fields: Fields<Shape>,
  description?: string,
  optional: readonly (keyof Shape & string)[] = [],
): Schema {
  const properties: Readonly<Record<string, Schema>> = fields;
  return {
    ...(description === undefined ? {} : { description }),
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.some((other) => other === name)),
    properties,
    additionalProperties: false,
  };
}

export function listOf(items: Schema, description?: string): Schema {
  return { ...(description === undefined ? {} : { description }), type: "array", items };
}

export function text(description: string): Schema {
  return { description, type: "string" };
}

/** A number. `least`: its minimum; `null`: the number may be negative. */
export function amount(description: string, least: number | null = 0): Schema {
  return { description, type: "number", ...(least === null ? {} : { minimum: least }) };
}

/** A whole number. */
export function count(description: string, least = 0): Schema {
  return { description, type: "integer", minimum: least };
}

export function flag(description: string): Schema {
  return { description, type: "boolean" };
}

export function choice(values: readonly string[], description: string): Schema {
  return { description, enum: values };
}

/** Allows `null` as well, for what did not happen or is unknown. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return values === undefined
    ? { ...schema, type: [type, "null"] }
    : { ...schema, enum: [...(values as string[]), null] };
}

/** A list of exchange ids. */
export function exchanges(description: string): Schema {
  return listOf({ type: "integer", minimum: 1 }, description);
}
