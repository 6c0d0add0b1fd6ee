import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { TARGETS } from "../../../src/engine/hub/targets/index.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { filterBox, onHub, showTarget } from "../../support/setup-hub.ts";

/** Whether a target's row is within the visible part of the list. */
const isInSight = (page: Page, name: string) =>
  page.getByRole("option", { name }).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const list = row.closest("#hub-targets")?.getBoundingClientRect();
    return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
  });

describe("Setup Hub filter", (test) => {
  const skip = needsChromium();

  test(
    "given the filter, has the focus and lists targets with all words, in groups, with marks and counts",
    () =>
      onHub(async ({ page }) => {
        assert.ok(await filterBox(page).evaluate((box) => box === document.activeElement));
        await filterBox(page).fill("PY");
        await page.getByText(`4 of ${TARGETS.length}`).waitFor();
        assert.is(await page.getByRole("option").count(), 4);
        await page.getByRole("group", { name: "Runtimes" }).getByText("2 of 10").waitFor();
        assert.equal(
          [
            ...new Set(
              (await page.locator(".hub-list mark:visible").allTextContents()).map((text) => text.toLowerCase()),
            ),
          ],
          ["py"],
        );
        await filterBox(page).fill("guide device");
        assert.is(await page.getByRole("group").count(), 1);
        await filterBox(page).fill("present browsers firefox");
        await page.getByText(`1 of ${TARGETS.length}`).waitFor();
        assert.is(await page.getByRole("option").count(), 1);
        await page.locator(".hub-target-label mark", { hasText: "present" }).waitFor();

        await filterBox(page).fill("ios device");
        const summary = page.getByRole("option", { name: "visionOS" }).locator(".hub-target-summary");
        assert.match((await summary.allInnerTexts()).join(), "the iOS device", "two marks keep the space between them");

        await showTarget(page, "Flutter");
        await filterBox(page).fill("");
        assert.ok(await isInSight(page, "Flutter"), "it is found again among all");
        await filterBox(page).fill("no such thing");
        await page.getByText("No target matches.").waitFor();
        await page.getByRole("button", { name: "Clear filter" }).last().click();
        assert.is(await page.getByRole("option").count(), TARGETS.length);
        assert.ok(await filterBox(page).evaluate((box) => box === document.activeElement));
      }),
    { skip },
  );

  test(
    "given quickly typed keys in the filter, updates list and count before the next task runs",
    () =>
      onHub(async ({ page }) => {
        const answers = await filterBox(page).evaluate(async (box: HTMLInputElement) => {
          const told: (readonly [text: string, count: string, shown: number])[] = [];
          for (const text of ["p", "py", "pyt", "", "c", "cap", "capture check", "", "proven", "device", "zz", ""]) {
            box.value = text;
            box.dispatchEvent(new Event("input"));
            // Alpine renders in a microtask of its own, so it has finished after a task.
            await new Promise((resolve) => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = resolve;
              port2.postMessage(null);
            });
            const rows = [...document.querySelectorAll<HTMLElement>(".hub-target")];
            const shown = rows.filter((row) => row.offsetParent !== null).length;
            told.push([text, document.querySelector("#hub-filter-count")?.textContent ?? "", shown]);
          }
          return told;
        });
        for (const [text, count, shown] of answers)
          assert.is(count, text === "" ? "" : `${shown} of ${TARGETS.length}`, text);
        assert.ok(new Set(answers.map(([, , shown]) => shown)).size > 5, "they differ");
      }),
    { skip },
  );
});
