import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { completeSession, notice, onStage, row, times } from "../../support/insight-stage.ts";

/** Types into the palette until the option is selected. */
async function search(page: Page, text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command" }).fill(text);
  await page.getByRole("option", { name: option, selected: true }).waitFor();
}

describe("palette in the window", (test) => {
  const skip = needsChromium();

  test(
    "given words for a tab, endpoint, session, setting or finding, goes there by keyboard alone",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await completeSession(stage);
        await times(8, () => ask("/missing"));
        await row(page, "/missing").nth(7).waitFor();

        await search(page, "perf trends", "Performance: Trends");
        assert.equal(await accessibilityFindings(page), []);
        await page.keyboard.press("Enter");
        assert.is(await page.getByRole("tab", { name: "Trends" }).getAttribute("aria-selected"), "true");

        await search(page, "critical path", "Go to Timeline");
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "Timeline" }).waitFor();

        await search(page, "slower than yesterday", "Compare the latest two sessions");
        await page.keyboard.press("Enter");
        await page.getByRole("grid", { name: "Endpoints of the two sessions" }).waitFor();
        await page.goBack();
        await page.getByRole("region", { name: "Timeline" }).waitFor();

        await search(page, "endpoint missing", /^Endpoint: GET \/missing/);
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "Endpoint" }).getByText("/missing").first().waitFor();

        await search(page, "finding errors", /^Finding: Errors/);
        await page.setViewportSize({ width: 400, height: 600 });
        const option = page.getByRole("option", { name: /^Finding: Errors/ });
        assert.not(
          await option.evaluate((line) => line.scrollHeight > line.clientHeight),
          "a name has room for two lines",
        );
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "Finding", exact: true }).waitFor();

        await search(page, "chain gap", "Find “chain gap” in Settings");
        await page.keyboard.press("Enter");
        await page.getByLabel("Chain gap").waitFor();
        await page.getByText("1 setting", { exact: true }).waitFor();

        await search(page, "save report", "Save the report (HTML)");
        const saving = page.waitForEvent("download");
        await page.keyboard.press("Enter");
        assert.match((await saving).suggestedFilename(), /^weir-report-.*\.html$/);

        await search(page, "copy link", "Copy link to this place");
        await page.keyboard.press("Enter");
        await page.getByText("Link copied.").first().waitFor();
        const link = await page.evaluate(() => navigator.clipboard.readText());
        await page.keyboard.press("1");
        await page.goto(link);
        await page.locator(".settings-find").waitFor();

        await search(page, "session shop", /^Open session: shop\.test/);
        await page.keyboard.press("Enter");
        await notice(page, "Showing shop.test").waitFor();
        await row(page, "/orders").nth(4).waitFor();
        await row(page, "/orders").first().click();
        await search(page, "inspector timing", "Inspector: Timing");
        await page.keyboard.press("Enter");
        assert.is(await page.getByRole("tab", { name: "Timing" }).getAttribute("aria-selected"), "true");
      }),
    { skip },
  );
});
