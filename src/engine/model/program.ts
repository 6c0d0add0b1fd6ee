/** The most characters of a program's name. */
const LONGEST = 64;

/**
 * Makes a program's name safe to show: shortens it and removes control characters, since its source may be hostile.
 * `null` if nothing is left.
 */
export function programNamed(text: string): string | null {
  const name = text
    .trim()
    .slice(0, LONGEST)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return name === "" ? null : name;
}
