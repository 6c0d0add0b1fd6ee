import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openedPage, withBrowser } from "./browser.ts";
import { ProxiedClient } from "./proxied-client.ts";
import { type RunningWeir, runningWeir } from "./running-weir.ts";

/** The main window of a running Weir, and a client's connection through the proxy to a server. */
export interface ServedWindow {
  readonly page: Page;
  readonly weir: RunningWeir;
  readonly client: ProxiedClient;
}

/** The server, and other options of Weir and the window. */
export interface Serving {
  /** The server's names; the client uses the first name. */
  readonly hosts: readonly [string, ...string[]];
  readonly answer: RequestListener;
  readonly options?: BrowserContextOptions;
  /** The data folder; `null`: a new one. */
  readonly folder?: string | null;
  /** Errors of the page that the test expects. */
  readonly brought?: RegExp | null;
  /** Sends traffic before the window is opened. */
  readonly before?: (client: ProxiedClient) => Promise<void>;
}

/** Calls `body` with a Weir, its window and a server. Then asserts that the page had no unexpected errors. */
export async function onServedWindow(
  { hosts, answer, options = {}, folder = null, brought = null, before }: Serving,
  act: (stage: ServedWindow) => Promise<void>,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const words = hosts.flatMap((host) => ["--host-override", `${host}=127.0.0.1:${port}`]);
  const weir = await runningWeir(words, folder);
  const client = clientOf(weir, hosts[0]);
  try {
    await before?.(client);
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, options);
      await act({ page, weir, client });
      assert.equal(
        troubles.filter((trouble) => brought?.test(trouble) !== true),
        [],
      );
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** Another client of the proxy, for another name of the server. */
export function clientOf({ proxy }: RunningWeir, host: string): ProxiedClient {
  return new ProxiedClient({ port: proxy.port, ca: "" }, `http://${host}`);
}
