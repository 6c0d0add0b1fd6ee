import type { Locator } from "playwright-core";
import * as assert from "uvu/assert";

/** Window widths in px at which a fingerprint is wrapped into lines of whole bytes. */
export async function breaksBetweenBytes(fingerprint: Locator, from: number, to: number): Promise<void> {
  for (let width = from; width < to; width += 37) {
    await fingerprint.page().setViewportSize({ width, height: 600 });
    const lines = await linesOf(fingerprint);
    assert.ok(lines.length > 1, `one line at ${width}`);
    for (const line of lines) assert.match(line, /^([0-9A-F]{2}(:|$))+$/);
  }
}

/** The lines of a wrapped text. */
function linesOf(text: Locator): Promise<readonly string[]> {
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
