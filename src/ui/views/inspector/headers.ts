/** One header field as it was sent. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The fields of a raw head (start line first, as received), in their order, duplicates kept. */
export function headersOf(head: string | null): readonly HeaderField[] {
  if (head === null) return Object.freeze([]);
  const fields = head.split(/\r?\n/).slice(1);
  return Object.freeze(
    fields
      .filter((line) => line.includes(":"))
      .map((line) => {
        const colon = line.indexOf(":");
        return Object.freeze({ name: line.slice(0, colon), value: line.slice(colon + 1).trim() });
      }),
  );
}

/** All values of a field, joined as RFC 9110, section 5.3 has it; `null` if there is none. */
export function fieldOf(fields: readonly HeaderField[], name: string): string | null {
  const values = fields.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value);
  return values.length === 0 ? null : values.join(", ");
}

/** "502 Bad Gateway" of a response head; empty if there is none. */
export function statusLineOf(head: string | null): string {
  const line = head?.split(/\r?\n/, 1)[0] ?? "";
  return line.replace(/^\S+\s*/, "");
}
