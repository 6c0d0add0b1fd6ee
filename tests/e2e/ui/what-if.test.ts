import type { RequestListener } from "node:http";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, row } from "../../support/insight-stage.ts";
import { onServedWindow, type ServedWindow } from "../../support/served-window.ts";

const skip = needsChromium();

/** The types and texts of a shop's page. Its script asks for the prices and the stock. */
const CONTENT: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/home": ["text/html", '<!doctype html><script src="/app.js"></script>'],
  "/app.js": ["text/javascript", 'fetch("/v1/prices"); fetch("/v1/stock")'],
};

/** How long the server takes for each path, in ms. */
const TAKES: Readonly<Record<string, number>> = { "/home": 60, "/app.js": 20, "/v1/prices": 420, "/v1/stock": 90 };

const answer: RequestListener = (request, response) => {
  const path = request.url ?? "";
  const [type, text] = CONTENT[path] ?? ["application/json", JSON.stringify({ path, at: Date.now() })];
  const headers = { "Content-Type": type, "Cache-Control": "no-store" };
  const takes = path.startsWith("/v1/items/") ? 70 : (TAKES[path] ?? 5);
  setTimeout(() => response.writeHead(200, headers).end(text), takes);
};

/** Loads the page as a browser does. */
async function loadPage({ client }: Pick<ServedWindow, "client">): Promise<void> {
  await client.ask("GET", "/home", null, { "Sec-Fetch-Dest": "document" });
  const headers = { Referer: "http://shop.test/home" };
  await client.ask("GET", "/app.js", null, { ...headers, "Sec-Fetch-Dest": "script" });
  await Promise.all(
    ["/v1/prices", "/v1/stock"].map((path) => client.ask("GET", path, null, { ...headers, "Sec-Fetch-Dest": "empty" })),
  );
}

/** Loads the page, whose script then asks for items, one after another. */
async function loadItems(stage: Pick<ServedWindow, "client">): Promise<void> {
  await loadPage(stage);
  const headers = { Referer: "http://shop.test/home", "Sec-Fetch-Dest": "empty" };
  for (const item of [1, 2, 3, 4, 5, 6, 7, 8]) await stage.client.ask("GET", `/v1/items/${item}`, null, headers);
}

const onShop = (dark: boolean, act: (stage: ServedWindow) => Promise<void>, load = loadPage): Promise<void> =>
  onServedWindow({ hosts: ["shop.test"], answer, options: { colorScheme: dark ? "dark" : "light" } }, async (stage) => {
    for (let loads = 0; loads < 5; loads += 1) await load(stage);
    await go(stage.page, "Performance");
    await act(stage);
  });

/** The number before "ms sooner" in a text. */
const soonerIn = (text: string | null): number => Number(/([\d,]+) ms sooner/.exec(text ?? "")?.[1]?.replace(",", ""));

describe("what-if in the window", (test) => {
  test(
    "given a step of a page load and another time, says how much sooner the load would end",
    () =>
      onShop(false, async ({ page }) => {
        const load = page.getByRole("region", { name: "Page load" });
        const prices = load.getByRole("button", { name: /\/v1\/prices/ });
        await prices.click();
        assert.is(await prices.getAttribute("aria-pressed"), "true");
        const asked = page.getByRole("region", { name: /^What if GET \/v1\/prices took/ });
        const time = asked.getByRole("textbox", { name: "Time in ms" });
        const took = Number(/([\d,]+) ms$/.exec((await asked.getByText(/^ms instead of/).textContent()) ?? "")?.[1]);
        const said = asked.getByRole("status");
        const soonerBy = async (least: number, most: number) => {
          await said.filter({ hasText: /This load would end .* sooner/ }).waitFor();
          for (;;) {
            const sooner = soonerIn(await said.textContent());
            if (sooner >= least && sooner <= most) return;
            await page.waitForTimeout(50);
          }
        };
        // Nothing else takes nearly as long as the prices.
        await time.fill("350");
        await soonerBy(took - 352, took - 348);
        // The stock caps what the prices save.
        await time.fill("0");
        await soonerBy(took - 300, took - 60);
        await asked.getByText(/^On the path in 5 of 5 loads: /).waitFor();
        await time.fill("soon");
        await asked.getByRole("alert").filter({ hasText: "Enter a time from 0 to 3,600,000 ms." }).waitFor();
        assert.is(await time.getAttribute("aria-invalid"), "true");
        assert.equal(await accessibilityFindings(page), [], "a time that is none");
        await load.getByRole("button", { name: /\/app\.js/ }).click();
        await page.getByRole("region", { name: /^What if GET \/app\.js took/ }).waitFor();
        assert.is(await prices.getAttribute("aria-pressed"), "false");
        assert.equal(await accessibilityFindings(page), [], "another step");
        await page.getByRole("button", { name: "Show in Timeline" }).first().click();
        await page.getByRole("region", { name: "Timeline" }).waitFor();
      }),
    { skip },
  );

  test(
    "given a run of steps that costs more than any single one, asks about each of its steps",
    () =>
      onShop(
        true,
        async ({ page }) => {
          const asked = page.getByRole("region", { name: /^What if 8 × GET \/v1\/items\/\{id\} took/ });
          await asked.getByText(/^ms each instead of [\d,.]+ ms on average$/).waitFor();
          const run = page.getByRole("region", { name: "Page load" }).getByRole("button", { name: /\/v1\/items/ });
          assert.is(await run.getAttribute("aria-pressed"), "true");
          await asked.getByRole("textbox", { name: "Time in ms" }).fill("0");
          await asked
            .getByRole("status")
            .filter({ hasText: /This load would end .* sooner/ })
            .waitFor();
          assert.equal(await accessibilityFindings(page), [], "a run");
        },
        loadItems,
      ),
    { skip },
  );

  test(
    "given an endpoint, its panel says in how many loads it is on the path",
    () =>
      onShop(true, async ({ page }) => {
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await row(page, "/v1/prices").click();
        const panel = page.getByRole("region", { name: "Endpoint" });
        const places = panel.getByRole("list", { name: "If it took no time" });
        await places.getByText(/^On the path in 5 of 5 loads: (?:at most )?[\d.]+ m?s of \d\.\d s, if /).waitFor();
        assert.equal(await accessibilityFindings(page), [], "the panel");
        await row(page, "/v1/stock").click();
        await places.getByText(/^Beside the path: saves nothing for the loads\.$/).waitFor();
      }),
    { skip },
  );
});
