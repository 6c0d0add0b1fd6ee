import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/** The main window, with three exchanges of which each follows the one before. */
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

describe("where the focus is", (test) => {
  const skip = needsChromium();
  const focused = (page: Page, name: string) => page.locator(`[role="grid"][aria-label="${name}"]:focus`).waitFor();

  test(
    "whoever closes the inspector from within is in the list",
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
    "an arrow in the inspector's tabs has moved the focus before the next key comes",
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
    "whoever leaves the filter, or clears it below the list, is in the list",
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
    "whoever is led to another view is in its list",
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
