import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { onServedWindow } from "../../support/served-window.ts";

describe("body in transfer", (test) => {
  const skip = needsChromium();

  test(
    "given a body still being received, shows the status, appends each piece, and keeps the focus in the body",
    () => {
      const server = new EventEmitter();
      const serving = {
        hosts: ["site.test"],
        answer: (_: unknown, response: ServerResponse) => {
          response.writeHead(203, { "Content-Type": "text/plain" }).write("first line\n");
          server.emit("asked", response);
        },
      } as const;
      return onServedWindow(serving, async ({ page, client }) => {
        const beginning = once(server, "asked");
        const asked = client.ask("GET", "/slow");
        const [response] = (await beginning) as [ServerResponse];
        const row = page.getByRole("row").filter({ hasText: "/slow" });
        await row.getByText("203", { exact: true }).waitFor();
        await row.click();
        await page.getByRole("tab", { name: "Response", exact: true }).click();
        const text = page.getByRole("textbox", { name: "Response body", exact: true });
        await text.getByText("first line").waitFor();
        await text.focus();
        await text.evaluate((element) => {
          element.addEventListener("blur", () => element.setAttribute("data-left", ""));
        });
        response.write("second line\n");
        await text.getByText("second line").waitFor();
        response.end("last line\n");
        await once(response, "finish");
        await asked;
        await text.getByText("last line").waitFor();
        assert.ok(await text.evaluate((element) => element.matches(":focus")));
        assert.is(await text.getAttribute("data-left"), null, "not even for a moment");
      });
    },
    { skip },
  );
});
