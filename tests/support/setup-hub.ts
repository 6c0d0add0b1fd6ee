import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openedPage, withBrowser } from "./browser.ts";
import { PageClient } from "./page-client.ts";
import { type RunningWeir, runningWeir } from "./running-weir.ts";

/** The Setup Hub of a running Weir, and the number of the user's interactions. */
export interface OpenHub {
  readonly browser: Browser;
  readonly page: Page;
  readonly weir: RunningWeir;
  /** Another page of the same engine, for actions at the same time. */
  readonly client: PageClient;
  /** Counts one interaction. */
  act(interaction: () => Promise<unknown>): Promise<void>;
  readonly acts: () => number;
}

export interface HubOptions {
  readonly dark?: boolean;
  readonly words?: readonly string[];
  readonly folder?: string | null;
}

/** Opens the hub at the address in the ready line. Then asserts that the page had no errors. */
export async function onHub(body: (hub: OpenHub) => Promise<void>, options: HubOptions = {}): Promise<void> {
  const weir = await runningWeir(options.words, options.folder ?? null);
  const client = await PageClient.open(weir);
  try {
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.hub, {
        colorScheme: options.dark === true ? "dark" : "light",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      let acts = 0;
      const act = async (interaction: () => Promise<unknown>): Promise<void> => {
        acts += 1;
        await interaction();
      };
      await page.getByRole("region", { name: "Status" }).getByText("Proxy running").waitFor();
      await body({ browser, page, weir, client, act, acts: () => acts });
      assert.equal(troubles, []);
    });
  } finally {
    client.close();
    await weir.stop();
  }
}

export const filterBox = (page: Page) => page.getByRole("searchbox", { name: "Filter targets" });

export const hubTab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

export const runTest = (page: Page) => page.getByRole("button", { name: "Run Test" });

/** The title of the box in Validate. */
export const verdict = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true });

/** Opens the first result of the filter. */
export async function showTarget(page: Page, name: string): Promise<void> {
  await filterBox(page).fill(name);
  await filterBox(page).press("Enter");
  await page.getByRole("heading", { name, exact: true, level: 2 }).waitFor();
}

export function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
