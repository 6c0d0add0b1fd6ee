/** Our choice: longest name of a program that is kept, in characters. */
const LONGEST = 64;

/** A program's name as it may be shown: whoever gave it may be hostile, so it is not long and has no control letters. `null`: none is left. */
export function programNamed(text: string): string | null {
  const name = text
    .trim()
    .slice(0, LONGEST)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return name === "" ? null : name;
}
