import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { copied, LARGE, LINES, ONE_LINE, onBodies, place, search, shownLines } from "../../support/body-window.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";

/** Scrolls to the end of the loaded text until all of it is loaded. */
async function readOn(page: Page): Promise<void> {
  const said = () => page.locator(".body-problem:visible").allTextContents();
  for (let before = await said(); before.length > 0; before = await said()) {
    await page.keyboard.press("ControlOrMeta+End");
    await page.waitForFunction(
      (text) => document.querySelector<HTMLElement>(".body-problem:not([style*='none'])")?.textContent !== text,
      before[0],
    );
  }
}

describe("large bodies", (test) => {
  const skip = needsChromium();

  test(
    "a large body is read on to its end, its signs whole, and is copied as it was sent",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/large");
        await page.getByText(/^The first .* are shown/).waitFor();
        const scroller = page.locator(".cm-scroller");
        const offset = () => scroller.evaluate((element) => element.scrollTop);
        await scroller.evaluate((element) => {
          element.scrollTop = element.scrollHeight;
        });
        const before = await offset();
        const isLarger = (least: number) =>
          page.waitForFunction(
            (wanted) =>
              (document.querySelector(".body-text")?.shadowRoot?.querySelector(".cm-scroller")?.scrollHeight ?? 0) >
              wanted,
            least,
          );
        await isLarger(before + 1_000);
        assert.ok(Math.abs((await offset()) - before) < 40, "what is in sight stays");
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+End");
        await text.locator(".cm-line", { hasText: `line ${LINES} of the log, 12 € and more` }).waitFor();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.ok((await copied(page)) === LARGE);
        await search(page).fill("12 €");
        await place(page, "1 of 40,000").waitFor();
      }),
    { skip, limit: 60_000 },
  );

  test(
    "hex is read on as well, and says where a line stands",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/binary");
        assert.is((await shownLines(text))[0], `${"07 ".repeat(8)} ${"07 ".repeat(8)} ${"·".repeat(16)}`);
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+End");
        await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: "16e350" }).waitFor();
      }),
    { skip, limit: 60_000 },
  );

  test(
    "a line of megabytes is wrapped, drawn in part, and copied as the one line that it is",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/line");
        assert.ok((await text.locator("*").count()) < 2_000);
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.ok((await copied(page)) === ONE_LINE);
      }),
    { skip, limit: 60_000 },
  );
});
