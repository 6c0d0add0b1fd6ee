import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { hubTab, onHub } from "../../support/setup-hub.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("Setup Hub's snippets", (test) => {
  const skip = needsChromium();

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
        await page.getByRole("alert").filter({ hasText: "starts with https://" }).waitFor();
        await page.getByRole("button", { name: "Reset" }).click();
        assert.is(await page.getByLabel("Sample URL").inputValue(), "https://example.com/");
      }),
    { skip },
  );
});
