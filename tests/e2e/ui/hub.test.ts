import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { TARGETS } from "../../../src/engine/hub/targets/index.ts";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { copied, filterBox, hubTab, onHub, runTest, showTarget, verdict } from "../../support/setup-hub.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const TABS = ["Overview", "Setup", "Snippets", "Validate", "Troubleshooting"] as const;

/** Spec, Validation watcher: labels of that document; the interface does not name them. */
const STATE_NAMES = /\b(idle|watching|confirmed|cancelled|timed out)\b/i;

/** Whether the row of a target lies within the list's own window. */
const isInSight = (page: Page, name: string) =>
  page.getByRole("option", { name }).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const list = row.closest("#hub-targets")?.getBoundingClientRect();
    return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
  });

describe("Setup Hub", (test) => {
  const skip = needsChromium();

  test(
    "the toolbar and the keyboard open it in a window of its own, and a second time bring that one forward",
    async () => {
      const weir = await runningWeir();
      try {
        await withBrowser(async (browser) => {
          const { page, troubles } = await openedPage(browser, weir.ui);
          const context = page.context();
          const opening = context.waitForEvent("page");
          await page.getByRole("button", { name: "Setup Hub", exact: true }).click();
          const hub = await opening;
          await hub.getByRole("region", { name: "Status" }).getByText("Proxy running").waitFor();
          assert.is(new URL(hub.url()).pathname, "/hub.html");
          assert.is(new URL(hub.url()).hash, "", "the ticket leaves the address");

          await hub.getByRole("option", { name: "Ruby" }).click();
          await page.keyboard.press("Control+Shift+D");
          await page.getByRole("button", { name: "Set up Java" }).click();
          await hub.getByRole("heading", { name: "Java", exact: true }).waitFor();
          assert.is(context.pages().length, 2);
          assert.equal(troubles, []);
        });
      } finally {
        await weir.stop();
      }
    },
    { skip },
  );

  test(
    "the filter has the focus and narrows by every word, in groups, with marks and counts",
    () =>
      onHub(async ({ page }) => {
        assert.ok(await filterBox(page).evaluate((box) => box === document.activeElement));
        await filterBox(page).fill("PY");
        await page.getByText("6 of 33").waitFor();
        assert.is(await page.getByRole("option").count(), 6);
        await page.getByRole("group", { name: "Runtimes" }).getByText("2 of 10").waitFor();
        assert.equal(
          [
            ...new Set(
              (await page.locator(".hub-list mark:visible").allTextContents()).map((text) => text.toLowerCase()),
            ),
          ],
          ["py"],
        );
        await filterBox(page).fill("guide device");
        assert.is(await page.getByRole("group").count(), 1);
        await filterBox(page).fill("present browsers firefox");
        await page.getByText("1 of 33").waitFor();
        assert.is(await page.getByRole("option").count(), 1);
        await page.locator(".hub-target-label mark", { hasText: "present" }).waitFor();

        await filterBox(page).fill("ios device");
        const summary = page.getByRole("option", { name: "visionOS" }).locator(".hub-target-summary");
        assert.match((await summary.allInnerTexts()).join(), "the iOS device", "two marks keep the space between them");

        await showTarget(page, "Flutter");
        await filterBox(page).fill("");
        assert.ok(await isInSight(page, "Flutter"), "it is found again among all");
        await filterBox(page).fill("no such thing");
        await page.getByText("No target matches.").waitFor();
        await page.getByRole("button", { name: "Clear the filter" }).last().click();
        assert.is(await page.getByRole("option").count(), 33);
        assert.ok(await filterBox(page).evaluate((box) => box === document.activeElement));
      }),
    { skip },
  );

  test(
    "a key in the filter is answered before anything else happens on the page",
    () =>
      onHub(async ({ page }) => {
        const answers = await filterBox(page).evaluate(async (box: HTMLInputElement) => {
          const told: (readonly [text: string, count: string, shown: number])[] = [];
          for (const text of ["p", "py", "pyt", "", "c", "cap", "capture check", "", "proven", "device", "zz", ""]) {
            box.value = text;
            box.dispatchEvent(new Event("input"));
            // Alpine draws in a microtask of its own; after a task all of it is done.
            await new Promise((resolve) => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = resolve;
              port2.postMessage(null);
            });
            const rows = [...document.querySelectorAll<HTMLElement>(".hub-target")];
            const shown = rows.filter((row) => row.offsetParent !== null).length;
            told.push([text, document.querySelector("#hub-filter-count")?.textContent ?? "", shown]);
          }
          return told;
        });
        for (const [text, count, shown] of answers)
          assert.is(count, text === "" ? "" : `${shown} of ${TARGETS.length}`, text);
        assert.ok(new Set(answers.map(([, , shown]) => shown)).size > 5, "they differ");
      }),
    { skip },
  );

  test(
    "it is used by the keyboard alone: a target is found, tested, given more time, and stopped",
    () =>
      onHub(async ({ page }) => {
        const press = async (...keys: readonly string[]) => {
          for (const key of keys) await page.keyboard.press(key);
        };
        await page.keyboard.type("runtimes");
        await press("ArrowDown", "ArrowDown", "Enter");
        await page.getByRole("heading", { name: "Ruby", exact: true }).waitFor();
        await press("Escape");
        assert.is(await filterBox(page).inputValue(), "");
        await press("Tab", "Tab", "ArrowRight", "ArrowRight", "ArrowRight");
        assert.is(await page.evaluate(() => document.activeElement?.textContent), "Validate");
        await press("Tab", "Enter");
        await verdict(page, "Waiting for the request").waitFor();
        await page.getByRole("button", { name: "+30 s" }).focus();
        await press("Enter");
        await page.getByRole("timer", { name: /^(59|60) seconds left$/ }).waitFor();
        await press("Tab", "Enter");
        await verdict(page, "The test was stopped").waitFor();
        await page.getByText("You stopped it.").first().waitFor();
      }),
    { skip },
  );

  test(
    "a key finds what the one before it showed and hid, though no frame was drawn between them",
    () =>
      onHub(async ({ page }) => {
        await page.evaluate(() => {
          window.requestAnimationFrame = () => 0;
        });
        const focused = () =>
          page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
        await page.keyboard.type("ruby");
        await page.keyboard.press("Tab");
        assert.is(await focused(), "Clear the filter");
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Escape");
        await page.keyboard.press("Tab");
        assert.is(await focused(), "Targets by category");
        for (const key of ["Tab", "ArrowRight", "ArrowRight", "ArrowRight", "Tab"]) await page.keyboard.press(key);
        assert.is(await focused(), "Run Test");
      }),
    { skip },
  );

  test(
    "the certificate is exported to a folder of the person's choice, and snippets name it there",
    () =>
      withFolder((folder) =>
        onHub(async ({ page }) => {
          await page.getByRole("button", { name: "Files, export and phones" }).click();
          const dialog = page.getByRole("dialog", { name: "Certificate" });
          await dialog.getByRole("img", { name: "QR code of http://weir.test/" }).waitFor();
          await dialog.getByLabel("Folder").fill(`${folder}/not-there`);
          await dialog.getByRole("button", { name: "Export", exact: true }).click();
          await dialog.getByRole("alert").filter({ hasText: "is no folder" }).waitFor();
          await dialog.getByLabel("Folder").fill(folder);
          await dialog.getByRole("button", { name: "Export", exact: true }).click();
          await dialog.getByText(`${folder}/weir-ca-bundle.pem`).waitFor();
          await page.keyboard.press("Escape");
          await hubTab(page, "Snippets").click();
          await page.getByText(`"${folder}/weir-ca-bundle.pem"`).waitFor();
        }),
      ),
    { skip },
  );

  test(
    "a copy is stale, visibly, once the port has changed",
    () =>
      withFolder(async (folder) => {
        await onHub(
          async ({ page }) => {
            await hubTab(page, "Snippets").click();
            await page.getByRole("button", { name: "Copy requests", exact: true }).click();
            await page.getByText(/^Copied \d\d:\d\d$/).waitFor();
          },
          { folder },
        );
        await onHub(
          async ({ page, weir }) => {
            await hubTab(page, "Snippets").click();
            await page.getByText("What you pasted is stale.").waitFor();
            assert.equal(
              await page.getByRole("region", { name: "In the program" }).locator(".is-changed").allTextContents(),
              [String(weir.proxy.port), String(weir.proxy.port)],
            );
            await page.getByRole("button", { name: "Copy requests again" }).click();
            await page.getByText("What you pasted is stale.").waitFor({ state: "detached" });
          },
          { folder },
        );
      }),
    { skip, limit: 120_000 },
  );

  test(
    "the sample URL is the person's, and one that cannot be written is refused beside the field",
    () =>
      onHub(async ({ page }) => {
        await hubTab(page, "Snippets").click();
        await page.getByLabel("Sample URL").fill("https://api.shop.test/v1/products");
        await page.getByText('"https://api.shop.test/v1/products"').first().waitFor();
        await page.getByLabel("Sample URL").fill("api.shop.test");
        await page.getByRole("alert").filter({ hasText: "begins with https://" }).waitFor();
        await page.getByRole("button", { name: "Reset" }).click();
        assert.is(await page.getByLabel("Sample URL").inputValue(), "https://example.com/");
      }),
    { skip },
  );

  test(
    "errors are searched, and what a terminal printed is explained",
    () =>
      onHub(async ({ page, weir }) => {
        await showTarget(page, "curl");
        await hubTab(page, "Troubleshooting").click();
        await page.getByRole("searchbox", { name: "Search errors" }).fill("(60)");
        await page
          .getByRole("tabpanel")
          .getByText(/^1 of \d+$/)
          .waitFor();
        await page.getByRole("button", { name: "Copy the reading command" }).click();
        const command = await copied(page);
        await withFolder(async (folder) => {
          const proxy = "http://127.0.0.1:1";
          const { output } = await runTool(["sh", "-c", command], folder, { env: { https_proxy: proxy } });
          await page.getByLabel("What it printed").fill(output);
        });
        await page
          .getByText(`https_proxy points at 127.0.0.1:1; Weir listens on 127.0.0.1:${weir.proxy.port}.`)
          .waitFor();
      }),
    { skip: skip ?? needs("curl") },
  );

  test(
    "every tab of every target is there, names no state, and breaks no policy",
    () =>
      onHub(async ({ page }) => {
        for (const name of await page.locator(".hub-target-name").allTextContents()) {
          await page
            .getByRole("option")
            .filter({ has: page.getByText(name, { exact: true }) })
            .first()
            .click();
          for (const tab of TABS) {
            await hubTab(page, tab).click();
            const text = (await page.getByRole("tabpanel").allInnerTexts()).join().trim();
            assert.ok(text.length > 30, `${name}, ${tab} is empty`);
            assert.not.match(text, STATE_NAMES, `${name}, ${tab}`);
          }
          await hubTab(page, "Snippets").click();
          const guide = await page.getByText("No generated snippet; the steps are in Setup.").count();
          const texts = await page.locator(".hub-code-text").count();
          assert.is(guide + (texts > 0 ? 1 : 0), 1, name);
        }
      }),
    { skip, limit: 120_000 },
  );

  for (const dark of [false, true]) {
    test(
      `axe finds nothing in any tab, ${dark ? "dark" : "light"}`,
      () =>
        onHub(
          async ({ page, client }) => {
            for (const target of ["Python", "Docker", "iOS device"]) {
              await showTarget(page, target);
              for (const tab of TABS) {
                await hubTab(page, tab).click();
                assert.equal(await accessibilityFindings(page), [], `${target}, ${tab}`);
              }
            }
            await hubTab(page, "Validate").click();
            await runTest(page).click();
            await verdict(page, "Waiting for the request").waitFor();
            assert.equal(await accessibilityFindings(page), [], "a test that waits");
            await client.command({ type: "set-recording", on: false });
            await verdict(page, "The test was stopped").waitFor();
            await runTest(page).click();
            await page.getByText("The test did not begin.").waitFor();
            assert.equal(await accessibilityFindings(page), [], "a test that is blocked");
            await filterBox(page).fill("nothing at all");
            assert.equal(await accessibilityFindings(page), [], "an empty list");
            await page.getByRole("button", { name: "Files, export and phones" }).click();
            await page.getByRole("dialog", { name: "Certificate" }).waitFor();
            assert.equal(await accessibilityFindings(page), [], "the certificate");
          },
          { dark },
        ),
      { skip, limit: 120_000 },
    );
  }
});
