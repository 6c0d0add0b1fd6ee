import * as assert from "uvu/assert";
import { copied, ORDER, onBodies, place, search, shownLines } from "../../support/body-window.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";

describe("search and folding in bodies", (test) => {
  const skip = needsChromium();

  test(
    "given a search text, counts and marks the matches, goes through them, and opens folds that hide one",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/order");
        await search(page).fill("E");
        await place(page, "1 of 10").waitFor();
        assert.ok((await text.locator(".body-match").count()) > 3);
        await search(page).fill("NEEDLE");
        await place(page, "1 of 1").waitFor();
        const current = text.locator(".body-match.is-current");
        await current.filter({ hasText: "needle" }).waitFor();
        await search(page).fill("sku");
        await place(page, "1 of 3").waitFor();
        for (const at of [2, 3, 1]) {
          await search(page).press("Enter");
          await place(page, `${at} of 3`).waitFor();
          assert.is(await current.count(), 1);
        }
        await search(page).press("Shift+Enter");
        await place(page, "3 of 3").waitFor();
        await search(page).fill("nowhere");
        await place(page, "0 of 0").waitFor();
        assert.is(await text.locator(".body-match").count(), 0);
      }),
    { skip },
  );

  test(
    "given JSON, folds and unfolds parts in the gutter, by their notes and by keys, and copies it unchanged",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/order");
        const lines = () => text.locator(".cm-line").count();
        const folded = await lines();
        await text.locator(".body-note", { hasText: "3 objects" }).click();
        assert.is(await lines(), folded + 4);
        const mark = (title: RegExp) => page.locator(".body-folds").getByTitle(title).filter({ visible: true }).first();
        await mark(/^Fold/).click();
        assert.equal(await shownLines(text), ["{3 members}"]);
        await page
          .locator(".body-folds")
          .getByTitle(/^Unfold/)
          .first()
          .click();
        assert.is(await lines(), folded + 4);
        await text.focus();
        await page.keyboard.press("ControlOrMeta+Home");
        await page.keyboard.press("Enter");
        assert.is(await lines(), 1);
        await page.keyboard.press("Control+Shift+BracketRight");
        assert.is(await lines(), folded + 4);
        for (let down = 0; down < 4; down += 1) await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Control+Shift+BracketLeft");
        assert.is(await lines(), 5);
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.equal(JSON.parse(await copied(page)), JSON.parse(ORDER));
      }),
    { skip },
  );
});
