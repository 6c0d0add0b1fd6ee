import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { onBodies } from "../../support/body-window.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";

/** The panel's share of the column that it stands in. */
const share = (page: Page) =>
  page.evaluate(() => {
    const panel = document.querySelector<HTMLElement>(".inspector");
    return (panel?.offsetHeight ?? 0) / (panel?.parentElement?.clientHeight ?? 1);
  });

const waitForShare = (page: Page, least: number, most: number) =>
  page.waitForFunction(
    ([from, to]) => {
      const panel = document.querySelector<HTMLElement>(".inspector");
      const now = (panel?.offsetHeight ?? 0) / (panel?.parentElement?.clientHeight ?? 1);
      return now >= (from ?? 0) && now <= (to ?? 1);
    },
    [least, most],
  );

const MANY_LINES = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");

describe("the inspector", (test) => {
  const skip = needsChromium();

  test(
    "it opens at 36 %, grows with what it shows up to 56 %, stays so for the next row, and keeps a chosen height",
    () =>
      onBodies(
        async ({ page }) => {
          await page.setViewportSize({ width: 1920, height: 1400 });
          await page.getByRole("row").filter({ hasText: "/short" }).click();
          await page.getByRole("tab", { name: "Response", exact: true }).click();
          await page.locator(".cm-line").first().waitFor();
          await waitForShare(page, 0.355, 0.365);

          await page.getByRole("row").filter({ hasText: "/many" }).click();
          await waitForShare(page, 0.555, 0.565);
          const handle = page.getByRole("separator", { name: "Resize the inspector" });
          const height = await page.locator(".inspector").evaluate((panel) => (panel as HTMLElement).offsetHeight);
          assert.is(await handle.getAttribute("aria-valuenow"), String(height), "the handle says how high it is");
          await page.getByRole("row").filter({ hasText: "/short" }).click();
          await page.locator(".cm-line").filter({ hasText: "few" }).waitFor();
          assert.ok((await share(page)) > 0.55, "the list does not jump between rows");

          await page.keyboard.press("Escape");
          await page.locator(".inspector").waitFor({ state: "detached" });
          await page.getByRole("row").filter({ hasText: "/short" }).click();
          await waitForShare(page, 0.355, 0.365);
          await handle.focus();
          await page.keyboard.press("Home");
          await page.getByRole("row").filter({ hasText: "/many" }).click();
          await page.locator(".cm-line").filter({ hasText: "line 1" }).first().waitFor();
          assert.is(await page.locator(".inspector").evaluate((panel) => (panel as HTMLElement).offsetHeight), 160);
          assert.equal(await accessibilityFindings(page), []);
        },
        { bodies: { "/short": ["text/plain", "few"], "/many": ["text/plain", MANY_LINES] } },
      ),
    { skip, limit: 120_000 },
  );
});
