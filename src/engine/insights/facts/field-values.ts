import type { HeaderField } from "../../model/head.ts";

/** The value of the first field with this lower-case name; `null` if there is none. */
export function fieldIn(fields: readonly HeaderField[], name: string): string | null {
  return fields.find((field) => field.name === name)?.value ?? null;
}

/** The values of all fields with this lower-case name, in order. */
export function valuesIn(fields: readonly HeaderField[], name: string): readonly string[] {
  return fields.flatMap((field) => (field.name === name ? [field.value] : []));
}
