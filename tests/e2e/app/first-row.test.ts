import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { builtApp, runningWeir } from "../../support/running-weir.ts";

/** A file that the page requested, or a message: from the page, or from the engine. */
interface Step {
  readonly kind: "file" | "page" | "engine";
  readonly text: string;
}

function stepsOf(page: Page): readonly Step[] {
  const steps: Step[] = [];
  const note = (kind: Step["kind"]) => (text: string | Buffer) => steps.push({ kind, text: String(text) });
  page.on("request", (request) => note("file")(new URL(request.url()).pathname));
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => note("page")(payload));
    socket.on("framereceived", ({ payload }) => note("engine")(payload));
  });
  return steps;
}

/** The page's HTML and the files it names. */
async function named(ui: string): Promise<ReadonlySet<string>> {
  const html = await (await fetch(ui)).text();
  const names = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, name = ""]) => name);
  return new Set(["/", ...names.map((name) => new URL(name, ui).pathname)]);
}

describe("loading up to the first row", (test) => {
  test(
    "given a first visit, loads only files that the page names before its first row, and queries at once",
    async () => {
      const server = createServer((_, response) => response.end("ok"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const words = ["--host-override", `first.test=127.0.0.1:${(server.address() as AddressInfo).port}`];
      await builtApp();
      await withBrowser(async (browser) => {
        const { page, troubles } = await openedPage(browser, "about:blank");
        const steps = stepsOf(page);
        const weir = await runningWeir(words);
        try {
          await new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://first.test").ask("GET", "/first-row");
          await page.goto(weir.ui, { waitUntil: "commit" });
          await page.locator(".traffic-path", { hasText: "/first-row" }).first().waitFor();
          const known = await named(weir.ui);
          const until = (isIt: (step: Step) => boolean) => steps.slice(0, steps.findIndex(isIt));
          const beforeRows = until(({ kind, text }) => kind === "engine" && text.includes("/first-row"));
          const unnamed = beforeRows.filter(({ kind, text }) => kind === "file" && !known.has(text));
          assert.ok(beforeRows.length > known.size, "the rows came by the socket");
          assert.equal(unnamed, []);
          const asked = until(({ kind }) => kind === "engine").filter(({ kind }) => kind === "page");
          assert.ok(
            asked.some(({ text }) => text.includes('"view":"traffic"')),
            "rows are asked for before anything was heard",
          );
          assert.equal(troubles, []);
        } finally {
          await weir.stop();
          server.closeAllConnections();
          server.close();
        }
      });
    },
    { skip: needsChromium() },
  );
});
