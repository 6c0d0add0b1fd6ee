import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openedPage, withBrowser } from "./browser.ts";
import { ProxiedClient } from "./proxied-client.ts";
import { type RunningWeir, runningWeir } from "./running-weir.ts";

/** The main window of a running Weir, and a server behind its proxy. */
export interface MainWindow {
  readonly page: Page;
  readonly weir: RunningWeir;
  /** Sends a request through the proxy to a server that answers after `delay` ms. */
  ask(path: string, delay?: number): Promise<void>;
}

/** security.md S8: text that would do something if it were taken for markup. */
export const HOSTILE = "<img src=x onerror=alert(1)>\"'`";

function echoServer(): Server {
  return createServer((request, response) => {
    const delay = Number(new URL(request.url ?? "/", "http://server.test").searchParams.get("delay"));
    setTimeout(() => {
      response.writeHead(200, { "Content-Type": "application/json", "X-Hostile": HOSTILE });
      response.end(JSON.stringify({ path: request.url, hostile: HOSTILE }));
    }, delay);
  });
}

/** Weir with its window open and a server behind it; at the end the page must have had no trouble. */
export async function onMainWindow(act: (stage: MainWindow) => Promise<void>, dark = false): Promise<void> {
  const server = echoServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir([
    "--host-override",
    `server.test=127.0.0.1:${(server.address() as AddressInfo).port}`,
  ]);
  try {
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, { colorScheme: dark ? "dark" : "light" });
      const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
      const ask = async (path: string, delay = 0) => {
        await client.ask("GET", `${path}?delay=${delay}`);
      };
      await page.getByRole("heading", { name: "Nothing captured yet" }).waitFor();
      await act({ page, weir, ask });
      assert.equal(troubles, []);
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** The row that holds the text. */
export const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
/** Goes to a view. */
export const go = (page: Page, view: string) => page.getByRole("button", { name: view, exact: true }).click();

/** Twelve requests of one endpoint, the last one far slower than its kind: than the first on a busy machine, too. */
export async function sendTwelve({ ask }: MainWindow): Promise<void> {
  for (let count = 0; count < 11; count += 1) await ask("/orders");
  await ask("/orders", 1_500);
}
