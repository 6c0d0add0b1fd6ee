import * as assert from "uvu/assert";
import { TARGETS } from "../../../src/engine/hub/targets/index.ts";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { breaksBetweenBytes } from "../../support/drawn-lines.ts";
import { pictures } from "../../support/pictures.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { copied, filterBox, hubTab, onHub, runTest, showTarget, verdict } from "../../support/setup-hub.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const TABS = ["Overview", "Setup", "Snippets", "Validate", "Troubleshooting"] as const;

/** docs/specification.md, Watcher: the names of its states, which the interface must not show. */
const STATE_NAMES = /\b(idle|watching|confirmed|cancelled|(?<!(?:Read|Operation) )timed out)\b/i;

describe("Setup Hub", (test) => {
  const skip = needsChromium();

  test(
    "given the toolbar's button or the shortcut, opens the hub in its own window and later reuses that window",
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
    "given a target, first shows what to paste, or the steps if it has no snippets, until a tab is chosen",
    () =>
      onHub(async ({ page }) => {
        const isOpen = (tab: string) => page.getByRole("tab", { name: tab, exact: true, selected: true }).waitFor();
        for (const [target, tab] of [
          ["Python", "Snippets"],
          ["iOS device", "Setup"],
          ["Node.js", "Snippets"],
        ] as const) {
          await showTarget(page, target);
          await isOpen(tab);
        }
        await page.getByRole("button", { name: "Copy axios" }).waitFor();
        await pictures(page, "hub-first");
        await hubTab(page, "Overview").click();
        await showTarget(page, "iOS device");
        await isOpen("Overview");
      }),
    { skip },
  );

  test(
    "given an error text and the output of a terminal, finds the error and explains the output",
    () =>
      onHub(async ({ page, weir }) => {
        await showTarget(page, "curl");
        await hubTab(page, "Troubleshooting").click();
        await page.getByRole("searchbox", { name: "Search errors" }).fill("(60)");
        await page
          .getByRole("tabpanel")
          .getByText(/^1 of \d+$/)
          .waitFor();
        await page.getByRole("button", { name: "Copy the command" }).click();
        const command = await copied(page);
        await page.setViewportSize({ width: 900, height: 600 });
        await withFolder(async (folder) => {
          const proxy = "http://127.0.0.1:1";
          const { output } = await runTool(["sh", "-c", command], folder, { env: { https_proxy: proxy } });
          await page.getByLabel("Output of the command").fill(output);
        });
        await page
          .getByText(`https_proxy points at 127.0.0.1:1; Weir listens on 127.0.0.1:${weir.proxy.port}.`)
          .waitFor();
        const meant = page.getByRole("list", { name: "What the output means" }).getByRole("listitem").last();
        await page.waitForFunction(
          (last) => last !== null && last.getBoundingClientRect().bottom <= innerHeight,
          await meant.elementHandle(),
        );
        await page.getByLabel("Output of the command").fill("Error: connect ECONNREFUSED");
        await page.getByText("This is not the output of the command.").waitFor();
      }),
    { skip: skip ?? needs("curl") },
  );

  test(
    "given every target, each tab has content, shows no internal state and violates no policy",
    () =>
      onHub(async ({ page }) => {
        const names = await page.locator(".hub-target-name").allTextContents();
        assert.is(names.length, TARGETS.length);
        for (const name of names) {
          await page
            .getByRole("option")
            .filter({ has: page.getByText(name, { exact: true }) })
            .first()
            .click();
          for (const tab of TABS) {
            // A click would wait for two frames, for each tab of all targets.
            await hubTab(page, tab).dispatchEvent("click");
            await page.getByRole("tab", { name: tab, exact: true, selected: true }).waitFor();
            const text = (await page.getByRole("tabpanel").allInnerTexts()).join().trim();
            assert.ok(text.length > 30, `${name}, ${tab} is empty`);
            assert.not.match(text, STATE_NAMES, `${name}, ${tab}`);
          }
          await hubTab(page, "Snippets").dispatchEvent("click");
          await page.getByRole("tab", { name: "Snippets", exact: true, selected: true }).waitFor();
          const guide = await page.getByText("This target has no snippet. The Setup tab has its steps.").count();
          const texts = await page.locator(".hub-code-text").count();
          assert.is(guide + (texts > 0 ? 1 : 0), 1, name);
        }
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `given every tab, ${dark ? "dark" : "light"}, axe finds no violation`,
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
            await showTarget(page, "Python");
            await hubTab(page, "Validate").click();
            await runTest(page).click();
            await verdict(page, "Waiting for the request").waitFor();
            assert.equal(await accessibilityFindings(page), [], "a test that waits");
            await client.command({ type: "set-recording", on: false });
            await verdict(page, "Test stopped").waitFor();
            await runTest(page).click();
            await page.getByText("The test did not start.").waitFor();
            assert.equal(await accessibilityFindings(page), [], "a test that is blocked");
            await filterBox(page).fill("nothing at all");
            assert.equal(await accessibilityFindings(page), [], "an empty list");
            await page.getByRole("button", { name: "Files, export and phones" }).click();
            await page.getByRole("dialog", { name: "Certificate" }).waitFor();
            assert.equal(await accessibilityFindings(page), [], "the certificate");
          },
          { dark },
        ),
      { skip },
    );
  }

  test(
    "given any width, breaks the fingerprint only between bytes, and dates the certificate's end as usual",
    () =>
      onHub(async ({ page }) => {
        await page.getByRole("button", { name: "Files, export and phones" }).click();
        const dialog = page.getByRole("dialog", { name: "Certificate" });
        const fingerprint = dialog.getByText(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
        await dialog.getByText(/^20\d\d-\d\d-\d\d \d\d:\d\d$/).waitFor();
        await breaksBetweenBytes(fingerprint, 500, 820);
      }),
    { skip },
  );
});
