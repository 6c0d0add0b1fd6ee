import { once } from "node:events";
import { get } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, row } from "../../support/main-window.ts";
import { pictures } from "../../support/pictures.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { servedBy, testAuthority } from "../../support/test-authority.ts";

describe("server with an untrusted certificate", (test) => {
  test(
    "given its issuer's file in the inspector, the next request is verified by it; Settings lists it, and removes it",
    async () => {
      const authority = testAuthority();
      const server = createServer(servedBy(authority, "shop.test"), (_, response) => response.end("goods"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const weir = await runningWeir(["--host-override", `shop.test=127.0.0.1:${port}`]);
      const ask = async (path: string): Promise<number> => {
        const [response] = await once(
          get({ host: "127.0.0.1", port: weir.proxy.port, path: `https://shop.test${path}`, agent: false }),
          "response",
        );
        response.resume();
        return response.statusCode;
      };
      try {
        await withBrowser(async (browser) => {
          const { page, troubles } = await openedPage(browser, weir.ui, {});
          assert.is(await ask("/first"), 502);
          await row(page, "/first").click();
          const chooser = page.waitForEvent("filechooser");
          await page.getByLabel("Add a CA file for shop.test").press("Enter");
          await (await chooser).setFiles({ name: "empty.pem", mimeType: "", buffer: Buffer.from("none") });
          await page.getByText("The file empty.pem contains no certificate").waitFor();
          await page.getByRole("button", { name: "Accept shop.test unverified" }).waitFor();
          assert.equal(await accessibilityFindings(page), []);
          await pictures(page, "untrusted");
          const file = { name: "issuer.pem", mimeType: "", buffer: Buffer.from(authority.pem) };
          await page.getByLabel("Add a CA file for shop.test").setInputFiles(file);
          await page.getByText("Certificates of shop.test are now verified by issuer.pem, too.").waitFor();
          assert.is(await ask("/second"), 200);
          await go(page, "Settings");
          await page.getByText("issuer.pem", { exact: true }).waitFor();
          assert.equal(await accessibilityFindings(page), []);
          await page.getByRole("button", { name: "Remove the CA file for shop.test" }).click();
          await page.getByText("issuer.pem", { exact: true }).waitFor({ state: "detached" });
          assert.is(await ask("/third"), 502);
          await page.getByLabel("CA file for the host").fill("*.test");
          await page.getByLabel("Choose the file…").setInputFiles(file);
          await page.getByRole("button", { name: "Remove the CA file for *.test" }).waitFor();
          assert.is(await ask("/fourth"), 200);
          assert.equal(troubles, []);
        });
      } finally {
        await weir.stop();
        server.closeAllConnections();
        server.close();
      }
    },
    { skip: needsChromium() },
  );
});
