import { request } from "node:http";
import type { Page } from "playwright-core";
import { startedBrowser } from "../../tests/support/browser.ts";
import { PLAIN_HOST } from "../authority.ts";
import { median } from "../figures.ts";
import type { Part } from "../part.ts";
import { atMost } from "../verdict.ts";

const REQUESTS = 20;

/** The time from a request through the proxy to its row in the window. */
export const row: Part = {
  name: "row",
  title: "a request until its row is on the screen (Chromium)",
  measure: async ({ weir }) => {
    const browser = await startedBrowser();
    try {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await page.goto(weir.ui);
      await page.locator(".statusbar b").first().waitFor();
      const times: number[] = [];
      for (let index = 0; index < REQUESTS; index += 1) {
        const path = `/api/row-${index}-of-${Date.now()}`;
        const shown = appeared(page, path);
        await sent(weir.plain.port, `http://${PLAIN_HOST}${path}`);
        const answered = performance.timeOrigin + performance.now();
        times.push((await shown) - answered);
      }
      const slowest = Math.max(...times);
      const figures = { "median ms": median(times), "slowest ms": slowest, requests: times.length };
      const verdict = atMost("≤ 300 ms", 300, slowest, `${slowest.toFixed(0)} ms`);
      return { rows: [{ subject: "Weir", figures }], verdicts: [verdict] };
    } finally {
      await browser.close();
    }
  },
};

/** When the page first showed `path`, by the system's clock, which both processes use. */
function appeared(page: Page, path: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const paths = [...document.querySelectorAll(".traffic-path")];
          if (paths.some(({ textContent }) => textContent === wanted)) {
            resolve(performance.timeOrigin + performance.now());
          } else requestAnimationFrame(look);
        };
        look();
      }),
    path,
  );
}

function sent(port: number, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: url, headers: { Host: new URL(url).host } }, (response) => {
      response.resume().on("end", resolve);
    });
    asked.on("error", reject).end();
  });
}
