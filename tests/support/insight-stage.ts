import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import type { Locator, Page } from "playwright-core";
import { onServedWindow } from "./served-window.ts";

/** A running Weir with a UI client, and a sample shop that the proxy connects to. */
export interface Stage {
  readonly page: Page;
  /** Sends a request through the proxy to the shop. */
  ask(path: string): Promise<string>;
}

/** The token that the shop's login returns. */
export const TOKEN = "tok_4f9a1c77e2b84d05";
/** How long the shop waits before an answer to a request that ends with `?slowly`, ms. */
const SLOWLY = 60;

/**
 * A shop: a login that returns a token, text that could be compressed, compressed text, and a list with one large
 * response.
 */
function shop(): RequestListener {
  let lists = 0;
  return (request, response) => {
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
    } else {
      const answer = () => response.writeHead(path === "/missing" ? 404 : 200, json).end("{}");
      if (request.url?.endsWith("?slowly")) setTimeout(answer, SLOWLY);
      else answer();
    }
  };
}

export function onStage(act: (stage: Stage) => Promise<void>, dark = false): Promise<void> {
  const colorScheme = dark ? ("dark" as const) : ("light" as const);
  const options = { colorScheme, permissions: ["clipboard-read", "clipboard-write"] };
  return onServedWindow({ hosts: ["shop.test"], answer: shop(), options }, async ({ page, client }) => {
    await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
    await act({ page, ask: async (path) => (await client.ask("GET", path)).body.toString() });
  });
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

/** Sends five requests to one endpoint and starts a new session, so that trends have one baseline session. */
export async function completeSession({ page, ask }: Stage): Promise<void> {
  await times(5, () => ask("/orders"));
  await go(page, "Traffic");
  await row(page, "/orders").nth(4).waitFor();
  await page.getByRole("button", { name: "New session" }).click();
  await row(page, "/orders").first().waitFor({ state: "detached" });
}
