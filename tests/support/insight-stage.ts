import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openedPage, withBrowser } from "./browser.ts";
import { ProxiedClient } from "./proxied-client.ts";
import { runningWeir } from "./running-weir.ts";

/** A running Weir with its page, and a shop behind its proxy. */
export interface Stage {
  readonly page: Page;
  /** Sends a request through the proxy to the shop. */
  ask(path: string): Promise<string>;
}

/** What the shop's login gives. */
export const TOKEN = "tok_4f9a1c77e2b84d05";
/** A shop: a login that gives a token, text that could be compressed, text that is, a list that is large once. */
function shop(): Server {
  let lists = 0;
  return createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const json = { "Content-Type": "application/json" };
    if (path === "/login") response.writeHead(200, json).end(JSON.stringify({ token: TOKEN }));
    else if (path === "/text")
      response.writeHead(200, { "Content-Type": "text/plain" }).end("the same again\n".repeat(400));
    else if (path === "/packed") {
      response
        .writeHead(200, { ...json, "Content-Encoding": "gzip" })
        .end(gzipSync(JSON.stringify("y".repeat(20_000))));
    } else if (path === "/list") {
      lists += 1;
      response.writeHead(200, json).end(JSON.stringify("x".repeat(lists === 6 ? 60_000 : 100)));
    } else response.writeHead(path === "/missing" ? 404 : 200, json).end("{}");
  });
}

export async function onStage(act: (stage: Stage) => Promise<void>, dark = false): Promise<void> {
  const server = shop();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir(["--host-override", `shop.test=127.0.0.1:${(server.address() as AddressInfo).port}`]);
  try {
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, { colorScheme: dark ? "dark" : "light" });
      const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://shop.test");
      const ask = async (path: string) => (await client.ask("GET", path)).body.toString();
      await page.getByRole("heading", { name: "Nothing captured yet" }).waitFor();
      await act({ page, ask });
      assert.equal(troubles, []);
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

export const row = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });
export const go = (page: Page, view: string): Promise<void> =>
  page.getByRole("button", { name: view, exact: true }).click();
export const openTab = async (page: Page, name: string): Promise<void> => {
  await go(page, "Performance");
  await page.getByRole("tab", { name, exact: true }).click();
};
export const notice = (page: Page, text: string | RegExp): Locator =>
  page.getByRole("status").filter({ hasText: text });

export async function times(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await run();
}

/** Five requests of one endpoint, then a new session: one that trends may compare with. */
export async function completeSession({ page, ask }: Stage): Promise<void> {
  await times(5, () => ask("/orders"));
  await go(page, "Traffic");
  await row(page, "/orders").nth(4).waitFor();
  await page.getByRole("button", { name: "New session" }).click();
  await row(page, "/orders").first().waitFor({ state: "detached" });
}
