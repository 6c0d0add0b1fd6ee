import type { Browser, Page } from "playwright-core";
import { startedBrowser } from "../../tests/support/browser.ts";
import { median } from "../figures.ts";
import type { Figures, Part } from "../part.ts";
import { atMost } from "../verdict.ts";

/** Texts that are typed letter by letter; each letter changes the visible rows. */
const TYPED = ["python", "capture check", "proven device"] as const;
const ROUNDS = 3;

/**
 * docs/specification.md, Hub budget: the time from a key press in the Setup Hub's filter to the filtered list, in
 * Chromium.
 */
export const hub: Part = {
  name: "hub",
  title: "the Setup Hub's filter in Chromium (keystroke to the filtered list, laid out)",
  measure: async ({ weir }) => {
    const address = new URL(weir.ui);
    address.pathname = "/hub.html";
    const browser = await startedBrowser();
    try {
      const figures = await measured(browser, address.href);
      const slowest = figures["slowest ms"] ?? Number.NaN;
      const verdict = atMost("keystroke → list ≤ 16 ms", 16, slowest, `${slowest.toFixed(1)} ms`);
      return { rows: [{ subject: "all targets", figures }], verdicts: [verdict] };
    } finally {
      await browser.close();
    }
  },
};

async function measured(browser: Browser, address: string): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("region", { name: "Status" }).getByText("Proxy running").waitFor();
  const times: Answer[] = [];
  // The first round is not counted, because the browser compiles code in it.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const text of TYPED) {
      const typing = await typed(page, text);
      if (round > 0) times.push(...typing);
    }
  }
  await context.close();
  const listed = times.map(({ list }) => list);
  return {
    "keystroke to list, median ms": median(listed),
    "slowest ms": Math.max(...listed),
    "to the task after it, median ms": median(times.map(({ task }) => task)),
    keystrokes: times.length,
  };
}

/** Milliseconds after a key press, by the browser's timestamp. */
interface Answer {
  /** When the filtered list has its layout. */
  readonly list: number;
  /** When the page is idle again; without a graphics card, the browser has painted by then. */
  readonly task: number;
}

async function typed(page: Page, text: string): Promise<readonly Answer[]> {
  const box = page.getByRole("searchbox", { name: "Filter targets" });
  await box.fill("");
  const times: Answer[] = [];
  for (const letter of text) {
    const drawn = page.evaluate(
      () =>
        new Promise<Answer>((resolve, reject) => {
          let at = 0;
          document.addEventListener(
            "keydown",
            (event) => {
              at = event.timeStamp;
            },
            { once: true, capture: true },
          );
          // Runs after the field's own listener, so the list is filtered already.
          document.addEventListener(
            "input",
            () => {
              document.body.getBoundingClientRect();
              const list = performance.now() - at;
              const rows = [...document.querySelectorAll<HTMLElement>(".hub-target")];
              const shown = rows.filter((row) => row.offsetParent !== null).length;
              const count = document.querySelector("#hub-filter-count")?.textContent ?? "";
              if (!count.startsWith(`${shown} of `)) reject(new Error(`"${count}" over ${shown} rows`));
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => resolve({ list, task: performance.now() - at });
              port2.postMessage(null);
            },
            { once: true },
          );
        }),
    );
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await box.press(letter === " " ? "Space" : letter);
    times.push(await drawn);
  }
  return times;
}
