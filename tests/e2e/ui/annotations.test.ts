import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { onMainWindowTwice } from "../../support/main-window.ts";

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const markOf = (page: Page, text: string, mark: string) =>
  row(page, text).getByRole("gridcell", { name: mark, exact: true });

describe("marks and comments on exchanges", (test) => {
  const skip = needsChromium();

  test(
    "given marks and comments from list, menu and inspector, filters by them, exports them and keeps them after a restart",
    () =>
      onMainWindowTwice(
        async ({ page, weir, ask }) => {
          for (const path of ["/one", "/two", "/three", "/four"]) await ask(path);
          await row(page, "/four").waitFor();

          // By key; the same key removes the mark.
          await row(page, "/one").click();
          await page.getByRole("grid", { name: "Exchanges" }).focus();
          await page.keyboard.press("m");
          await markOf(page, "/one", "Star").waitFor({ state: "attached" });
          await page.keyboard.press("m");
          await page.getByText("Mark removed.").waitFor();
          await markOf(page, "/one", "Star").waitFor({ state: "detached" });
          await page.keyboard.press("m");
          await page.getByText("Marked: Star.").waitFor();

          // In the inspector, with a comment that is saved automatically.
          await row(page, "/two").click();
          await page.getByRole("radio", { name: "Flag" }).click();
          await page.getByRole("radio", { name: "Flag", checked: true }).waitFor();
          await page.keyboard.press("ArrowRight");
          await page.getByRole("radio", { name: "Check", checked: true }).waitFor();
          const comment = page.getByRole("textbox", { name: "Comment" });
          await comment.fill("Retry here: 1 < 2, ticket 4711");
          // Another exchange is opened before the field loses focus: the comment is still saved, for the right
          // exchange.
          await page.evaluate(() => document.querySelectorAll<HTMLElement>(".list-row")[2]?.click());
          await row(page, "/two").getByTitle("Retry here: 1 < 2, ticket 4711").first().waitFor();
          await page.waitForFunction(
            () => document.querySelector<HTMLTextAreaElement>("#exchange-comment")?.value === "",
          );
          assert.equal(await accessibilityFindings(page), []);

          // All selected rows at once, by the bar below and by the menu.
          await row(page, "/three").click();
          await row(page, "/four").click({ modifiers: ["Shift"] });
          await page.getByRole("group", { name: "Mark all" }).getByRole("button", { name: "Flag" }).click();
          await page.getByText("Marked: Flag, 2 exchanges.").waitFor();
          await markOf(page, "/three", "Flag").waitFor({ state: "attached" });
          await row(page, "/three").click({ button: "right" });
          assert.equal(await accessibilityFindings(page), []);
          await page.getByRole("menuitemradio", { name: "Flag", checked: true }).waitFor();
          await page.getByRole("menuitemradio", { name: "Cross" }).click();
          await page.getByText("Marked: Cross, 2 exchanges.").waitFor();

          // The menu opens the comment field.
          await page.keyboard.press("Escape");
          await row(page, "/four").click({ button: "right" });
          await page.getByRole("menuitem", { name: "Comment" }).click();
          await page.waitForFunction(() => document.activeElement?.id === "exchange-comment");
          await page.keyboard.type("last");
          await page.keyboard.press("Tab");
          await row(page, "/four").getByTitle("last").first().waitFor();

          const filter = page.getByRole("combobox", { name: "Filter" });
          for (const [text, found] of [
            ["mark:cross ", "2 of 4"],
            ["mark: ", "4 of 4"],
            ["comment:TICKET ", "1 of 4"],
            ["comment: mark:cross ", "1 of 4"],
          ] as const) {
            await filter.fill(text);
            await page.getByText(found, { exact: true }).waitFor();
            await page.getByRole("button", { name: "Clear filter", exact: true }).first().click();
          }

          const json = JSON.parse(await weir.exportedOnce((text) => text.includes("4711"), "--format", "json"));
          assert.equal(
            json.map(({ mark, comment }: Record<string, unknown>) => [mark, comment]),
            [
              ["star", null],
              ["check", "Retry here: 1 < 2, ticket 4711"],
              ["cross", null],
              ["cross", "last"],
            ],
          );
          const csv = await weir.exportedOnce((text) => text.includes("4711"), "--format", "csv");
          assert.match(csv, /,mark,comment,/);
          assert.match(csv, /,check,"Retry here: 1 < 2, ticket 4711",/);

          const har = JSON.parse(await weir.exportedOnce((text) => text.includes("4711"), "--format", "har"));
          assert.equal(
            har.log.entries.map((entry: { comment?: string; _mark?: string }) => [entry._mark, entry.comment]),
            [
              ["star", undefined],
              ["check", "Retry here: 1 < 2, ticket 4711"],
              ["cross", undefined],
              ["cross", "last"],
            ],
          );
        },
        async ({ page }) => {
          await page.getByRole("button", { name: "Sessions", exact: true }).click();
          await page.getByRole("button", { name: /^Open server\.test, / }).click();
          await page.getByRole("button", { name: "Back to the recording" }).waitFor();
          await page.keyboard.press("1");
          await row(page, "/two").getByTitle("Retry here: 1 < 2, ticket 4711").first().waitFor();
          await markOf(page, "/one", "Star").waitFor({ state: "attached" });
          const filter = page.getByRole("combobox", { name: "Filter" });
          await filter.fill("mark:cross comment:last ");
          await page.getByText("1 of 4", { exact: true }).waitFor();

          // Annotations of a stored session are saved as well.
          await row(page, "/four").click();
          await page.getByRole("radio", { name: "Star" }).click();
          await page.getByText("0 of 4", { exact: true }).waitFor();
          await filter.fill("");
          await page.getByRole("button", { name: "Clear filter", exact: true }).first().click();
          await page.getByRole("textbox", { name: "Comment" }).fill("");
          await page.keyboard.press("Tab");
          await filter.fill("comment: ");
          await page.getByText("1 of 4", { exact: true }).waitFor();
        },
      ),
    { skip },
  );
});
