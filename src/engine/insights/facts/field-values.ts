import type { HeaderField } from "../../model/head.ts";

/** The value of the first field with this lower-case name; `null` if there is none. */
export function fieldIn(fields: readonly HeaderField[], name: string): string | null {
  // A loop, because it runs dozens of times for each exchange.
  for (const field of fields) if (field.name === name) return field.value;
  return null;
}

/** The values of all fields with this lower-case name, in order. */
export function valuesIn(fields: readonly HeaderField[], name: string): readonly string[] {
  const values: string[] = [];
  for (const field of fields) if (field.name === name) values.push(field.value);
  return values;
}
