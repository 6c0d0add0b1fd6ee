import type { Locator } from "playwright-core";

/** The lines that a text is broken into. */
export function linesOf(text: Locator): Promise<readonly string[]> {
  return text.evaluate((element) => {
    const whole = element.firstChild as Text;
    const range = document.createRange();
    const lines = new Map<number, string>();
    for (let at = 0; at < whole.length; at += 1) {
      range.setStart(whole, at);
      range.setEnd(whole, at + 1);
      const { top } = range.getBoundingClientRect();
      lines.set(top, (lines.get(top) ?? "") + whole.data.charAt(at));
    }
    return [...lines.values()];
  });
}
