import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { completeSession, go, onStage, row, type Stage, TOKEN, times } from "../../support/insight-stage.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
] as const;

/** A window of 1280 x 800 at 200 % zoom. */
const ZOOMED = { width: 640, height: 400 };

/** Fills every list: three earlier sessions, then slow, large, compressed, repeated, linked and failed exchanges. */
async function filled(stage: Stage): Promise<void> {
  await times(3, () => completeSession(stage));
  const { page, ask } = stage;
  await ask("/login");
  await ask(`/orders?token=${TOKEN}`);
  await times(5, () => ask("/orders"));
  for (let item = 0; item < 6; item += 1) await ask(`/items/${item}`);
  await times(6, () => ask("/list"));
  for (const path of ["/packed", "/missing", "/text"]) await times(5, () => ask(path));
  await go(page, "Traffic");
  await row(page, "/text").nth(4).waitFor();
}

/** Visits every view and everything that opens in it, each once it is loaded. */
async function walk(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await go(page, "Traffic");
  await row(page, "/text").first().click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  for (const tab of await inspector.getByRole("tab").all()) {
    await tab.click();
    await look(`Inspector, ${await tab.textContent()}`);
  }
  await page.getByRole("button", { name: "Close the inspector" }).click();
  await look("Traffic");
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("listbox", { name: "Filter terms" }).waitFor();
  await look("what can be filtered by");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await go(page, "Performance");
  for (const name of ["Findings", "Latency", "Slow requests", "Payload", "Chains", "Trends"]) {
    await page.getByRole("tab", { name, exact: true }).click();
    await look(name);
  }
  await page.getByRole("tab", { name: "Payload", exact: true }).click();
  await row(page, "/list").first().click();
  await page.locator("canvas").first().waitFor();
  await look("an endpoint's payload");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Latency", exact: true }).click();
  await row(page, "/list").first().click();
  await page.locator("canvas").first().waitFor();
  await look("an endpoint's panel");
  await page.keyboard.press("Escape");
  for (const view of ["Timeline", "Sessions", "Settings"]) {
    await go(page, view);
    await look(view);
  }
  await go(page, "Sessions");
  for (const session of [0, 1])
    await page
      .getByRole("checkbox", { name: /^Compare / })
      .nth(session)
      .check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await row(page, "/orders").first().waitFor();
  await look("a comparison");
  await page.getByRole("button", { name: "Sessions", exact: true }).last().click();
  for (const session of [0, 1])
    await page
      .getByRole("checkbox", { name: /^Compare / })
      .nth(session)
      .uncheck();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await look("the command palette");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+F");
  const search = page.getByRole("region", { name: "Search headers and bodies" });
  await search.getByLabel("Text to search for").fill("json");
  await page.keyboard.press("Enter");
  await search
    .getByText(/ contains? it\.$/)
    .first()
    .waitFor();
  await look("the search");
  await page.keyboard.press("Escape");
}

/** Resolves when no row of a list is still loading. */
async function rowsStand(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".list-row")].every((row) => row.querySelector("[role=gridcell]") !== null),
  );
}

/** Elements that scroll sideways: the page itself and its bars must not. */
function overflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("header, nav, footer, main, [role=tablist]")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth} in ${element.clientWidth}`),
  );
}

/**
 * Cells of lists that are not beside each other in their row, and texts of neighbouring cells that nearly touch: those
 * of headers from 6 px on, those of rows from 4 px on.
 */
function crowded(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const cellsOf = (row: Element) =>
      [...row.querySelectorAll('[role="gridcell"], [role="columnheader"]')].filter(
        (cell) => cell.checkVisibility() && cell.clientWidth > 1 && getComputedStyle(cell).position !== "absolute",
      );
    /** Left and right end of the visible texts in the cell; `null` without a text. */
    const endsOf = (cell: Element) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const ends: [number, number][] = [];
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(text);
        let { left, right } = range.getBoundingClientRect();
        for (let box = text.parentElement; box !== null && box !== cell.parentElement; box = box.parentElement) {
          if (getComputedStyle(box).overflowX === "visible") continue;
          const clip = box.getBoundingClientRect();
          [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
        }
        if (right > left) ends.push([left, right]);
      }
      return ends.length === 0
        ? null
        : { left: Math.min(...ends.map(([left]) => left)), right: Math.max(...ends.map(([, right]) => right)) };
    };
    return [...document.querySelectorAll('[role="grid"] [role="row"]')].flatMap((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const cells = cellsOf(row);
      const below = cells.filter((cell) => {
        const box = cell.getBoundingClientRect();
        return box.top < top - 1 || box.bottom > bottom + 1;
      });
      const apart = row.querySelector('[role="columnheader"]') === null ? 4 : 6;
      const ends = cells.flatMap((cell) => endsOf(cell) ?? []).sort((one, other) => one.left - other.left);
      const near = ends.some(({ left }, at) => left - (ends[at - 1]?.right ?? 0) < apart && at > 0);
      return [
        ...below.map((cell) => `not in its row: ${cell.textContent.trim()}`),
        ...(near ? [`too near: ${row.textContent.trim().replaceAll(/\s+/g, " ")}`] : []),
      ];
    });
  });
}

/** Hosts of endpoints that are cut to less than an ellipsis shows. */
function cutHosts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".endpoint-host > .host")]
      .filter((host) => {
        const isShown =
          host.getBoundingClientRect().top < (host.parentElement?.getBoundingClientRect().bottom ?? 0) - 1;
        return isShown && host.checkVisibility() && host.scrollWidth > host.clientWidth && host.clientWidth < 40;
      })
      .map((host) => `cut host: ${host.textContent}, ${host.clientWidth} px`),
  );
}

/**
 * Headers, hosts, hints and footers whose text is cut. Excepted are Traffic's headers, which contain resize handles.
 */
function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "[role=columnheader]:not([data-column]), .sort, .host:not(.endpoint-host > *), h2, h2 > span, .filter-hint-note, .list-foot",
      ),
    ]
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight, className }) => {
        const isWrapped = className.includes("list-foot") && scrollHeight > clientHeight + 1;
        return clientWidth > 1 && (scrollWidth > clientWidth + 1 || isWrapped);
      })
      .map((element) => `cut: ${element.className} ${element.textContent}`),
  );
}

describe("layout and accessibility of every view", (test) => {
  const skip = needsChromium();

  test(
    "given each window size, nothing overflows, is cut off, touches its neighbour or leaves its row",
    () =>
      onStage(async (stage) => {
        const { page } = stage;
        await filled(stage);
        const findings: string[] = [];
        for (const size of [...SIZES, ZOOMED]) {
          await page.setViewportSize(size);
          await walk(page, async (name) => {
            await rowsStand(page);
            for (const look of [overflow, cut, crowded, cutHosts])
              for (const finding of await look(page)) findings.push(`${name} at ${size.width}: ${finding}`);
          });
        }
        assert.equal(findings, []);
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    for (const size of SIZES) {
      test(
        `given every view, ${dark ? "dark" : "light"}, axe finds no violation at ${size.width} px`,
        () =>
          onStage(async (stage) => {
            const { page } = stage;
            await page.setViewportSize(size);
            await filled(stage);
            const findings: string[] = [];
            await walk(page, async (name) => {
              await rowsStand(page);
              for (const finding of await accessibilityFindings(page)) findings.push(`${name}: ${finding}`);
            });
            assert.equal(findings, []);
          }, dark),
        { skip },
      );
    }
  }
});
