import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { startedBrowser } from "../../tests/support/browser.ts";
import { Child } from "../child.ts";
import { median } from "../figures.ts";
import { traced } from "../main-thread.ts";
import type { Figures, Part, Row, Verdict } from "../part.ts";

const PROGRAM = fileURLToPath(new URL("../programs/stored-traffic.ts", import.meta.url));
const SMALL = 100_000;
/** Typed letter by letter; what each leaves in sight differs. */
const TYPED = ["checkout", "/v1/users/1", "503"] as const;
const LOADS = 5;

/** ui.md, Budgets: the main window in Chromium at 100,000 exchanges and at the rows asked for, measured by traces. */
export const ui: Part = {
  name: "ui",
  title: "the main window in Chromium (first row, keystroke to rows, main-thread tasks while scrolling)",
  measure: async ({ surroundings, rows: most }) => {
    const engine = await Child.start<{ readonly ui: string }>([
      PROGRAM,
      join(surroundings.folder, "ui"),
      surroundings.authority.root,
    ]);
    const browser = await startedBrowser();
    try {
      const rows: Row[] = [];
      const verdicts: Verdict[] = [];
      for (const exchanges of [SMALL, most]) {
        await engine.ask<number>({ rows: exchanges });
        const figures = await measured(browser, engine.ready.ui);
        rows.push({ subject: `${exchanges.toLocaleString("en-US")} exchanges`, figures });
        verdicts.push(...verdictsOf(exchanges, figures));
      }
      return { rows, verdicts };
    } finally {
      await browser.close();
      await engine.stop();
    }
  },
};

async function measured(browser: Browser, address: string): Promise<Figures> {
  const loads: number[] = [];
  const empty: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    loads.push(await inNewPage(browser, (page) => firstRow(page, address)));
    empty.push(await inNewPage(browser, (page) => emptyPage(page, address)));
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await firstRow(page, address);
  const scroll = await traced(browser, page, () => scrolled(page));
  const keystrokes: number[] = [];
  const typing = await traced(browser, page, async () => {
    for (const text of TYPED) keystrokes.push(...(await typed(page, text)));
  });
  await context.close();
  return {
    "empty page ms": median(empty),
    "first row ms": median(loads),
    "keystroke to rows, median ms": median(keystrokes),
    "slowest ms": Math.max(...keystrokes),
    "scrolling: longest task ms": scroll.longest,
    "over 32 ms": scroll.long,
    "typing: longest task ms": typing.longest,
  };
}

/** A page in a context of its own: nothing is kept of one opened before. */
async function inNewPage(browser: Browser, act: (page: Page) => Promise<number>): Promise<number> {
  const context = await browser.newContext();
  const value = await act(await context.newPage());
  await context.close();
  return value;
}

/** Text of the console that is for the bench, before the milliseconds. */
const TOLD = "after ms: ";

/**
 * From the start of the navigation to the frame in which a captured request stands. The page tells it by its console:
 * waiting for it from outside would first run Playwright's own scripts in the page that is measured.
 */
async function firstRow(page: Page, address: string): Promise<number> {
  await page.addInitScript((told) => {
    const look = (): void => {
      if (document.querySelector(".traffic-path")?.textContent) console.debug(`${told}${performance.now()}`);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, TOLD);
  return told(page, address);
}

/** How much of that is Chromium's alone: an empty file of the same server, until its first frame. */
async function emptyPage(page: Page, address: string): Promise<number> {
  await page.addInitScript((told) => {
    requestAnimationFrame(() => console.debug(`${told}${performance.now()}`));
  }, TOLD);
  return told(page, new URL("/__neutralino_globals.js", address).href);
}

async function told(page: Page, address: string): Promise<number> {
  const message = page.waitForEvent("console", { predicate: (each) => each.text().startsWith(TOLD) });
  await page.goto(address);
  return Number((await message).text().slice(TOLD.length));
}

/** The wheel, then the bar dragged to and fro over the whole session. */
async function scrolled(page: Page): Promise<void> {
  await page.mouse.move(640, 300);
  for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, turn < 40 ? -480 : 360);
  await page.evaluate(async () => {
    const list = document.querySelector(".traffic");
    for (let step = 0; step < 90 && list !== null; step += 1) {
      list.scrollTop = (list.scrollHeight * (1 + Math.sin(step / 9))) / 2;
      await new Promise(requestAnimationFrame);
    }
  });
}

/**
 * Milliseconds from each keystroke to the frame after the one that shows its rows: those that are in sight are there, and
 * the count that comes with them has changed.
 */
async function typed(page: Page, text: string): Promise<readonly number[]> {
  const box = page.getByRole("combobox", { name: "Filter" });
  await box.fill("");
  await page.locator(".list-foot:visible").waitFor({ state: "hidden" });
  const times: number[] = [];
  for (const letter of text) {
    const shown = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const before = document.querySelector(".filter-note")?.textContent;
          document.addEventListener(
            "keydown",
            (event) => {
              const look = (): void => {
                const paths = [...document.querySelectorAll(".traffic-path")];
                const whole = paths.every((path) => path.textContent !== "");
                if (whole && document.querySelector(".filter-note")?.textContent !== before)
                  resolve(performance.now() - event.timeStamp);
                else if (performance.now() - event.timeStamp > 2_000) resolve(Number.NaN);
                else requestAnimationFrame(look);
              };
              requestAnimationFrame(look);
            },
            { once: true },
          );
        }),
    );
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await box.press(letter);
    times.push(await shown);
  }
  // A letter that changes no count cannot be told from one that is still waiting.
  return times.filter((time) => !Number.isNaN(time));
}

function verdictsOf(exchanges: number, figures: Figures): readonly Verdict[] {
  const large = exchanges > SMALL;
  const limit = large ? 150 : 50;
  const names = ["first row ms", "slowest ms", "scrolling: longest task ms"];
  const [first, key, longest] = names.map((name) => figures[name] ?? Number.NaN);
  const verdict = (must: string, value = Number.NaN, most: number): Verdict => ({
    must: `${exchanges.toLocaleString("en-US")}: ${must}`,
    measured: `${value.toFixed(0)} ms`,
    met: value <= most,
  });
  return [
    verdict("first useful paint ≤ 300 ms", first, 300),
    verdict(`keystroke → rows ≤ ${limit} ms`, key, limit),
    verdict("scrolling: no task over 32 ms", longest, 32),
  ];
}
