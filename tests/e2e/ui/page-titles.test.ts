import { once } from "node:events";
import { readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go } from "../../support/main-window.ts";
import { onServedWindow } from "../../support/served-window.ts";

const HTML = "<!doctype html><title>Ada&amp;Co <img src=x onerror=alert(1)></title>";

describe("name of a live session", (test) => {
  test(
    "given a page that is captured, Sessions names the session by the page's title, as text",
    () =>
      onServedWindow(
        {
          hosts: ["shop.test"],
          answer: (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(HTML),
        },
        async ({ page, weir, client }) => {
          await client.ask("GET", "/", undefined, { "Sec-Fetch-Dest": "document" });
          await page.getByRole("row").filter({ hasText: "shop.test" }).first().waitFor();
          const folder = join(weir.dataDir, "sessions");
          const changes = watch(folder, { recursive: true });
          while (!factsIn(folder).includes("Ada&Co")) await once(changes, "change");
          changes.close();
          await page.getByRole("button", { name: "New session" }).click();
          await go(page, "Sessions");
          await page.getByRole("button", { name: /^Open Ada&Co <img src=x onerror=alert\(1\)>, / }).waitFor();
          assert.equal(await accessibilityFindings(page), []);
        },
      ),
    { skip: needsChromium() },
  );
});

function factsIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const facts = names.filter((name) => name.endsWith("session.json"));
  return facts.map((name) => readFileSync(join(folder, name), "utf8")).join();
}
