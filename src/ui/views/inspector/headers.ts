import { textOf } from "../../../engine/quoting/utf8.ts";

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The fields of a head in the order received, with duplicates. The start line is omitted. */
export function headersOf(head: string | null): readonly HeaderField[] {
  if (head === null) return Object.freeze([]);
  const fields = head.split(/\r?\n/).slice(1);
  return Object.freeze(
    fields
      .filter((line) => line.includes(":"))
      .map((line) => {
        const colon = line.indexOf(":");
        return Object.freeze({ name: textOf(line.slice(0, colon)), value: textOf(line.slice(colon + 1).trim()) });
      }),
  );
}

/** All values of a field, joined as RFC 9110, section 5.3 prescribes; `null` if there is no such field. */
export function fieldOf(fields: readonly HeaderField[], name: string): string | null {
  const values = fields.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value);
  return values.length === 0 ? null : values.join(", ");
}

/** The status of a response head, "502 Bad Gateway"; empty if there is no head. */
export function statusLineOf(head: string | null): string {
  const line = head?.split(/\r?\n/, 1)[0] ?? "";
  return textOf(line.replace(/^\S+\s*/, ""));
}
