import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, row, sendTwelve } from "../../support/main-window.ts";

describe("performance", (test) => {
  const skip = needsChromium();

  test(
    "five requests make a row with percentiles; selecting it opens its histogram",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        for (let count = 0; count < 4; count += 1) await ask("/orders");
        await go(page, "Performance");
        await page.getByText("1 endpoint still collecting").waitFor();
        await ask("/orders");
        const cells = row(page, "/orders").getByRole("gridcell");
        await cells.first().waitFor();
        assert.match((await cells.first().textContent()) ?? "", /GET\s*\/orders\s*server\.test/);
        assert.is((await cells.nth(1).textContent())?.trim(), "5");
        for (const column of [2, 3, 4])
          assert.match((await cells.nth(column).textContent())?.trim() ?? "", /^[\d,.]+$/);
        await row(page, "/orders").click();
        const panel = page.getByRole("region", { name: "Endpoint" });
        await panel.getByRole("table").first().waitFor({ state: "attached" });
        const counts = await panel.getByRole("table").first().locator("td").allTextContents();
        assert.is(
          counts.reduce((sum, count) => sum + Number(count), 0),
          5,
          "the histogram holds every sample",
        );
        await panel.locator("canvas").first().waitFor();
      }),
    { skip },
  );

  test(
    "a slow request explains itself and leads to its timing",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        await sendTwelve(stage);
        await go(page, "Performance");
        await page.getByRole("tab", { name: /^Slow requests/ }).click();
        // The list may be there before the last request has been recorded.
        const slow = row(page, "/orders").filter({ hasText: "the server took" }).first();
        await slow.waitFor();
        assert.match(
          (await slow.textContent()) ?? "",
          /x its p50, .*ms over its p95; *the server took .*ms longer than usual\./,
        );
        await slow.click();
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "Timing", selected: true }).waitFor();
        await page.getByText("reused").first().waitFor();
      }),
    { skip },
  );

  test(
    "the fixed threshold is checked beside its field, and flags what is over it",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        await ask("/single", 60);
        await go(page, "Settings");
        const field = page.getByLabel("Fixed latency threshold");
        const complaint = page.getByRole("alert").filter({ hasText: "from 1 to 600,000" });
        for (const wrong of ["0", "600001", "1.5", "soon"]) {
          await field.fill(wrong);
          await field.press("Enter");
          await complaint.waitFor();
          await field.fill("50");
          await field.press("Enter");
          await complaint.waitFor({ state: "detached" });
        }
        await go(page, "Performance");
        await page.getByRole("tab", { name: /^Slow requests/ }).click();
        await row(page, "over the 50 ms limit").first().waitFor();
      }),
    { skip },
  );
});
