import type { Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { onMainWindow, onMainWindowTwice } from "../../support/main-window.ts";
import { PageClient } from "../../support/page-client.ts";
import { pictures } from "../../support/pictures.ts";

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const head = (page: Page, name: string) => page.getByRole("columnheader", { name, exact: true });
const edge = (page: Page, name: string) => page.getByRole("separator", { name: `Width of ${name}` });
const choose = (page: Page) => page.getByRole("button", { name: "Choose columns" }).click();
const choice = (page: Page, name: string) => page.getByRole("menuitemcheckbox", { name, exact: true });

/** The visible columns, from left to right. */
async function orderOf(page: Page): Promise<readonly string[]> {
  const columns = page.locator(".traffic .traffic-columns > [role=columnheader][data-column]");
  const named = await columns.evaluateAll((heads) =>
    heads
      .sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left)
      .map((each) => each.getAttribute("aria-label") ?? ""),
  );
  return named.map((name) => (name === "Number" ? "#" : name));
}

const OWN_ORDER = ["#", "Started", "Method", "Status", "Path and host", "Type", "Size", "Latency", "Phases"];
const MOVED_ORDER = ["Latency", "#", "Started", "Method", "Status", "Size", "Path and host", "Phases", "Type"];

async function centreOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

async function widthOf(locator: Locator): Promise<number> {
  return Math.round((await locator.boundingBox())?.width ?? 0);
}

/** Each cell of a row must start where its header starts. */
async function assertAligned(page: Page): Promise<void> {
  const starts = (selector: string) =>
    page.$$eval(selector, (cells) =>
      cells
        .filter(
          (cell) => (cell as HTMLElement).offsetParent !== null && !cell.matches(".traffic-gutter, .traffic-mark"),
        )
        .map((cell) =>
          Math.round(cell.getBoundingClientRect().left - Number.parseFloat(getComputedStyle(cell).marginLeft)),
        ),
    );
  const heads = await starts(".traffic .traffic-columns > [role=columnheader]");
  assert.equal(await starts(".list-row:first-of-type > [role=gridcell]"), heads);
  assert.ok(heads.length > 3);
}

