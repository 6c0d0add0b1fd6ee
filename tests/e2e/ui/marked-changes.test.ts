import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, notice } from "../../support/insight-stage.ts";
import { pictures } from "../../support/pictures.ts";
import { onServedWindow } from "../../support/served-window.ts";

/** The walks of a client in each turn, and how long the service takes as A and as B, ms. */
const WALKS = 7;
const TAKES = { A: 20, B: 150 };

describe("A/B comparison in the window", (test) => {
  const skip = needsChromium();

  test(
    "given marks and walks in turns, says which is slower, also of the stored session; a new session has no mark",
    () => {
      let takes = TAKES.A;
      return onServedWindow(
        {
          hosts: ["shop.test"],
          answer: ({ url }, response) => {
            setTimeout(() => response.end("done"), url === "/v1/prices" ? takes : 5);
          },
        },
        async ({ page, client }) => {
          await go(page, "Sessions");
          const part = page.getByRole("region", { name: "Two versions in one recording" });
          await part.getByText("run “weir mark A”").waitFor();
          for (const mark of ["A", "B", "A", "B"] as const) {
            takes = TAKES[mark];
            await part.getByRole("button", { name: mark }).click();
            await notice(page, `Marked ${mark}`).first().waitFor();
            await part.locator(`[aria-pressed="true"]`, { hasText: mark }).waitFor();
            for (let walk = 0; walk < WALKS; walk += 1)
              for (const path of ["/v1/list", "/v1/prices"]) await client.ask("GET", path);
          }
          const verdict = part.getByText(/^B is slower: \d+ ms more, .* \d+ walks of A, \d+ of B\./);
          await verdict.waitFor();
          // Noise may also change the other endpoint, though never as much.
          await part.getByRole("listitem").first().getByText("GET /v1/prices").waitFor();
          await pictures(page, "marked");
          await page.getByRole("button", { name: "New session" }).click();
          await part.getByText("run “weir mark A”").waitFor();
          await client.ask("GET", "/v1/list");
          await page.getByRole("button", { name: /^Open / }).click();
          await notice(page, "read-only").waitFor();
          await go(page, "Sessions");
          await verdict.waitFor();
          assert.is(await part.getByRole("button").count(), 0);
        },
      );
    },
    { skip },
  );
});
