import type { RequestListener } from "node:http";
import type { Page } from "playwright-core";
import type { RunningWeir } from "./running-weir.ts";
import { onServedWindow } from "./served-window.ts";
import { withFolder } from "./temporary-folder.ts";

/** The main window of a running Weir, and a server that the proxy connects to. */
export interface MainWindow {
  readonly page: Page;
  readonly weir: RunningWeir;
  /** Sends a request through the proxy; the server answers after `delay` ms. */
  ask(path: string, delay?: number): Promise<void>;
}

/** docs/security.md S8: text that would have an effect if used as markup. */
export const HOSTILE = "<img src=x onerror=alert(1)>\"'`";

const echo: RequestListener = (request, response) => {
  const delay = Number(new URL(request.url ?? "/", "http://server.test").searchParams.get("delay"));
  const answer = setTimeout(() => {
    response.writeHead(200, { "Content-Type": "application/json", "X-Hostile": HOSTILE });
    response.end(JSON.stringify({ path: request.url, hostile: HOSTILE }));
  }, delay);
  response.on("close", () => clearTimeout(answer));
};

/** Calls `body` with a Weir, its window and a server. Then asserts that the page had no errors. */
export function onMainWindow(
  act: (stage: MainWindow) => Promise<void>,
  dark = false,
  folder: string | null = null,
): Promise<void> {
  const options = { colorScheme: dark ? "dark" : "light" } as const;
  const serving = { hosts: ["server.test"], answer: echo, options, folder } as const;
  return onServedWindow(serving, async ({ page, weir, client }) => {
    await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
    const ask = async (path: string, delay = 0) => {
      await client.ask("GET", `${path}?delay=${delay}`);
    };
    await act({ page, weir, ask });
  });
}

/** Calls two bodies like `onMainWindow`, one after the other, with one data folder: for what must survive a restart. */
export function onMainWindowTwice(
  first: (stage: MainWindow) => Promise<void>,
  then: (stage: MainWindow) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    await onMainWindow(first, false, folder);
    await onMainWindow(then, false, folder);
  });
}

/** The row that contains the text. */
export const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
/** Opens a view. */
export const go = (page: Page, view: string) => page.getByRole("button", { name: view, exact: true }).click();

/** Opens the list of all slow requests, which is behind the list of their causes. */
export async function showEverySlowRequest(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /^Slow requests/ }).click();
  await page.getByRole("button", { name: "Every request" }).click();
}

/** Opens a tab of Performance. */
export async function openTab(page: Page, name: string): Promise<void> {
  await go(page, "Performance");
  await page.getByRole("tab", { name, exact: true }).click();
}

/** Sends twelve requests to one endpoint. The last is far slower than the others, even on a busy computer. */
export async function sendTwelve({ ask }: MainWindow): Promise<void> {
  for (let count = 0; count < 11; count += 1) await ask("/orders");
  await ask("/orders", 1_500);
}