describe("Traffic columns in the window", (test) => {
  const skip = needsChromium();

  test(
    "given columns chosen, sized and sorted by, restores them after a restart, and resets them on request",
    () =>
      onMainWindowTwice(
        async ({ page, weir, ask }) => {
          await ask("/orders");
          await row(page, "/orders").waitFor();

          await choose(page);
          await choice(page, "Size").click();
          await choice(page, "Server").click();
          await choice(page, "TTFB").press("Enter");
          assert.is(await choice(page, "Path and host").getAttribute("aria-disabled"), "true");
          assert.equal(await accessibilityFindings(page), []);
          await page.keyboard.press("Escape");
          await head(page, "Size").waitFor({ state: "detached" });
          await row(page, "/orders")
            .getByText(/^127\.0\.0\.1:\d+$/)
            .waitFor();
          await assertAligned(page);

          // By pointer: columns left of the path have their handle at the right edge, others at the left.
          for (const [name, by] of [
            ["Started", 30],
            ["Latency", -40],
          ] as const) {
            const box = await edge(page, name).boundingBox();
            const before = await widthOf(head(page, name));
            const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 10];
            await page.mouse.move(x, y);
            await page.mouse.down();
            await page.mouse.move(x + by / 2, y, { steps: 3 });
            await page.mouse.move(x + by, y, { steps: 3 });
            await page.mouse.up();
            assert.is(await widthOf(head(page, name)), before + Math.abs(by));
          }
          // By keyboard, then reset by a double click.
          await edge(page, "Status").focus();
          await page.keyboard.press("ArrowRight");
          assert.is(await widthOf(head(page, "Status")), 66);
          assert.is(await edge(page, "Status").getAttribute("aria-valuenow"), "66");
          await edge(page, "Status").dblclick();
          assert.is(await widthOf(head(page, "Status")), 50);
          await assertAligned(page);

          await head(page, "Latency").getByRole("button").click();
          await head(page, "Latency").getByRole("button").click();
          const client = await PageClient.open(weir);
          const { settings } = await client.value(
            { view: "status" },
            (status) => status.settings.trafficSort === "-latency" && status.settings.trafficColumns !== null,
          );
          assert.equal(settings.trafficColumns, ["started=126", "+server", "-size", "+ttfb", "latency=140"]);
          client.close();
        },
        async ({ page, ask }) => {
          await ask("/users");
          await row(page, "/users").waitFor();
          await head(page, "TTFB").waitFor();
          assert.equal(
            await Promise.all(["Started", "Latency", "Server"].map((name) => widthOf(head(page, name)))),
            [126, 140, 132],
          );
          assert.is(await head(page, "Size").count(), 0);
          assert.is(await head(page, "Latency").getAttribute("aria-sort"), "descending");
          await assertAligned(page);

          // From a header by keyboard; other views keep it.
          await head(page, "Started").getByRole("button").focus();
          await page.keyboard.press("Shift+F10");
          await page.getByRole("menu", { name: "Columns" }).waitFor();
          await page.keyboard.press("Escape");
          await page.keyboard.press("2");
          await page.keyboard.press("1");
          await head(page, "TTFB").waitFor();
          await choose(page);
          await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitemcheckbox");
          await page.keyboard.press("End");
          await page.keyboard.press("Enter");
          await head(page, "Size").waitFor();
          await head(page, "TTFB").waitFor({ state: "detached" });
          assert.is(await widthOf(head(page, "Started")), 96);
        },
      ),
    { skip },
  );

  test(
    "given a small window, the column menu scrolls to all of its items",
    () =>
      onMainWindow(async ({ page }) => {
        await page.setViewportSize({ width: 900, height: 600 });
        // As when notices appear.
        await page.getByRole("main").evaluate((main) => {
          main.style.paddingTop = "90px";
        });
        await choose(page);
        const reset = page.getByRole("menuitem", { name: "Reset columns" });
        await reset.scrollIntoViewIfNeeded();
        const { y, height } = (await reset.boundingBox()) ?? { y: 600, height: 0 };
        assert.ok(y + height <= 600, `it ends at ${y + height}`);
        const legend = page.getByText("± before a time: uncertain, because Weir was busy.");
        await legend.scrollIntoViewIfNeeded();
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "column-menu");
      }),
    { skip },
  );

  test(
    "given columns moved by pointer and by key, keeps the new order after a restart until it is reset",
    () =>
      onMainWindowTwice(
        async ({ page, weir, ask }) => {
          await ask("/orders");
          await row(page, "/orders").waitFor();
          assert.equal(await orderOf(page), OWN_ORDER);
          const dropped = ["Latency", "#", "Started", "Method", "Status", "Path and host", "Type", "Size", "Phases"];

          // A drag moves the column before the first one, with a line as preview. The drag does not sort.
          const [from, to] = [await centreOf(head(page, "Latency")), await centreOf(head(page, "Number"))];
          await page.mouse.move(from.x, from.y);
          await page.mouse.down();
          await page.mouse.move(from.x - 60, from.y, { steps: 4 });
          await page.mouse.move(to.x - 8, to.y, { steps: 4 });
          await page.locator(".column-drop").waitFor();
          await page.mouse.up();
          await page.locator(".column-drop").waitFor({ state: "hidden" });
          assert.equal(await orderOf(page), dropped);
          assert.is(await head(page, "Latency").getAttribute("aria-sort"), "none");
          await assertAligned(page);

          // Escape, or dropping the column next to itself, changes nothing.
          for (const [by, key] of [
            [300, "Escape"],
            [12, "Shift"],
          ] as const) {
            const { x, y } = await centreOf(head(page, "Started"));
            await page.mouse.move(x, y);
            await page.mouse.down();
            await page.mouse.move(x + by, y, { steps: 3 });
            await page.keyboard.press(key);
            await page.mouse.up();
            assert.equal(await orderOf(page), dropped);
          }
          assert.is(await head(page, "Started").getAttribute("aria-sort"), "ascending");

          // By key, from a sortable header and from an edge; the focus moves with the column.
          await head(page, "Size").getByRole("button").focus();
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Size: column 7 of 9.").waitFor();
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Size: column 6 of 9.").waitFor();
          await edge(page, "Phases").focus();
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Phases: column 8 of 9.").waitFor();
          await page.keyboard.press("Shift+ArrowRight");
          await page.getByText("Phases: column 9 of 9.").waitFor();
          await page.keyboard.press("Shift+ArrowRight");
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Phases: column 8 of 9.").waitFor();
          assert.equal(await orderOf(page), MOVED_ORDER);
          await assertAligned(page);
          assert.equal(await accessibilityFindings(page), []);

          // Hidden columns keep their place; the menu shows the same order.
          await choose(page);
          await choice(page, "Server").click();
          const named = await page.getByRole("menuitemcheckbox").allInnerTexts();
          assert.ok(named.indexOf("Size") < named.indexOf("Path and host"));
          assert.is(named[0]?.trim(), "Latency");
          await page.keyboard.press("Escape");
          await assertAligned(page);
          const client = await PageClient.open(weir);
          await client.value(
            { view: "status" },
            ({ settings }) => settings.trafficColumns?.includes("+server") === true,
          );
          client.close();
        },
        async ({ page, ask }) => {
          await ask("/users");
          await row(page, "/users").waitFor();
          await head(page, "Server").waitFor();
          await choose(page);
          await choice(page, "Server").click();
          assert.equal(await orderOf(page), MOVED_ORDER);
          await page.getByRole("menuitem", { name: "Reset columns" }).click();
          await page.keyboard.press("Escape");
          assert.equal(await orderOf(page), OWN_ORDER);
          await assertAligned(page);
        },
      ),
    { skip },
  );
});
