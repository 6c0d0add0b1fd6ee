import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, openTab, row, sendTwelve, showEverySlowRequest } from "../../support/main-window.ts";

describe("main window", (test) => {
  const skip = needsChromium();

  for (const dark of [false, true]) {
    test(
      `given each view and tab, ${dark ? "dark" : "light"}, axe finds no violation`,
      () =>
        onMainWindow(async (stage) => {
          const { page } = stage;
          assert.equal(await accessibilityFindings(page), [], "empty");
          await sendTwelve(stage);
          await row(page, "/orders").nth(11).waitFor();
          await row(page, "/orders").first().click();
          await page.keyboard.press("Shift+End");
          await page.getByRole("group", { name: "Selected exchanges" }).waitFor();
          assert.equal(await accessibilityFindings(page), [], "several selected");
          await page.keyboard.press("Enter");
          for (const name of ["Overview", "Request", "Response", "Timing"]) {
            await page.getByRole("tab", { name, exact: true }).click();
            assert.equal(await accessibilityFindings(page), [], `Traffic, ${name}`);
          }
          await openTab(page, "Latency");
          await row(page, "/orders").first().click();
          await page.getByRole("region", { name: "Endpoint" }).locator("canvas").first().waitFor();
          assert.equal(await accessibilityFindings(page), [], "Latency");
          await showEverySlowRequest(page);
          await row(page, "/orders").first().waitFor();
          assert.equal(await accessibilityFindings(page), [], "Slow requests");
          await page.getByRole("button", { name: "By cause" }).click();
          await page
            .getByText(/no cause stands out|compared from/)
            .first()
            .waitFor();
          await page.getByRole("button", { name: "/orders" }).first().click();
          await page.locator(".slow-member").first().waitFor();
          assert.equal(await accessibilityFindings(page), [], "Causes of slow requests");
          await go(page, "Settings");
          await page.getByLabel("Slow requests: also over").waitFor();
          assert.equal(await accessibilityFindings(page), [], "Settings");
          const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
          const [red = 255] = (background.match(/\d+/g) ?? []).map(Number);
          assert.is(red < 128, dark, background);
        }, dark),
      { skip },
    );
  }
});
