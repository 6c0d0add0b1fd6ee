import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, row } from "../../support/main-window.ts";
import { pictures } from "../../support/pictures.ts";

const SIZES = [
  [900, 600],
  [1280, 800],
] as const;

describe("slowed clients in the window", (test) => {
  const skip = needsChromium();

  for (const dark of [false, true])
    test(
      `given custom figures, ${dark ? "dark" : "light"}, slows clients, says so in every view and the title, and ends with one click`,
      () =>
        onMainWindow(async ({ page, ask }) => {
          const bar = page.locator(".notice.is-slowed");
          await go(page, "Settings");
          await page.getByRole("button", { name: "Slow clients on purpose…" }).click();
          const dialog = page.getByRole("dialog", { name: "Slow clients on purpose" });
          await dialog.getByLabel("Round trip").fill("x");
          await dialog.getByRole("button", { name: "Slow down" }).click();
          await dialog.getByText("The round trip must be a whole number of ms from 0 to 10,000.").waitFor();
          for (const [width, height] of SIZES) {
            await page.setViewportSize({ width, height });
            const box = await dialog.boundingBox();
            assert.ok(box !== null && box.height <= height && box.width <= width, JSON.stringify(box));
            const field = await dialog.getByLabel("Hosts").boundingBox();
            const last = await dialog.getByRole("button", { name: "Slow down" }).boundingBox();
            assert.ok(field !== null && last !== null);
            assert.ok(
              Math.abs(field.x + field.width - last.x - last.width) <= 1,
              "the field ends with the dialog's text",
            );
            assert.equal(await accessibilityFindings(page), []);
          }
          await dialog.getByLabel("Round trip").fill("60");
          await dialog.getByLabel("Down").fill("2000");
          await dialog.getByLabel("Up").press("Enter");
          await bar.getByText("Slowed on purpose: 60 ms, 2,000/750 kbit/s.").waitFor();
          for (let count = 0; count < 3; count += 1) await ask("/orders");
          for (const view of ["Traffic", "Performance", "Timeline", "Sessions", "Settings"]) {
            await go(page, view);
            await bar.waitFor();
            assert.is(await page.title(), "Weir, slowed on purpose");
          }
          await go(page, "Timeline");
          for (const [width, height] of SIZES) {
            await page.setViewportSize({ width, height });
            await page.getByText("slowed on purpose", { exact: true }).waitFor();
            const tops = await page
              .locator(".timeline-chip, .timeline .ml-auto > .btn")
              .filter({ visible: true })
              .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom));
            assert.is(new Set(tops).size, 1, `the bar is one line at ${width}`);
          }
          await pictures(page, `timeline-slowed-${dark ? "dark" : "light"}`);
          await go(page, "Traffic");
          await row(page, "/orders").first().click();
          await page.getByRole("tab", { name: /^Timing/ }).click();
          await page.getByText("Slowed on purpose", { exact: true }).waitFor();
          for (const [width, height] of SIZES) {
            await page.setViewportSize({ width, height });
            assert.is((await bar.boundingBox())?.height, 28);
            assert.equal(await accessibilityFindings(page), []);
          }
          await bar.getByRole("button", { name: "End" }).click();
          await bar.waitFor({ state: "hidden" });
          assert.is(await page.title(), "Weir");
          await go(page, "Sessions");
          await page.getByText(/Slowed on purpose: 60 ms/).waitFor({ state: "attached" });
        }, dark),
      { skip },
    );
});
