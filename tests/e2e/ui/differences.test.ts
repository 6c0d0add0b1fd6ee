import type { RequestListener } from "node:http";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go } from "../../support/main-window.ts";
import { onServedWindow } from "../../support/served-window.ts";

/** Every fourth request misses the cache, and takes this long. */
const SLOW = 300;
const COUNT = 24;

const answer: RequestListener = (request, response) => {
  const number = Number(new URL(request.url ?? "/", "http://server.test").searchParams.get("n"));
  const isMiss = number % 4 === 0;
  const respond = () => {
    response.writeHead(200, { "Content-Type": "application/json", "X-Cache": isMiss ? "MISS" : "HIT" });
    response.end(JSON.stringify({ rows: [number], fresh: isMiss }));
  };
  setTimeout(respond, isMiss ? SLOW : 0);
};

const rows = (page: Page) => page.getByRole("grid", { name: "Exchanges" }).locator(".list-row");
const comparison = (page: Page) => page.getByRole("dialog", { name: "Compare" });
const difference = (page: Page) => page.getByRole("dialog", { name: "What is different here?" });

describe("comparison of slow requests in the window", (test) => {
  const skip = needsChromium();

  test(
    "given slow requests, compares one with its usual twin, two with each other, and all of them with the others",
    () =>
      onServedWindow({ hosts: ["server.test"], answer }, async ({ page, client }) => {
        for (let number = 1; number <= COUNT; number += 1) await client.ask("GET", `/orders?page=1&n=${number}`);
        const filter = page.getByRole("combobox", { name: "Filter" }).or(page.getByRole("textbox", { name: "Filter" }));
        await filter.first().fill("resp.x-cache:MISS");
        await page.getByText(`${COUNT / 4} of ${COUNT}`, { exact: true }).waitFor();
        await rows(page).filter({ hasText: "n=8" }).click({ button: "right" });
        await page.getByRole("menuitem", { name: "Compare…", exact: true }).click();
        const shared = comparison(page).getByRole("row").filter({ hasText: "x-cache" });
        await shared.getByText(/^6 of \d+ slow, 0 of \d+ others$/).waitFor();
        assert.equal((await shared.locator("td").allTextContents()).slice(0, 2), ["MISS", "HIT"]);
        await comparison(page)
          .getByRole("row", { name: /^fresh true false/ })
          .waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await comparison(page).getByRole("button", { name: "The marked request" }).click();
        await comparison(page).getByText("No other exchange has a mark. Mark the one to compare with.").waitFor();
        await page.keyboard.press("Escape");

        await rows(page).nth(0).click();
        await rows(page)
          .nth(2)
          .click({ modifiers: ["ControlOrMeta"] });
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        await comparison(page)
          .getByRole("row", { name: /^n 4 12/ })
          .waitFor();
        await page.keyboard.press("Escape");

        await page.getByRole("grid", { name: "Exchanges" }).press("ControlOrMeta+a");
        await page.getByRole("button", { name: "What is different here?" }).click();
        await difference(page)
          .getByRole("row", { name: /^response header x-cache: MISS 6 of 6 0 of 18/ })
          .waitFor();
        await difference(page)
          .getByRole("row", {
            name: /^Median latency of GET \/orders 3\d\d ms \(n = 6\) \d+(?:\.\d)? ms \(n = 18\)/,
          })
          .waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await difference(page)
          .getByRole("button", { name: /^Show in Traffic: response header x-cache: MISS/ })
          .click();
        await page.getByText(`${COUNT / 4} of ${COUNT}`, { exact: true }).waitFor();

        await page.getByRole("button", { name: "Clear filter" }).first().click();
        await go(page, "Timeline");
        await page.getByRole("button", { name: "Fit session" }).click();
        await page.getByRole("button", { name: "What is different here?" }).click();
        await difference(page).getByRole("paragraph").filter({ hasText: "Choose fewer." }).waitFor();
      }),
    { skip },
  );
});
