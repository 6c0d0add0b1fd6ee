import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { filterBox, onHub, verdict } from "../../support/setup-hub.ts";

/** The default limit is 30 seconds (docs/specification.md), so more remaining time shows that it was extended. */
const MORE_THAN_ONE_TEST = /^(3[1-9]|[45]\d|60) seconds left$/;

describe("Setup Hub keyboard", (test) => {
  const skip = needsChromium();

  test(
    "given the keyboard alone, finds a target, starts its test, extends it and stops it",
    () =>
      onHub(async ({ page }) => {
        const press = async (...keys: readonly string[]) => {
          for (const key of keys) await page.keyboard.press(key);
        };
        await page.keyboard.type("runtimes");
        await press("ArrowDown", "ArrowDown", "Enter");
        await page.getByRole("heading", { name: "Ruby", exact: true }).waitFor();
        await press("Escape");
        assert.is(await filterBox(page).inputValue(), "");
        await press("Tab", "Tab", "ArrowRight");
        assert.is(await page.evaluate(() => document.activeElement?.textContent), "Validate");
        await press("Tab", "Enter");
        await verdict(page, "Waiting for the request").waitFor();
        await page.getByRole("button", { name: "+30 s" }).focus();
        await press("Enter");
        await page.getByRole("timer", { name: MORE_THAN_ONE_TEST }).waitFor();
        await press("Tab", "Enter");
        await verdict(page, "Test stopped").waitFor();
        await page.getByText("You stopped the test.").first().waitFor();
      }),
    { skip },
  );

  test(
    "given no frame between two keys, each key acts on what the key before showed or hid",
    () =>
      onHub(async ({ page }) => {
        await page.evaluate(() => {
          window.requestAnimationFrame = () => 0;
        });
        const focused = () =>
          page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
        await page.keyboard.type("ruby");
        await page.keyboard.press("Tab");
        assert.is(await focused(), "Clear filter");
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Escape");
        await page.keyboard.press("Tab");
        assert.is(await focused(), "Targets by category");
        for (const key of ["Tab", "ArrowRight", "Tab"]) await page.keyboard.press(key);
        assert.is(await focused(), "Run Test");
      }),
    { skip },
  );
});
