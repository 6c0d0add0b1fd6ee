import type { Page } from "playwright-core";
import type { WatchedPage } from "./browser.ts";

/** What has gone wrong on a page so far: troubles, dialogs, and requests to anywhere but the page's own server. */
export type Wrongs = () => Promise<readonly string[]>;

/** Watches a page of ours from now on. */
export function guarded({ page, troubles }: WatchedPage): Wrongs {
  const own = new URL(page.url()).host;
  const wrong: string[] = [];
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    const ours = /^(blob|data):$/.test(protocol) || host === own;
    if (!ours) wrong.push(`request: ${request.url()}`);
  });
  return async () => {
    const executed = await page.evaluate(() => "pwned" in window);
    return [...troubles, ...wrong, ...(executed ? ["executed"] : [])];
  };
}

/** How many elements there are that could run, load or lead away; the page has its own scripts and one style sheet. */
export function powerful(page: Page): Promise<number> {
  return page.evaluate(() => {
    const able =
      "script, link, iframe, object, embed, base, form, meta[http-equiv], style, audio, video, math, svg animate";
    const handlers = [...document.querySelectorAll("*")].filter((element) =>
      element.getAttributeNames().some((name) => /^on/.test(name)),
    );
    const addresses = [...document.querySelectorAll("[src], [href]")].filter((element) =>
      /javascript:|evil\.test/i.test(`${element.getAttribute("src")} ${element.getAttribute("href")}`),
    );
    return document.querySelectorAll(able).length + handlers.length + addresses.length;
  });
}
