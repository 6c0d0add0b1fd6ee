import type { Locator, Page } from "playwright-core";
import { onServedWindow, type Serving } from "./served-window.ts";

/** JSON values that parsing would change: long numbers and a duplicate key. */
export const ORDER =
  '{"id":12345678901234567890,"id":1.50,"order":{"state":"pending","total":{"amount":12890,"currency":"EUR"},' +
  `"items":[{"sku":"${"a".repeat(80)}","note":"needle"},{"sku":"b"},{"sku":"c"}]}}`;
export const LINES = 40_000;
/** A little more than two pieces. Each line has a three-byte character, so that pieces end within a character. */
export const LARGE = Array.from({ length: LINES }, (_, line) => `line ${line + 1} of the log, 12 € and more`).join(
  "\n",
);
export const ONE_LINE = "var a=function(n){return n+1};".repeat(40_000);
/** The responses of the site by path: type and body. */
export const BODIES: Readonly<Record<string, readonly [string, string | Buffer]>> = {
  "/order": ["application/json", ORDER],
  "/large": ["text/plain; charset=utf-8", LARGE],
  "/line": ["text/javascript", ONE_LINE],
  "/page": ["text/html", '<!doctype html>\n<p class="x">Pay</p>\n<!-- quiet -->\n<style>p { margin: 4px }</style>\n'],
  "/signs": ["text/plain; charset=utf-8", "a\u0000b\u202ec\u2068d"],
  "/binary": ["application/octet-stream", Buffer.alloc(1_500_000, 7)],
};

/** The main window after the bodies were captured. */
export interface BodyWindow {
  readonly page: Page;
  /** Opens the body of a response. */
  choose(path: string): Promise<void>;
  /** Opens the body of a response and returns its text. */
  open(path: string): Promise<Locator>;
}

/** Calls `body` with a Weir and a window of its own, and then asserts that the page had no unexpected errors. */
export function onBodies(
  act: (stage: BodyWindow) => Promise<void>,
  { dark = false, brought = null as RegExp | null, bodies = BODIES } = {},
): Promise<void> {
  const serving: Serving = {
    hosts: ["site.test"],
    answer: (request, response) => {
      const [type, body] = bodies[request.url ?? "/"] ?? ["text/plain", ""];
      response.writeHead(200, { "Content-Type": type }).end(body);
    },
    options: { colorScheme: dark ? "dark" : "light", permissions: ["clipboard-read", "clipboard-write"] },
    brought,
    before: async (client) => {
      for (const path of Object.keys(bodies)) await client.ask("GET", path);
    },
  };
  return onServedWindow(serving, async ({ page }) => {
    const choose = async (path: string) => {
      await page.getByRole("row").filter({ hasText: path }).click();
      await page.getByRole("tab", { name: "Response", exact: true }).click();
    };
    const open = async (path: string) => {
      await choose(path);
      const text = page.getByRole("textbox", { name: "Response body", exact: true });
      await text.locator(".cm-line").first().filter({ hasText: /./ }).waitFor();
      return text;
    };
    await act({ page, choose, open });
  });
}

export const search = (page: Page) => page.getByRole("textbox", { name: "Search in the Response body" });
export const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
/** The position among the matches of the search: "1 of 3". */
export const place = (page: Page, text: string) => page.locator(".body-search").getByText(text, { exact: true });
export const shownLines = (text: Locator) => text.locator(".cm-line").allTextContents();
