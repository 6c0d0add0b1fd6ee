/** Characters of a program's stored name. Default; not from a specification. */
const LONGEST = 64;

/**
 * A program's name, safe to show: cut and without control characters, since its source may be hostile. `null`: nothing
 * is left.
 */
export function programNamed(text: string): string | null {
  const name = text
    .trim()
    .slice(0, LONGEST)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return name === "" ? null : name;
}
