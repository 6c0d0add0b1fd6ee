import * as assert from "uvu/assert";
import { SAMPLE } from "../../../src/engine/hub/target.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { lanAddress } from "../../support/network-address.ts";
import { pictures } from "../../support/pictures.ts";
import { copied, hubTab, onHub, showTarget } from "../../support/setup-hub.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("Setup Hub snippets", (test) => {
  const skip = needsChromium();

  test(
    "given a chosen folder, exports the certificate there, and snippets name the files in it",
    () =>
      withFolder((folder) =>
        onHub(async ({ page }) => {
          await page.getByRole("button", { name: "Files, export and phones" }).click();
          const dialog = page.getByRole("dialog", { name: "Certificate" });
          await dialog.getByText("devices cannot reach Weir yet").waitFor();
          assert.is(await dialog.getByRole("img", { name: /^QR code/ }).count(), 0);
          await dialog.getByLabel("Folder").fill(`${folder}/not-there`);
          await dialog.getByRole("button", { name: "Export", exact: true }).click();
          await dialog.getByRole("alert").filter({ hasText: "is not a folder" }).waitFor();
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
    "given a snippet that was copied, the announcement covers neither code nor buttons",
    () =>
      onHub(async ({ page }) => {
        await showTarget(page, "Python");
        await hubTab(page, "Snippets").click();
        for (const [width, height] of [
          [640, 400],
          [900, 600],
          [1280, 800],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.getByRole("button", { name: /^Copy/ }).filter({ hasText: "Copy" }).first().click();
          const announcement = page.locator(".hub-announcement > span");
          await announcement.waitFor();
          const covered = await announcement.evaluate((element) => {
            const own = element.getBoundingClientRect();
            const others = [...document.querySelectorAll("pre, code, button, a, input, h1")];
            return others.filter((other) => {
              const { left, right, top, bottom } = other.getBoundingClientRect();
              return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
            }).length;
          });
          assert.is(covered, 0, `at ${width} px`);
        }
      }),
    { skip },
  );

  test(
    "given a step of Setup that speaks of a snippet, leads to Snippets",
    () =>
      onHub(async ({ page }) => {
        await showTarget(page, "Python");
        await hubTab(page, "Setup").click();
        const step = page.getByRole("listitem").filter({ hasText: "Copy the snippet" });
        const links = page.getByRole("button", { name: "Open Snippets" });
        await step.getByRole("button", { name: "Open Snippets" }).waitFor();
        assert.is(await links.filter({ visible: true }).count(), 1);
        await pictures(page, "hub-setup");
        await links.filter({ visible: true }).click();
        await page.getByRole("tab", { name: "Snippets", selected: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given the QR code's page, tells a device what to enter and whether its requests pass through Weir",
    () =>
      onHub(async ({ page, browser, client, weir }) => {
        await client.command({ type: "set-reach", lan: true });
        await page.getByRole("button", { name: "Files, export and phones" }).click();
        const url = `http://${lanAddress()}:${weir.proxy.port}/`;
        await page
          .getByRole("dialog")
          .getByRole("img", { name: `QR code of ${url}`, exact: true })
          .waitFor();
        const device = await browser.newPage();
        await device.goto(url);
        await device.getByText("does not send its requests through Weir yet").waitFor();
        assert.equal(await device.getByRole("definition").allTextContents(), [lanAddress(), String(weir.proxy.port)]);
        await device.waitForRequest(`${url}?live`);
        const context = await browser.newContext({ proxy: { server: url } });
        const through = await context.newPage();
        await through.goto(`${url}?live`);
        await through.getByText("✓ This device sends its requests through Weir.").waitFor();
      }),
    { skip: skip ?? (lanAddress() === null ? "needs a network address" : null) },
  );

  test(
    "given Node.js, copies the install line of the chosen version, and given Edge, a command that needs no trust",
    () =>
      onHub(async ({ page }) => {
        await showTarget(page, "Node.js");
        await hubTab(page, "Snippets").click();
        await page.setViewportSize({ width: 1100, height: 760 });
        await page.getByText("Save as request.mjs. Tested with axios").waitFor();
        const heads = await page.locator(".hub-code-head").evaluateAll((all) =>
          all.map((head) => {
            const { top, bottom } = head.getBoundingClientRect();
            const buttons = [...head.querySelectorAll("button")].map((button) => button.getBoundingClientRect());
            return buttons.every((button) => button.top - top >= 3 && bottom - button.bottom >= 3);
          }),
        );
        assert.ok(heads.length > 0 && heads.every(Boolean), "no button touches the edge of its head");
        await page.getByText(/For Node\.js 20 to 22\.20 and 23 to 24\.4, .*, first\s*npm install undici@7/).waitFor();
        await page.getByText("First npm install axios hpagent").waitFor();
        await page.getByRole("button", { name: "Copy the install line of Environment" }).click();
        assert.is(await copied(page), "npm install undici@7");
        await showTarget(page, "Chrome, Edge, Brave");
        await page.getByRole("radio", { name: "Edge" }).first().click();
        await page.getByRole("button", { name: "Copy Linux, Windows" }).click();
        assert.match(await copied(page), /--ignore-certificate-errors-spki-list=[\w+/]{43}=/);
        await page.getByText("It verifies all others as usual").waitFor();
      }),
    { skip },
  );

  test(
    "given a copied snippet and then another port, says so beside that text alone, and marks it as out of date",
    () =>
      withFolder(async (folder) => {
        await onHub(
          async ({ page }) => {
            await hubTab(page, "Snippets").click();
            await page.getByRole("button", { name: "Copy requests", exact: true }).click();
            await page.getByText(/^Copied \d\d:\d\d$/).waitFor();
            for (const tab of ["Validate", "Snippets"]) {
              await hubTab(page, tab).click();
              await page.getByRole("button", { name: "Copy requests", exact: true }).waitFor();
              assert.is(
                await page
                  .getByText(/^Copied \d\d:\d\d$/)
                  .filter({ visible: true })
                  .count(),
                tab === "Snippets" ? 1 : 0,
              );
            }
          },
          { folder },
        );
        await onHub(
          async ({ page, weir }) => {
            await hubTab(page, "Snippets").click();
            await page.getByText("The snippet you copied is out of date.").waitFor();
            assert.equal(
              await page.getByRole("region", { name: "In the program" }).locator(".is-changed").allTextContents(),
              [String(weir.proxy.port), String(weir.proxy.port)],
            );
            await page.getByRole("button", { name: "Copy requests again" }).click();
            await page.getByText("The snippet you copied is out of date.").waitFor({ state: "detached" });
          },
          { folder },
        );
      }),
    { skip },
  );

  test(
    "given a sample URL, keeps it for every target, and refuses an invalid one beside the field",
    () =>
      onHub(async ({ page }) => {
        await hubTab(page, "Snippets").click();
        await page.getByLabel("Sample URL").fill("https://api.shop.test/v1/products");
        await page.getByText('"https://api.shop.test/v1/products"').first().waitFor();
        await showTarget(page, "Node.js");
        assert.is(await page.getByLabel("Sample URL").inputValue(), "https://api.shop.test/v1/products");
        await page.getByText('"https://api.shop.test/v1/products"').first().waitFor();
        await page.getByRole("heading", { name: /also for fetch/ }).waitFor();
        await page.getByText("Proven end-to-end: 9 of 14 snippets").waitFor();
        await page.getByText("Node.js: not validated yet").waitFor();
        await pictures(page, "hub-snippets");
        await page.getByLabel("Sample URL").fill("api.shop.test");
        await page.getByRole("alert").filter({ hasText: "starts with https://" }).waitFor();
        await page.getByRole("button", { name: "Reset" }).click();
        assert.is(await page.getByLabel("Sample URL").inputValue(), SAMPLE);
      }),
    { skip },
  );
});
