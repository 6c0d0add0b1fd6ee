import type { Page } from "playwright-core";
import type { WatchedPage } from "./browser.ts";

/** The errors, dialogs and requests to other servers of the page so far. */
export type Wrongs = () => Promise<readonly string[]>;

/** Watches a page from this call on. */
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

/**
 * The number of elements that could run code, load or navigate. The page itself has scripts and one style sheet. Its
 * own forms, which come and go with the views, do not count: Alpine handles them.
 */
export function powerful(page: Page): Promise<number> {
  return page.evaluate(() => {
    const able =
      "script, link, iframe, object, embed, base, form:not([\\@submit\\.prevent]), meta[http-equiv], style, audio, video, math, svg animate";
    const handlers = [...document.querySelectorAll("*")].filter((element) =>
      element.getAttributeNames().some((name) => /^on/.test(name)),
    );
    const addresses = [...document.querySelectorAll("[src], [href]")].filter((element) =>
      /javascript:|evil\.test/i.test(`${element.getAttribute("src")} ${element.getAttribute("href")}`),
    );
    return document.querySelectorAll(able).length + handlers.length + addresses.length;
  });
}
