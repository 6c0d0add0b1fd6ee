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
 * Headers, hosts, hints and footers whose text is cut. Excepted are Traffic's headers, which contain resize handles,
 * and the host in a table of endpoints, which yields to the path.
 */
function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "[role=columnheader]:not([data-column]), .sort, .host:not(.endpoint-host), h2, h2 > span, .filter-hint-note, .list-foot",
      ),
    ]
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight, className }) => {
        const isWrapped = className.includes("list-foot") && scrollHeight > clientHeight + 1;
        return clientWidth > 1 && (scrollWidth > clientWidth + 1 || isWrapped);
      })
      .map((element) => `cut: ${element.className} ${element.textContent}`),
  );
}

describe("every view", (test) => {
  const skip = needsChromium();
  for (const dark of [false, true]) {
    test(
      `axe finds nothing in it and nothing sticks out of it, ${dark ? "dark" : "light"}, at both sizes`,
      () =>
        onStage(async (stage) => {
          const { page } = stage;
          await filled(stage);
          const findings: string[] = [];
          for (const size of SIZES) {
            await page.setViewportSize(size);
            await walk(page, async (name) => {
              await rowsStand(page);
              for (const finding of [
                ...(await accessibilityFindings(page)),
                ...(await overflow(page)),
                ...(await cut(page)),
              ]) {
                findings.push(`${name} at ${size.width}: ${finding}`);
              }
            });
          }
          assert.equal(findings, []);
        }, dark),
      { skip, limit: 180_000 },
    );
  }
});
