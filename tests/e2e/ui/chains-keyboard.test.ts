import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { onStage, openTab, TOKEN, times } from "../../support/insight-stage.ts";

describe("Chains by keyboard", (test) => {
  const skip = needsChromium();

  test(
    "given several rows, the list is one tab stop, and arrow keys move through the rows",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/login");
        await ask(`/orders?token=${TOKEN}`);
        await times(12, () => ask("/text"));
        await openTab(page, "Chains");
        await page.getByRole("heading", { name: "Chains, proven first" }).waitFor();
        const rows = page.locator(".chain-row");
        const focused = () => rows.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement));
        assert.is(await rows.evaluateAll((all) => all.filter((each) => (each as HTMLElement).tabIndex >= 0).length), 0);
        await page.getByRole("region", { name: "Chains and repeats" }).focus();
        await page.keyboard.press("ArrowDown");
        assert.is(await focused(), 0);
        await page.keyboard.press("End");
        assert.is(await focused(), (await rows.count()) - 1);
        await page.keyboard.press("Tab");
        assert.is(await focused(), -1, "Tab leaves the list");
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Home");
        assert.is(await focused(), 0);
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "Chain", exact: true }).waitFor();
        assert.equal(await accessibilityFindings(page), []);
      }),
    { skip },
  );
});
