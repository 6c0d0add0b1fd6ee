import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/** The main window, with three exchanges in sequence. */
async function withTraffic(body: (page: Page) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir(["--host-override", `shop.test=127.0.0.1:${(server.address() as AddressInfo).port}`]);
  try {
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://shop.test");
    for (const path of ["/a", "/b", "/c"]) await client.ask("GET", path);
    await withBrowser(async (browser) => {
      const { page } = await openedPage(browser, weir.ui);
      await page.getByRole("row").filter({ hasText: "/b" }).waitFor();
      await body(page);
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

describe("keyboard focus", (test) => {
  const skip = needsChromium();
  const focused = (page: Page, name: string) => page.locator(`[role="grid"][aria-label="${name}"]:focus`).waitFor();

  test(
    "given an inspector closed from within, moves the focus to the list",
    () =>
      withTraffic(async (page) => {
        await page.getByRole("row").filter({ hasText: "/b" }).click();
        await page.getByRole("tab", { name: "Response" }).click();
        await page.keyboard.press("Escape");
        await focused(page, "Exchanges");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Close the inspector" }).click();
        await focused(page, "Exchanges");
      }),
    { skip },
  );

  test(
    "given an empty list, draws the focus ring around its header on both sides",
    () =>
      withTraffic(async (page) => {
        await page.getByRole("combobox", { name: "Filter" }).fill("host:nowhere.test");
        await page.getByText("3 exchanges do not match").waitFor();
        await page.getByRole("grid", { name: "Exchanges" }).focus();
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Tab");
        await focused(page, "Exchanges");
        const head = await page.locator(".list-head").boundingBox();
        if (head === null) throw new Error("The list has no head.");
        const sideAt = (x: number) => page.screenshot({ clip: { x, y: head.y, width: 2, height: head.height } });
        const [left, right] = [await sideAt(head.x), await sideAt(head.x + head.width - 2)];
        assert.ok(left.equals(right), "the sides differ");
        assert.not.ok(left.equals(await sideAt(head.x + 2)), "there is no ring");
      }),
    { skip },
  );

  test(
    "given arrow keys in quick succession, the inspector's tabs move the focus with each key",
    () =>
      withTraffic(async (page) => {
        await page.getByRole("row").filter({ hasText: "/b" }).click();
        const tabs = page.getByRole("tablist", { name: "Inspector" });
        await tabs.getByRole("tab", { name: "Overview" }).click();
        const reached = await tabs.evaluate((list) =>
          [1, 2, 3].map(() => {
            const pressed = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
            (list.ownerDocument.activeElement ?? list).dispatchEvent(pressed);
            return list.ownerDocument.activeElement?.textContent;
          }),
        );
        assert.equal(reached, ["Request", "Response", "Timing"]);
      }),
    { skip },
  );

  test(
    "given Escape in the filter box or a click on Clear filter, moves the focus to the list",
    () =>
      withTraffic(async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("/nothing");
        await page.keyboard.press("Escape");
        await focused(page, "Exchanges");
        await page.locator(".list-foot").getByRole("button", { name: "Clear filter" }).click();
        await focused(page, "Exchanges");
      }),
    { skip },
  );

  test(
    "given a link to another view, moves the focus to that view's list",
    () =>
      withTraffic(async (page) => {
        await page.keyboard.press("2");
        await page.getByRole("tab", { name: "Chains" }).click();
        await page.locator(".chain-row").first().click();
        await page.getByRole("button", { name: "Show in Timeline" }).click();
        await focused(page, "Exchanges by start");
      }),
    { skip },
  );
});
