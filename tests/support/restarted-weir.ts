import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openedPage, withBrowser } from "./browser.ts";
import { ProxiedClient } from "./proxied-client.ts";
import { type RunningWeir, runningWeir } from "./running-weir.ts";
import { withFolder } from "./temporary-folder.ts";

interface Stage {
  readonly page: Page;
  readonly weir: RunningWeir;
  ask(path: string): Promise<void>;
}

/** Weir with its window open, and then, over the same data folder, once more: for what is there after a restart. */
export function startedTwice(
  first: (stage: Stage) => Promise<void>,
  then: (stage: Stage) => Promise<void>,
): Promise<void> {
  return withFolder((folder) =>
    withBrowser(async (browser) => {
      await started(folder, browser, first);
      await started(folder, browser, then);
    }),
  );
}

/** In front of a server that answers everything. */
async function started(folder: string, browser: Browser, act: (stage: Stage) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.end("answered"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`], folder);
  try {
    const { page, troubles } = await openedPage(browser, weir.ui);
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
    const ask = async (path: string) => {
      await client.ask("POST", path, Buffer.from("a=1"), { "Content-Type": "text/plain" });
    };
    await act({ page, weir, ask });
    assert.equal(troubles, []);
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}
