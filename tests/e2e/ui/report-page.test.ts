import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { REPORT_PAGE, reportPage } from "../../../scripts/report-page.ts";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ranInFirefox } from "../../support/marionette.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { which } from "../../support/which.ts";

const HAR = fileURLToPath(new URL("../../fixtures/har/http2-chrome.har", import.meta.url));
const OTHER = fileURLToPath(new URL("../../fixtures/har-odd/one-slow-request.har", import.meta.url));
const firefox = which("firefox") ?? which("firefox-esr");

/** The page as a file in a new folder. */
const withPage = (body: (address: string, folder: string) => Promise<void>) =>
  withFolder(async (folder) => {
    const file = join(folder, REPORT_PAGE);
    writeFileSync(file, await reportPage());
    await body(pathToFileURL(file).href, folder);
  });

/** What a page shows of a report: its heading, and the text of its frame. */
async function shownIn(page: Page): Promise<string> {
  await page.locator("#report:not([hidden])").waitFor();
  const frame = page.frameLocator("#report");
  await frame.locator("footer").waitFor();
  return (await frame.locator("main").textContent())?.trim() ?? "";
}

/** Drops files on an element, as from a file manager. */
async function drop(page: Page, place: string, files: Readonly<Record<string, string>>): Promise<void> {
  const data = await page.evaluateHandle((texts) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(texts)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent(place, "dragover", { dataTransfer: data });
  await page.dispatchEvent(place, "drop", { dataTransfer: data });
}

describe("report page opened from a file", (test) => {
  test(
    "given dropped and chosen HAR files, shows and saves their reports, and asks the network for nothing",
    () =>
      withPage((address, folder) =>
        withBrowser(async (browser) => {
          for (const colorScheme of ["light", "dark"] as const) {
            const { page, troubles } = await openedPage(browser, address, {
              colorScheme,
              viewport: { width: 900, height: 600 },
              acceptDownloads: true,
            });
            const requests: string[] = [];
            page.on("request", (request) => requests.push(request.url()));
            assert.equal(await accessibilityFindings(page), []);

            await drop(page, "main", { "notes.txt": "no HAR", "shop.har": readFileSync(HAR, "utf8") });
            assert.match(await shownIn(page), /^Findings: shop\.har/);
            assert.is(
              await page.getByRole("alert").textContent(),
              "notes.txt: This is not a HAR file: it is not one JSON object.",
            );
            assert.equal(await accessibilityFindings(page), []);

            const saving = page.waitForEvent("download");
            await page.getByRole("button", { name: "Save report" }).press("Enter");
            const saved = join(folder, "saved.html");
            const download = await saving;
            assert.is(download.suggestedFilename(), "shop-report.html");
            await download.saveAs(saved);
            assert.match(readFileSync(saved, "utf8"), /^<!doctype html>[\s\S]*Findings: shop\.har/);

            const exporting = page.waitForEvent("download");
            await page.getByRole("button", { name: "Save redacted HAR" }).press("Enter");
            const har = await exporting;
            assert.is(har.suggestedFilename(), "shop-redacted.har");
            await har.saveAs(saved);
            assert.is(JSON.parse(readFileSync(saved, "utf8")).log.creator.name, "Weir");
            await page.locator("#report:not([hidden])").waitFor();

            const choosing = page.waitForEvent("filechooser");
            await page.getByRole("button", { name: "Choose files" }).press("Enter");
            await (await choosing).setFiles([HAR, OTHER]);
            await page.getByRole("combobox", { name: "File" }).waitFor();
            assert.match(await shownIn(page), /Findings: http2-chrome\.har[\s\S]*Findings: one-slow-request\.har/);

            assert.equal(troubles, []);
            assert.equal(
              requests.filter((url) => !/^(?:file|blob|data|about):/.test(url)),
              [],
            );
            await page.context().close();
          }
        }),
      ),
    { skip: needsChromium() },
  );

  test(
    "given a page without the right to connect, its policy blocks every kind of request",
    () =>
      withPage((address) =>
        withBrowser(async (browser) => {
          const { page, troubles } = await openedPage(browser, address);
          await page.evaluate(async () => {
            await fetch("http://127.0.0.1:9/").catch(() => {});
            new Image().src = "http://127.0.0.1:9/x.png";
          });
          await page.waitForFunction(() => document.readyState === "complete");
          const blocked = () => troubles.filter((line) => line.startsWith("policy: ")).join("\n");
          for (const kind of ["connect-src", "img-src"]) assert.match(blocked(), new RegExp(kind));
        }),
      ),
    { skip: needsChromium() },
  );

  test(
    "given Firefox, shows the same report",
    () =>
      withPage(async (address, folder) => {
        const script = `
          const [text, done] = arguments;
          const violations = [];
          document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "shop.har"));
          const files = document.getElementById("files");
          files.files = transfer.files;
          const frame = document.getElementById("report");
          frame.addEventListener("load", () => {
            const heading = frame.contentDocument.querySelector("h1")?.textContent ?? "";
            const width = frame.contentDocument.querySelector("main")?.getBoundingClientRect().width ?? 0;
            if (heading !== "") done([heading, width > 0 && width <= 1100, violations.join()].join("\\n"));
          });
          files.dispatchEvent(new Event("change"));`;
        const shown = await ranInFirefox(firefox ?? "", folder, address, script, [readFileSync(HAR, "utf8")]);
        assert.is(shown, "Findings: shop.har\ntrue\n");
      }),
    { skip: firefox === null ? "needs firefox" : null },
  );
});
