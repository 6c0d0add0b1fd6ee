import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, onMainWindowTwice } from "../../support/main-window.ts";
import { pictures } from "../../support/pictures.ts";

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const gone = (page: Page, text: string) => row(page, text).waitFor({ state: "detached" });
const notice = (page: Page, text: string) => page.locator(".notice").filter({ hasText: text });
const hasNumber = async (page: Page, text: string, number: number) =>
  assert.is(await row(page, text).locator(".column-number").textContent(), String(number));
const grid = (page: Page) => page.getByRole("grid", { name: "Exchanges" });

describe("deletion of exchanges in the window", (test) => {
  const skip = needsChromium();

  test(
    "given rows and selections, deletes by key, bar, menu and palette, restores them by key and notice, also in a stored session",
    () =>
      onMainWindowTwice(
        async ({ page, weir, ask }) => {
          for (const path of ["/one", "/two", "/three", "/four", "/five", "/six"]) await ask(path);
          await row(page, "/six").waitFor();
          ask("/waiting", 60_000).catch(() => {});
          await row(page, "/waiting").waitFor();

          // By key, with the inspector open: it goes on to the next row, and so does the key.
          await row(page, "/one").click();
          await grid(page).focus();
          await page.keyboard.press("Delete");
          await gone(page, "/one");
          await notice(page, "1 exchange deleted.").waitFor();
          await page
            .locator(".list-row[aria-selected=true], .list-row.is-active")
            .filter({ hasText: "/two" })
            .waitFor();
          await page.getByRole("tabpanel").getByText("/two").first().waitFor();
          await page.keyboard.press("Delete");
          await gone(page, "/two");
          assert.equal(await accessibilityFindings(page), []);
          await pictures(page, "deleted");
          await page.keyboard.press("ControlOrMeta+z");
          await page.getByText("1 exchange restored.").waitFor();
          await row(page, "/two").waitFor();
          await page.keyboard.press("ControlOrMeta+z");
          await row(page, "/one").waitFor();

          // A selection, but for what is in flight; the notice undoes it.
          await page.keyboard.press("Escape");
          await row(page, "/five").click();
          await row(page, "/waiting").click({ modifiers: ["Shift"] });
          await page.getByRole("button", { name: "Delete", exact: true }).click();
          await notice(page, "2 exchanges deleted. 1 exchange in flight stayed.").waitFor();
          await gone(page, "/five");
          await grid(page).locator(".list-row.is-active").waitFor();
          await notice(page, "2 exchanges deleted").getByRole("button", { name: "Undo" }).click();
          await row(page, "/five").waitFor();
          await page.locator('[role="grid"][aria-label="Exchanges"]:focus').waitFor();

          // The menu and the palette; what is in flight is refused with the reason.
          await row(page, "/waiting").click({ button: "right" });
          assert.equal(await accessibilityFindings(page), []);
          await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
          await page.getByText("An exchange in flight cannot be deleted.").waitFor();
          await row(page, "/three").click({ button: "right" });
          await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
          await gone(page, "/three");
          await row(page, "/four").click();
          await page.keyboard.press("ControlOrMeta+k");
          await page.keyboard.type("delete exch");
          await page.keyboard.press("Enter");
          await gone(page, "/four");

          await hasNumber(page, "/five", 5);
          // Figures and exports have the rest.
          const exported = await weir.exportedOnce((text) => text.includes("/six"), "--format", "csv");
          assert.not.match(exported, /three|four/);
          assert.match(exported, /five/);
        },
        async ({ page, ask }) => {
          await ask("/new");
          await go(page, "Sessions");
          await page.getByRole("button", { name: /^Open server\.test, / }).click();
          await page.getByRole("button", { name: "Back to the recording" }).waitFor();
          await page.keyboard.press("1");
          await row(page, "/five").waitFor();
          await hasNumber(page, "/five", 5);
          for (const text of ["/three", "/four", "/new"]) assert.is(await row(page, text).count(), 0, text);
          await row(page, "/six").click();
          await grid(page).focus();
          await page.keyboard.press("Delete");
          await gone(page, "/six");
          await page.getByRole("button", { name: "Back to the recording" }).waitFor();
          await page.keyboard.press("ControlOrMeta+z");
          await row(page, "/six").waitFor();
        },
      ),
    { skip },
  );

  test(
    "given Escape on the list with a filter, clears the filter and says which key brings it back",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (const path of ["/one", "/two"]) await ask(path);
        await page.getByRole("combobox", { name: "Filter" }).fill("path:two ");
        await gone(page, "/one");
        await grid(page).focus();
        await page.keyboard.press("Escape");
        await row(page, "/one").waitFor();
        await page.getByText("Filter cleared. Ctrl/Cmd+Z brings it back.").waitFor();
        await page.keyboard.press("ControlOrMeta+z");
        await page.getByText("Filter restored.").waitFor();
        await gone(page, "/one");
      }),
    { skip },
  );
});
