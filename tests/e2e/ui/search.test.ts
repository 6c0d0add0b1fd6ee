import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { HOSTILE, onMainWindow, row } from "../../support/main-window.ts";

describe("search in headers and bodies", (test) => {
  const skip = needsChromium();

  test(
    "given a text, finds it in headers and bodies despite a filter, and opens the exchange and tab of a hit",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (let count = 1; count <= 5; count += 1) await ask(`/orders/${count}`);
        await row(page, "/orders/5").waitFor();
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("hostile");
        await page.getByText("0 of 5", { exact: true }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Search headers and bodies" }).click();
        const drawer = page.getByRole("region", { name: "Search headers and bodies" });
        const text = drawer.getByLabel("Text to search for");
        assert.is(await text.inputValue(), "hostile", "it begins with what was looked for in addresses");
        await text.press("Enter");
        await drawer.getByText("5 exchanges contain it.").first().waitFor();
        await text.fill(HOSTILE.slice(0, 12));
        await text.press("Enter");
        await drawer.getByText("5 exchanges contain it.").first().waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await text.fill("/orders/3?delay");
        await drawer.getByRole("button", { name: "Search", exact: true }).click();
        await drawer.getByText("1 exchange contains it.").first().waitFor();
        await drawer.getByRole("list", { name: "Found" }).getByRole("button").click();
        await page.getByRole("row", { selected: true }).filter({ hasText: "/orders/3" }).waitFor();
        await page.getByRole("tab", { name: "Overview", selected: true }).waitFor();
        assert.is(await filter.inputValue(), "");
        // Earlier results reappear, and are gone once their session is.
        await page.keyboard.press("Control+Shift+F");
        await drawer.getByText("1 exchange contains it.").first().waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "New session" }).click();
        await page.getByRole("button", { name: "Sessions", exact: true }).click();
        await page.getByRole("button", { name: /^Open server\.test, / }).click();
        await page.getByRole("button", { name: "Back to the recording" }).waitFor();
        await page.keyboard.press("Control+Shift+F");
        await drawer.getByText("1 exchange contains it.").first().waitFor({ state: "hidden" });
        assert.is(await drawer.getByRole("list", { name: "Found" }).count(), 0);
      }),
    { skip },
  );

  test(
    "given hits, opens each beside the list of hits, with the text marked in its body",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (let count = 1; count <= 3; count += 1) await ask(`/orders/${count}`);
        await row(page, "/orders/3").waitFor();
        await page.keyboard.press("Control+Shift+F");
        const drawer = page.getByRole("region", { name: "Search headers and bodies" });
        await drawer.getByLabel("Text to search for").fill(HOSTILE.slice(0, 12));
        await page.keyboard.press("Enter");
        const hits = drawer.getByRole("list", { name: "Found" }).getByRole("button");
        const marked = page.getByRole("region", { name: "Inspector" }).locator(".body-match.is-current");
        await hits.nth(0).click();
        await page.getByRole("row", { selected: true }).filter({ hasText: "/orders/3" }).waitFor();
        await marked.waitFor();
        await page.keyboard.press("j");
        await page.keyboard.press("Enter");
        await page.getByRole("row", { selected: true }).filter({ hasText: "/orders/2" }).waitFor();
        await marked.waitFor();
        assert.is(await hits.count(), 3);
        for (const [width, height] of [
          [900, 600],
          [640, 400],
          [1280, 800],
        ] as const) {
          await page.setViewportSize({ width, height });
          const isOnTop = await drawer.getByRole("heading").evaluate((title) => {
            const box = title.getBoundingClientRect();
            return document.elementFromPoint(box.x + 8, box.y + box.height / 2) === title;
          });
          assert.ok(isOnTop, `nothing covers the drawer at ${width} px`);
        }
        // Escape closes one level at a time: the search, then the inspector.
        await page.keyboard.press("Escape");
        await drawer.waitFor({ state: "hidden" });
        await page.getByRole("region", { name: "Inspector" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("region", { name: "Inspector" }).waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "given a match behind a long text, shows it in the list of hits at each width",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask(`/${"before/".repeat(8)}needle`);
        await row(page, "needle").waitFor();
        await page.keyboard.press("Control+Shift+F");
        const drawer = page.getByRole("region", { name: "Search headers and bodies" });
        await drawer.getByLabel("Text to search for").fill("needle");
        await page.keyboard.press("Enter");
        const mark = drawer.locator("mark");
        await mark.waitFor();
        for (const width of [640, 900, 1280]) {
          await page.setViewportSize({ width, height: 600 });
          const isShown = await mark.evaluate((element) => {
            const { right, top, height } = element.getBoundingClientRect();
            return document.elementFromPoint(right - 4, top + height / 2) === element;
          });
          assert.ok(isShown, `the match is cut at ${width} px`);
        }
      }),
    { skip },
  );

  for (const [name, end] of [
    ["cleared", (page: Page) => page.keyboard.press("Control+l")],
    ["ended by a new one", (page: Page) => page.getByRole("button", { name: "New session" }).click()],
  ] as const) {
    test(
      `given a session that is ${name} in another window, removes its search results`,
      () =>
        onMainWindow(async ({ page, weir, ask }) => {
          await ask("/orders");
          await row(page, "/orders").waitFor();
          await page.keyboard.press("Control+Shift+F");
          const drawer = page.getByRole("region", { name: "Search headers and bodies" });
          await drawer.getByLabel("Text to search for").fill("orders");
          await page.keyboard.press("Enter");
          await drawer.getByText("1 exchange contains it.").first().waitFor();
          const other = await page.context().newPage();
          await other.goto(weir.ui);
          await row(other, "/orders").waitFor();
          await end(other);
          // While the drawer is open.
          await drawer.getByText("1 exchange contains it.").first().waitFor({ state: "hidden" });
          assert.is(await drawer.getByRole("list", { name: "Found" }).count(), 0);
        }),
      { skip },
    );
  }

  test(
    "given no search text, asks for one, and given no match, says so",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask("/orders");
        await row(page, "/orders").waitFor();
        await page.keyboard.press("Control+Shift+F");
        const drawer = page.getByRole("region", { name: "Search headers and bodies" });
        await drawer.getByRole("button", { name: "Search", exact: true }).click();
        await drawer.getByRole("alert").filter({ hasText: "Enter the text to search for." }).waitFor();
        await drawer.getByLabel("Text to search for").fill("in no body");
        await page.keyboard.press("Enter");
        await drawer.getByText("No exchange contains this text.").first().waitFor();
        await page.keyboard.press("Escape");
        await drawer.waitFor({ state: "hidden" });
      }),
    { skip },
  );
});
