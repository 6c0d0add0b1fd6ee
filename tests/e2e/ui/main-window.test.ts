import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";

interface Stage {
  readonly page: Page;
  readonly weir: RunningWeir;
  /** Sends a request through the proxy to a server that answers after `delay` ms. */
  ask(path: string, delay?: number): Promise<void>;
}

/** security.md S8: text that would do something if it were taken for markup. */
const HOSTILE = "<img src=x onerror=alert(1)>\"'`";

function echoServer(): Server {
  return createServer((request, response) => {
    const delay = Number(new URL(request.url ?? "/", "http://server.test").searchParams.get("delay"));
    setTimeout(() => {
      response.writeHead(200, { "Content-Type": "application/json", "X-Hostile": HOSTILE });
      response.end(JSON.stringify({ path: request.url, hostile: HOSTILE }));
    }, delay);
  });
}

/** Weir with its window open and a server behind it; at the end the page must have had no trouble. */
async function onStage(act: (stage: Stage) => Promise<void>, dark = false): Promise<void> {
  const server = echoServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir([
    "--host-override",
    `server.test=127.0.0.1:${(server.address() as AddressInfo).port}`,
  ]);
  try {
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, { colorScheme: dark ? "dark" : "light" });
      const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
      const ask = async (path: string, delay = 0) => {
        await client.ask("GET", `${path}?delay=${delay}`);
      };
      await page.getByRole("heading", { name: "Nothing captured yet" }).waitFor();
      await act({ page, weir, ask });
      assert.equal(troubles, []);
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const go = (page: Page, view: string) => page.getByRole("button", { name: view, exact: true }).click();

/** Twelve requests of one endpoint, the last one far slower than its kind: than the first on a busy machine, too. */
async function sendTwelve({ ask }: Stage): Promise<void> {
  for (let count = 0; count < 11; count += 1) await ask("/orders");
  await ask("/orders", 1_500);
}

describe("main window", (test) => {
  const skip = needsChromium();

  test(
    "each request is a row as soon as it is made, without a reload",
    () =>
      onStage(async ({ page, ask }) => {
        for (const path of ["/first", "/second"]) {
          await ask(path);
          await row(page, path).waitFor();
        }
      }),
    { skip },
  );

  test(
    "a filter that says nothing leaves the rows that are seen, wherever that is; a good one goes to its last row",
    () =>
      onStage(async ({ page, ask }) => {
        for (let count = 1; count <= 300; count += 1) await ask(`/item/${count}/${count % 2 === 0 ? "even" : "odd"}`);
        await row(page, "/item/300/").waitFor();
        const paths = () => page.locator(".traffic-path").allTextContents();
        await page.locator(".list.traffic").evaluate((list) => {
          list.scrollTop = 0;
        });
        await row(page, "/item/1/odd").waitFor();
        const before = await paths();
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("status:abc ");
        await page.getByText("is no status").waitFor();
        assert.equal(await paths(), before);
        await filter.fill("");
        await page.getByRole("button", { name: "Remove status:abc" }).click();
        await filter.fill("odd ");
        await page.getByText("150 of 300", { exact: true }).waitFor();
        await row(page, "/item/299/odd").waitFor();
        assert.ok((await paths()).every((path) => path.endsWith("/odd?delay=0")));
      }),
    { skip },
  );

  test(
    "five requests make a row with percentiles; selecting it opens its histogram",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        for (let count = 0; count < 4; count += 1) await ask("/orders");
        await go(page, "Performance");
        await page.getByText("1 endpoint still collecting").waitFor();
        await ask("/orders");
        const cells = row(page, "/orders").getByRole("gridcell");
        await cells.first().waitFor();
        assert.match((await cells.first().textContent()) ?? "", /GET\s*\/orders\s*server\.test/);
        assert.is((await cells.nth(1).textContent())?.trim(), "5");
        for (const column of [2, 3, 4])
          assert.match((await cells.nth(column).textContent())?.trim() ?? "", /^[\d,.]+$/);
        await row(page, "/orders").click();
        const panel = page.getByRole("region", { name: "Endpoint" });
        await panel.getByRole("table").first().waitFor({ state: "attached" });
        const counts = await panel.getByRole("table").first().locator("td").allTextContents();
        assert.is(
          counts.reduce((sum, count) => sum + Number(count), 0),
          5,
          "the histogram holds every sample",
        );
        await panel.locator("canvas").first().waitFor();
      }),
    { skip },
  );

  test(
    "a slow request explains itself and leads to its timing",
    () =>
      onStage(async (stage) => {
        const { page } = stage;
        await sendTwelve(stage);
        await go(page, "Performance");
        await page.getByRole("tab", { name: /^Slow requests/ }).click();
        // The list may be there before the last request has been recorded.
        const slow = row(page, "/orders").filter({ hasText: "the server took" }).first();
        await slow.waitFor();
        assert.match(
          (await slow.textContent()) ?? "",
          /x its p50, .*ms over its p95; *the server took .*ms longer than usual\./,
        );
        await slow.click();
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "Timing", selected: true }).waitFor();
        await page.getByText("reused").first().waitFor();
      }),
    { skip },
  );

  test(
    "the fixed threshold is checked beside its field, and flags what is over it",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await ask("/single", 60);
        await go(page, "Settings");
        const field = page.getByLabel("Fixed latency threshold");
        for (const wrong of ["0", "600001", "1.5", "soon"]) {
          await field.fill(wrong);
          await field.press("Enter");
          await page.getByRole("alert").filter({ hasText: "from 1 to 600,000" }).waitFor();
        }
        await field.fill("50");
        await field.press("Enter");
        await page
          .getByRole("alert")
          .filter({ hasText: "600,000" })
          .waitFor({ state: "detached" })
          .catch(() => {});
        await go(page, "Performance");
        await page.getByRole("tab", { name: /^Slow requests/ }).click();
        await row(page, "over the 50 ms limit").first().waitFor();
      }),
    { skip },
  );

  test(
    "pause stops recording but not the traffic; resume records again",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/before");
        await row(page, "/before").waitFor();
        await page.getByRole("button", { name: "Pause recording" }).click();
        await page.getByRole("button", { name: "Resume recording" }).waitFor();
        await ask("/meanwhile");
        await page.getByRole("button", { name: "Resume recording" }).click();
        await page.getByRole("button", { name: "Pause recording" }).waitFor();
        await ask("/after");
        await row(page, "/after").waitFor();
        assert.is(await row(page, "/meanwhile").count(), 0);
      }),
    { skip },
  );

  test(
    "clear empties the list, and undo brings it back with what came since",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/kept");
        await row(page, "/kept").waitFor();
        await page.getByRole("button", { name: "Clear session" }).click();
        await row(page, "/kept").waitFor({ state: "detached" });
        await ask("/since");
        await row(page, "/since").waitFor();
        await page.getByRole("button", { name: "Undo" }).click();
        await row(page, "/kept").waitFor();
        await row(page, "/since").waitFor();
      }),
    { skip },
  );

  test(
    "stopping the proxy refuses clients; starting it serves them at the same address",
    () =>
      onStage(async ({ page, weir, ask }) => {
        await page.getByRole("button", { name: "Stop proxy" }).click();
        await page.getByRole("button", { name: "Start proxy" }).waitFor();
        const fresh = () =>
          new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test").ask("GET", "/again");
        const refused = await fresh().then(
          () => null,
          (error: NodeJS.ErrnoException) => error.code,
        );
        assert.is(refused, "ECONNREFUSED");
        await page.getByRole("button", { name: "Start proxy" }).click();
        await page.getByRole("button", { name: "Stop proxy" }).waitFor();
        await ask("/again");
        await row(page, "/again").waitFor();
      }),
    { skip },
  );

  test(
    "the toolbar's buttons stay where they are, whatever the words beside them say",
    () =>
      onStage(async ({ page }) => {
        const address = page.locator(".toolbar-address");
        const placeOfAddress = async () => (await address.boundingBox())?.x;
        const place = await placeOfAddress();
        for (const [button, words] of [
          ["Pause recording", "Paused"],
          ["Resume recording", "Recording"],
          ["Stop proxy", "Proxy stopped"],
        ] as const) {
          await page.getByRole("button", { name: button }).click();
          await page.getByRole("status").filter({ hasText: words }).waitFor();
          assert.is(await placeOfAddress(), place, words);
        }
      }),
    { skip },
  );

  test(
    "the inspector shows request, response and timing, and hostile text as text",
    () =>
      onStage(async ({ page, ask }) => {
        await ask(`/${encodeURIComponent(HOSTILE)}`);
        const entry = row(page, "server.test").first();
        await entry.click();
        await page.keyboard.press("Enter");
        for (const name of ["Overview", "Request", "Response", "Timing"]) {
          await page.getByRole("tab", { name, exact: true }).click();
          await page.getByRole("tab", { name, exact: true, selected: true }).waitFor();
        }
        await page.getByRole("tab", { name: "Response", exact: true }).click();
        await page.getByText(HOSTILE, { exact: false }).first().waitFor();
        assert.is(await page.locator("img[src=x]").count(), 0);
      }),
    { skip },
  );

  test(
    "rows are picked with keys and mouse, and the line below adds them up",
    () =>
      onStage(async (stage) => {
        const { page } = stage;
        await sendTwelve(stage);
        await row(page, "/orders").nth(11).waitFor();
        const line = page.getByRole("group", { name: "Selected exchanges" });
        const picked = page.getByRole("row", { selected: true });
        const says = (text: RegExp) => line.filter({ hasText: text }).waitFor();
        await row(page, "/orders").nth(1).click();
        await page.keyboard.press("Escape");
        for (let count = 0; count < 3; count += 1) await page.keyboard.press("Shift+ArrowDown");
        await says(/\b4 selected.*p50 [\d.,]+ ms.*p95 [\d.,]+ ms.*max [\d.,]+ ms.*0 errors/);
        assert.is(await picked.count(), 4);
        await row(page, "/orders")
          .nth(8)
          .click({ modifiers: ["ControlOrMeta"] });
        await row(page, "/orders")
          .nth(2)
          .click({ modifiers: ["ControlOrMeta"] });
        await row(page, "/orders")
          .nth(9)
          .click({ modifiers: ["ControlOrMeta"] });
        await says(/\b5 selected/);
        assert.is(await picked.count(), 5);
        await row(page, "/orders")
          .nth(11)
          .click({ modifiers: ["Shift"] });
        await says(/\b3 selected/);
        assert.is(await page.evaluate(() => String(getSelection())), "", "no text of the page is selected");
        await page.keyboard.press("ControlOrMeta+a");
        await says(/\b12 selected/);
        await stage.ask("/missing");
        await says(/\b13 selected/);
        assert.is(await page.getByRole("tablist", { name: "Inspector" }).count(), 0, "picking opens nothing");
        await page.keyboard.press("Escape");
        await line.waitFor({ state: "hidden" });
        assert.ok((await picked.count()) <= 1);
        await page.keyboard.press("ControlOrMeta+a");
        await page.getByRole("button", { name: "Clear selection" }).click();
        await line.waitFor({ state: "hidden" });
        assert.is(await page.evaluate(() => document.activeElement?.getAttribute("role")), "grid");
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `axe finds nothing, ${dark ? "dark" : "light"}`,
      () =>
        onStage(async (stage) => {
          const { page } = stage;
          assert.equal(await accessibilityFindings(page), [], "empty");
          await sendTwelve(stage);
          await row(page, "/orders").nth(11).waitFor();
          await row(page, "/orders").first().click();
          await page.keyboard.press("Shift+End");
          await page.getByRole("group", { name: "Selected exchanges" }).waitFor();
          assert.equal(await accessibilityFindings(page), [], "several selected");
          await page.keyboard.press("Enter");
          for (const name of ["Overview", "Request", "Response", "Timing"]) {
            await page.getByRole("tab", { name, exact: true }).click();
            assert.equal(await accessibilityFindings(page), [], `Traffic, ${name}`);
          }
          await go(page, "Performance");
          await row(page, "/orders").first().click();
          await page.getByRole("region", { name: "Endpoint" }).locator("canvas").first().waitFor();
          assert.equal(await accessibilityFindings(page), [], "Latency");
          await page.getByRole("tab", { name: /^Slow requests/ }).click();
          await row(page, "/orders").first().waitFor();
          assert.equal(await accessibilityFindings(page), [], "Slow requests");
          await go(page, "Settings");
          await page.getByLabel("Fixed latency threshold").waitFor();
          assert.equal(await accessibilityFindings(page), [], "Settings");
          const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
          const [red = 255] = (background.match(/\d+/g) ?? []).map(Number);
          assert.is(red < 128, dark, background);
        }, dark),
      { skip, limit: 120_000 },
    );
  }
});
