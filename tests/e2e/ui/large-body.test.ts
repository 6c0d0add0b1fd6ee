import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { copied, LARGE, LINES, ONE_LINE, onBodies, place, search, shownLines } from "../../support/body-window.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";

const ITEMS = 26_000;
const FIVE_MEGABYTES = JSON.stringify({
  items: Array.from({ length: ITEMS }, (_, index) => ({
    sku: `sku-${index}`,
    name: `Product number ${index}`,
    price: { amount: index, currency: "€" },
    tags: ["one", "two", `tag ${index}`],
    note: "x".repeat(72),
  })),
});

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
    "given a large body, loads it to its end without splitting characters, and copies it as sent",
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
    { skip },
  );

  test(
    "given five megabytes of JSON, indents, folds and colours them without blocking the page",
    () =>
      onBodies(
        async ({ page, choose }) => {
          await page.evaluate(() => {
            const { port1, port2 } = new MessageChannel();
            const counted = window as unknown as { turns: number };
            counted.turns = 0;
            port1.onmessage = () => {
              counted.turns += 1;
              port2.postMessage(null);
            };
            port2.postMessage(null);
          });
          const turns = () => page.evaluate(() => (window as unknown as { turns: number }).turns);
          await choose("/json");
          const text = page.getByRole("textbox", { name: "Response body", exact: true });
          await page.getByText("Loading…").first().waitFor({ state: "hidden" });
          const before = await turns();
          await text.locator(".cm-line", { hasText: '"items": [' }).waitFor();
          assert.ok((await turns()) > before, "the page handled other events");
          await search(page).fill(`sku-${ITEMS - 1}`);
          await place(page, "1 of 1").waitFor();
          await text.locator(".cm-line", { hasText: `"sku": "sku-${ITEMS - 1}"` }).waitFor();
          assert.is(await page.locator(".body-problem:visible").count(), 0);
        },
        { bodies: { "/json": ["application/json", FIVE_MEGABYTES] } },
      ),
    { skip },
  );

  test(
    "given a large body in Hex, loads it to its end and numbers lines by their offsets",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/binary");
        assert.is((await shownLines(text))[0], `${"07 ".repeat(8)} ${"07 ".repeat(8)} ${"·".repeat(16)}`);
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+End");
        await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: "16e350" }).waitFor();
      }),
    { skip },
  );

  test(
    "given a line of megabytes, wraps it, renders only a part, and copies it as one line",
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
    { skip },
  );
});
