import type { RequestListener } from "node:http";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go } from "../../support/insight-stage.ts";
import { pictures } from "../../support/pictures.ts";
import { onServedWindow } from "../../support/served-window.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Does it matter?" });
const bar = (page: Page) => page.locator(".experiment-bar");

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env["WEIR_TEST_SHOTS"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

describe("experiment in the window", (test) => {
  const skip = needsChromium();

  for (const colorScheme of ["light", "dark"] as const)
    test(
      `given an endpoint's panel, ${colorScheme}, the dialog starts it, the bar of every view stops it, and the panel keeps the result`,
      () => {
        const answer: RequestListener = (request, response) => {
          request.resume();
          setTimeout(() => response.end("done"), 20);
        };
        const options = { colorScheme, viewport: { width: 900, height: 600 } };
        return onServedWindow({ hosts: ["server.test"], answer, options }, async ({ page, client }) => {
          for (let index = 0; index < 6; index += 1) await client.ask("GET", "/v1/prices");
          await page
            .getByRole("link", { name: "Performance" })
            .or(page.getByRole("button", { name: "Performance" }))
            .first()
            .click();
          await page
            .getByRole("tab", { name: "Latency" })
            .or(page.getByRole("button", { name: "Latency" }))
            .first()
            .click();
          await page.locator(".endpoint-path", { hasText: "/v1/prices" }).first().click();
          await page.getByRole("button", { name: "Does it matter?" }).click();
          await dialog(page).waitFor();
          assert.equal(await accessibilityFindings(page), []);
          await shot(page, `dialog-${colorScheme}-900`);
          await dialog(page).getByLabel("Loads or walks").fill("3");
          await dialog(page).getByRole("button", { name: "Start" }).click();
          await dialog(page).getByText("Loads or walks: Enter a whole number from 21 to 300.").waitFor();
          await dialog(page).getByLabel("Loads or walks").fill("30");
          await dialog(page).getByLabel("Hold back, ms").fill("300, 300, 200");
          await dialog(page).getByRole("button", { name: "Start" }).click();
          await bar(page)
            .getByText("Responses of GET server.test/v1/prices are held back on purpose: 0 of 30")
            .waitFor();
          await page.setViewportSize({ width: 1280, height: 800 });
          await client.ask("GET", "/v1/prices");
          for (const view of ["Traffic", "Timeline"]) {
            await page
              .getByRole("link", { name: view })
              .or(page.getByRole("button", { name: view }))
              .first()
              .click();
            await bar(page).waitFor();
          }
          await page.getByText("held on purpose", { exact: true }).waitFor();
          await pictures(page, "timeline-held");
          await page
            .getByRole("link", { name: "Traffic" })
            .or(page.getByRole("button", { name: "Traffic" }))
            .first()
            .click();
          assert.equal(await accessibilityFindings(page), []);
          await shot(page, `bar-${colorScheme}-1280`);
          await bar(page).getByRole("button", { name: "Stop" }).click();
          const result = "Experiment on GET server.test/v1/prices: Stopped. Can't tell: 0";
          await bar(page).getByText(result).waitFor();
          await page
            .getByRole("link", { name: "Performance" })
            .or(page.getByRole("button", { name: "Performance" }))
            .first()
            .click();
          await page.getByText("Experiment: Stopped. Can't tell").waitFor();
          await shot(page, `result-${colorScheme}-1280`);
          await page.setViewportSize({ width: 900, height: 600 });
          await shot(page, `result-${colorScheme}-900`);
          await bar(page).getByRole("button", { name: "Dismiss" }).click();
          await bar(page).waitFor({ state: "detached" });
        });
      },
      { skip },
    );

  test(
    "given a step of a page load, and a finding, each opens the dialog for its endpoint and client",
    () => {
      const texts: Readonly<Record<string, string>> = { "/home": '<script src="/app.js"></script>', "/app.js": "1" };
      const answer: RequestListener = (request, response) => {
        const path = request.url ?? "";
        const type = path === "/home" ? "text/html" : "text/javascript";
        const headers = { "Content-Type": type, "Cache-Control": "no-store" };
        setTimeout(() => response.writeHead(200, headers).end(texts[path]), path === "/app.js" ? 300 : 30);
      };
      return onServedWindow({ hosts: ["shop.test"], answer }, async ({ page, client }) => {
        for (let load = 0; load < 5; load += 1) {
          await client.ask("GET", "/home", null, { "Sec-Fetch-Dest": "document", "User-Agent": "shopper/1" });
          const headers = { Referer: "http://shop.test/home", "Sec-Fetch-Dest": "script", "User-Agent": "shopper/1" };
          await client.ask("GET", "/app.js", null, headers);
        }
        await go(page, "Performance");
        const load = page.getByRole("region", { name: "Page load" });
        const asked = page.getByRole("region", { name: /^What if GET \/app\.js took/ });
        const showsDialog = async () => {
          await dialog(page).getByText("/app.js").waitFor();
          await page.waitForFunction(() => {
            const chosen = document.querySelector<HTMLSelectElement>("#experiment-client")?.selectedOptions[0];
            return chosen?.text === "shopper/1 at 127.0.0.1";
          });
          assert.equal(await accessibilityFindings(page), []);
          await dialog(page).getByRole("button", { name: "Cancel" }).click();
        };
        await load.getByRole("button", { name: /\/app\.js/ }).click();
        await asked.getByRole("button", { name: "Does it matter?" }).click();
        await showsDialog();
        await page.locator("[data-finding]", { hasText: "/app.js" }).first().click();
        await page
          .getByRole("region", { name: "Finding", exact: true })
          .getByRole("button", { name: "Does it matter?" })
          .click();
        await showsDialog();
      });
    },
    { skip },
  );
});
