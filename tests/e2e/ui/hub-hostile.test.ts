import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { guarded, powerful, type Wrongs } from "../../support/guarded-page.ts";
import { HOSTILE_MARKUP } from "../../support/hostile-markup.ts";
import { PageClient } from "../../support/page-client.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { filterBox, hubTab, showTarget } from "../../support/setup-hub.ts";

/** The hub of a running Weir, watched: afterwards no payload may have run, sent a request, or violated the policy. */
async function onGuardedHub(body: (page: Page, weir: RunningWeir, client: PageClient) => Promise<void>): Promise<void> {
  const weir = await runningWeir();
  const client = await PageClient.open(weir);
  try {
    await withBrowser(async (browser) => {
      const opened = await openedPage(browser, weir.hub);
      const { page } = opened;
      const wrongs: Wrongs = guarded(opened);
      await page.getByRole("region", { name: "Status" }).getByText("Proxy running").waitFor();
      await body(page, weir, client);
      assert.equal(await wrongs(), []);
    });
  } finally {
    client.close();
    await weir.stop();
  }
}

/** Without the characters that a URL may not contain; characters that could end a quoted text are kept. */
const inUrl = (payload: string) => payload.replaceAll(/[^!-~]/g, "");

describe("hostile text in the Setup Hub", (test) => {
  const skip = needsChromium();

  test(
    "given payloads in the filter, takes them literally",
    () =>
      onGuardedHub(async (page) => {
        const before = await powerful(page);
        for (const payload of HOSTILE_MARKUP) {
          await filterBox(page).fill(payload);
          assert.is(await filterBox(page).inputValue(), payload.replaceAll(/[\r\n]/g, ""));
        }
        await filterBox(page).fill("<img src=x onerror=pwned=7>");
        await page.getByText("No target matches.").waitFor();
        assert.is(await powerful(page), before);
      }),
    { skip },
  );

  test(
    "given payloads in the sample URL, shows them as text in the snippets",
    () =>
      onGuardedHub(async (page) => {
        for (const target of ["curl", "Python", "Node.js"]) {
          await showTarget(page, target);
          await hubTab(page, "Snippets").click();
          const before = await powerful(page);
          for (const payload of HOSTILE_MARKUP) {
            await page.getByLabel("Sample URL").fill(`https://server.test/?${inUrl(payload)}`);
            await page.getByLabel("Sample URL").dispatchEvent("change");
          }
          await page.getByLabel("Sample URL").fill("https://server.test/?<img/src=x/onerror=pwned=8>");
          await page.getByLabel("Sample URL").dispatchEvent("change");
          await page.locator(".hub-code-text").filter({ hasText: "<img/src=x/onerror=pwned=8>" }).first().waitFor();
          assert.is(await powerful(page), before, target);
        }
      }),
    { skip },
  );

  test(
    "given payloads as sample URL, probe host or folder, refuses them and shows them as text",
    () =>
      onGuardedHub(async (page) => {
        await hubTab(page, "Snippets").click();
        await page.getByLabel("Sample URL").fill("javascript:pwned=26//");
        await page.getByLabel("Sample URL").dispatchEvent("change");
        await page.getByRole("alert").filter({ hasText: "starts with https://" }).waitFor();
        await hubTab(page, "Validate").click();
        const before = await powerful(page);
        for (const payload of HOSTILE_MARKUP) {
          await page.getByLabel("Probe host").fill(payload);
          await page.getByLabel("Probe host").dispatchEvent("change");
        }
        await page.getByLabel("Probe host").fill("<script>pwned=1</script>");
        await page.getByLabel("Probe host").dispatchEvent("change");
        await page.locator("#hub-probe-problem:not(:empty)").waitFor();
        assert.is(await powerful(page), before);

        await page.getByRole("button", { name: "Files, export and phones" }).click();
        const dialog = page.getByRole("dialog", { name: "Certificate" });
        const alert = dialog.getByRole("alert");
        const shown = await powerful(page);
        for (const payload of HOSTILE_MARKUP) {
          await dialog.getByLabel("Folder").fill(`/no/such/${payload}`);
          await dialog.getByRole("button", { name: "Export", exact: true }).click();
          await alert.filter({ hasText: payload.trim() }).waitFor();
        }
        assert.is(await powerful(page), shown);
      }),
    { skip },
  );

  test(
    "given payloads in terminal output and in the search for errors, explains them as text",
    () =>
      onGuardedHub(async (page) => {
        await showTarget(page, "curl");
        await hubTab(page, "Troubleshooting").click();
        const before = await powerful(page);
        for (const payload of HOSTILE_MARKUP) {
          await page.getByRole("searchbox", { name: "Search errors" }).fill(payload);
          const printed = [
            `https_proxy=http://${payload}`,
            `NO_PROXY=${payload}`,
            `CURL_CA_BUNDLE=${payload}`,
            `node: v20.1.0 ${payload}`,
          ];
          await page.getByLabel("Output of the command").fill(printed.join("\n"));
          await page.getByText(`NO_PROXY excludes ${payload.trim()} from the proxy.`).waitFor();
        }
        assert.is(await powerful(page), before);
      }),
    { skip },
  );

  test(
    "given payloads requested by a client during a test, shows them as text",
    () =>
      onGuardedHub(async (page, weir) => {
        await hubTab(page, "Validate").click();
        const before = await powerful(page);
        await page.getByRole("button", { name: "Run Test" }).click();
        await page.getByRole("heading", { name: "Waiting for the request", exact: true }).waitFor();
        const running = await powerful(page);
        const ca = readFileSync(weir.ca, "utf8");
        for (const payload of HOSTILE_MARKUP.map(inUrl).filter((text) => text !== "")) {
          const peer = await RawPeer.secure(weir.proxy.port, "probe.weir.test:443", ca);
          peer.send(`GET /${payload} HTTP/1.1\r\nHost: probe.weir.test\r\nConnection: close\r\n\r\n`);
          await peer.rest();
          peer.close();
        }
        const list = page.getByRole("list", { name: "What happened" });
        await list.getByText(/^A client requested the probe host .* \(\d+ times\)$/).waitFor();
        await list.getByText("It requested GET /").waitFor();
        assert.is(await powerful(page), running);
        assert.is(running, before);
      }),
    { skip },
  );
});
