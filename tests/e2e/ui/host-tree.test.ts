import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { clientOf, onServedWindow, type Serving } from "../../support/served-window.ts";

const ASKED = [
  ["shop.test", "/v1/users/1"],
  ["shop.test", "/v1/users/2?page=3"],
  ["shop.test", "/v1/orders"],
  ["shop.test", "/"],
  ["api.shop.test", "/v1/users/1"],
  ["api.shop.test", "/%3Cimg%20src=x%20onerror=alert(1)%3E/x"],
] as const;

/** Weir's window, after these requests. */
function withTraffic(act: (page: Page) => Promise<void>): Promise<void> {
  const serving: Serving = {
    hosts: ["shop.test", "api.shop.test"],
    answer: (_, response) => response.end("answered"),
  };
  return onServedWindow(serving, async ({ page, weir }) => {
    for (const [host, path] of ASKED) await clientOf(weir, host).ask("GET", path);
    await act(page);
  });
}

const tree = (page: Page) => page.getByRole("tree", { name: "Hosts" });
const item = (page: Page, name: string) => tree(page).getByRole("treeitem", { name, exact: true });
const lines = async (page: Page): Promise<readonly string[]> =>
  (await tree(page).getByRole("treeitem").allTextContents()).map((text) => text.trim().replaceAll(/\s+/g, " "));

async function untilLines(page: Page, wanted: readonly string[]): Promise<void> {
  await page.waitForFunction((text) => {
    const rows = [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
    return rows.map((row) => row.textContent.trim().replaceAll(/\s+/g, " ")).join("|") === text;
  }, wanted.join("|"));
  assert.equal(await lines(page), wanted);
}

describe("host tree in the sidebar", (test) => {
  const skip = needsChromium();

  test(
    "given a host with a long name, shows the whole name beside its count",
    () => {
      const host = "recommendations.internal.shop.test";
      const answer: Serving["answer"] = (_, response) => response.end("answered");
      return onServedWindow({ hosts: [host], answer }, async ({ page, weir }) => {
        await page.setViewportSize({ width: 1280, height: 800 });
        await clientOf(weir, host).ask("GET", "/");
        const isCut = await item(page, `${host} 1`).evaluate((line) => {
          const { scrollWidth, clientWidth } = line.firstElementChild?.nextElementSibling ?? line;
          return scrollWidth > clientWidth || line.scrollWidth > line.clientWidth;
        });
        assert.not(isCut);
      });
    },
    { skip },
  );

  test(
    "given a host or path chosen by mouse or keyboard, lists exactly its exchanges",
    () =>
      withTraffic(async (page) => {
        await untilLines(page, ["shop.test 4", "api.shop.test 2"]);
        await item(page, "shop.test 4").locator(".nav-fold").click();
        await untilLines(page, ["shop.test 4", "/v1 3", "/ 1", "api.shop.test 2"]);
        await item(page, "/v1 3").locator(".nav-fold").click();
        await untilLines(page, ["shop.test 4", "/v1 3", "/users 2", "/orders 1", "/ 1", "api.shop.test 2"]);
        assert.equal(await accessibilityFindings(page), []);

        // A host that is a suffix of another's name, and a path that is a prefix of others.
        await item(page, "shop.test 4").getByText("shop.test").click();
        await page.getByText("4 of 6", { exact: true }).waitFor();
        await item(page, "/users 2").getByText("/users").click();
        await page.getByText("2 of 6", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Remove under:shop.test/v1/users" }).waitFor();
        assert.is(await item(page, "/users 2").getAttribute("aria-current"), "true");
        assert.equal(await accessibilityFindings(page), []);

        // By keyboard: the tree is one Tab stop, at the row chosen last.
        await page.keyboard.press("Shift+Tab");
        await item(page, "/users 2").focus();
        for (const [key, name] of [
          ["ArrowUp", "/v1 3"],
          ["ArrowLeft", "/v1 3"],
          ["ArrowLeft", "shop.test 4"],
          ["End", "api.shop.test 2"],
          ["ArrowRight", "api.shop.test 2"],
        ] as const) {
          await page.keyboard.press(key);
          await page.waitForFunction(
            (text) => (document.activeElement?.textContent ?? "").trim().replaceAll(/\s+/g, " ") === text,
            name,
          );
        }
        const hostile = "/%3Cimg%20src=x%20onerror=alert(1)%3E 1";
        await untilLines(page, ["shop.test 4", "/v1 3", "/ 1", "api.shop.test 2", `${hostile}`, "/v1 1"]);
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        await page.getByText("1 of 6", { exact: true }).waitFor();
        assert.is(await tree(page).locator("[tabindex='0']").count(), 1);
      }),
    { skip },
  );
});
