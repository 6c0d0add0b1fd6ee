import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath, chromiumWords } from "../chromium.ts";
import { median } from "../figures.ts";
import type { Figures, Part } from "../part.ts";

/** Typed letter by letter; what each leaves in sight differs. */
const TYPED = ["python", "capture check", "proven device"] as const;
const ROUNDS = 3;

/** ui.md, Budgets: the Setup Hub in Chromium, from a keystroke in its filter to the list as it stands then. */
export const hub: Part = {
  name: "hub",
  title: "the Setup Hub's filter in Chromium (keystroke to the filtered list, laid out)",
  measure: async ({ weir }) => {
    const address = new URL(weir.ui);
    address.pathname = "/hub.html";
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumWords() });
    try {
      const figures = await measured(browser, address.href);
      const slowest = figures["slowest ms"] ?? Number.NaN;
      const verdict = { must: "keystroke → list ≤ 16 ms", measured: `${slowest.toFixed(1)} ms`, met: slowest <= 16 };
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
  const times: number[] = [];
  // The first round compiles what the others run.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const text of TYPED) {
      const typing = await typed(page, text);
      if (round > 0) times.push(...typing);
    }
  }
  await context.close();
  return { "keystroke to list, median ms": median(times), "slowest ms": Math.max(...times), keystrokes: times.length };
}

/** Milliseconds from each keystroke, as the browser dates it, to the end of the task in which the list was drawn and laid out. */
async function typed(page: Page, text: string): Promise<readonly number[]> {
  const box = page.getByRole("searchbox", { name: "Filter targets" });
  await box.fill("");
  const times: number[] = [];
  for (const letter of text) {
    const drawn = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let at = 0;
          document.addEventListener(
            "keydown",
            (event) => {
              at = event.timeStamp;
            },
            { once: true, capture: true },
          );
          document.addEventListener(
            "input",
            () => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => {
                document.body.getBoundingClientRect();
                resolve(performance.now() - at);
              };
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
