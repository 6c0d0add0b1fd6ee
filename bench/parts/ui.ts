import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { startedBrowser } from "../../tests/support/browser.ts";
import { BarePage } from "../bare-page.ts";
import { Child } from "../child.ts";
import { median } from "../figures.ts";
import { type MainThread, traced } from "../main-thread.ts";
import type { Figures, Part, Row } from "../part.ts";
import { atMost, type Verdict } from "../verdict.ts";

const PROGRAM = fileURLToPath(new URL("../programs/stored-traffic.ts", import.meta.url));
const SMALL = 100_000;
/** Texts that are typed letter by letter; each letter changes the visible rows. */
const TYPED = ["checkout", "/v1/users/1", "503"] as const;
/** How many times each figure is measured. The median counts, because the computer may be busy during a measurement. */
const LOADS = 7;
const TRACES = 3;
const TURNS = 5;
/** Milliseconds of a frame. */
const FRAME = 1_000 / 60;
/** Stands for a time that cannot be determined. */
const UNKNOWN = -1;
/** A pause in ms that is longer than any update takes. */
const ANSWERED = 250;

/**
 * docs/specification.md, Window budgets: the main window in Chromium with 100,000 exchanges and with the requested
 * number, measured by traces.
 */
export const ui: Part = {
  name: "ui",
  title: "the main window in Chromium (first row, keystroke to rows, main-thread tasks while scrolling)",
  measure: async ({ environment, rows: most }) => {
    const engine = await Child.start<{ readonly ui: string }>([
      PROGRAM,
      join(environment.folder, "ui"),
      environment.authority.root,
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
  return inNewPage(browser, async (page) => {
    await firstRow(page, address);
    const scrolls: MainThread[] = [];
    for (let trace = 0; trace < TRACES; trace += 1) scrolls.push(await traced(browser, () => scrolled(page)));
    const turns: (readonly number[])[] = [];
    const typing = await traced(browser, async () => {
      // Each turn types at another time within the frame, so that no letter just misses a frame in every turn.
      for (let turn = 0; turn < TURNS; turn += 1) turns.push(await typedAll(page, (turn * FRAME) / TURNS, turns[0]));
    });
    // For each letter, the median over the turns. A letter that changes no count is left out, because its finished
    // update looks like a pending one.
    const letters = (turns[0] ?? [])
      .map((_, letter) => median(turns.map((turn) => turn[letter] ?? Number.NaN)))
      .filter((time) => time !== UNKNOWN);
    return {
      "empty page ms": median(empty),
      "first row ms": median(loads),
      "keystroke to rows, median ms": median(letters),
      "slowest letter ms": Math.max(...letters),
      "first of all ms": turns[0]?.[0] ?? Number.NaN,
      "scrolling: longest task ms": median(scrolls.map(({ longest }) => longest)),
      "over 32 ms": median(scrolls.map(({ long }) => long)),
      "typing: longest task ms": typing.longest,
    };
  });
}

/** Milliseconds for each letter. A letter that is `UNKNOWN` in `before` is not waited for. */
async function typedAll(page: BarePage, phase: number, before?: readonly number[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const text of TYPED) times.push(...(await typed(page, text, phase, before?.slice(times.length))));
  return times;
}

async function inNewPage<Value>(browser: Browser, act: (page: BarePage) => Promise<Value>): Promise<Value> {
  const page = await BarePage.open(browser);
  const value = await act(page);
  await page.close();
  return value;
}

/** Milliseconds from the start of the navigation to the frame that shows a captured request. */
async function firstRow(page: BarePage, address: string): Promise<number> {
  await page.addScript(() => {
    const look = (): void => {
      if (document.querySelector(".traffic-path")?.textContent) console.debug(`after ms: ${performance.now()}`);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return Number(await page.goto(address, "after ms: "));
}

/** The time that Chromium itself takes: milliseconds to the first frame of an empty file from the same server. */
async function emptyPage(page: BarePage, address: string): Promise<number> {
  await page.addScript(() => {
    requestAnimationFrame(() => console.debug(`after ms: ${performance.now()}`));
  });
  return Number(await page.goto(new URL("/__neutralino_globals.js", address).href, "after ms: "));
}

/** Turns the wheel, then scrolls up and down through the whole session. */
async function scrolled(page: BarePage): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await page.wheel(640, 300, turn < 40 ? -480 : 360);
  await page.evaluate(async () => {
    const list = document.querySelector(".traffic");
    for (let step = 0; step < 90 && list !== null; step += 1) {
      list.scrollTop = (list.scrollHeight * (1 + Math.sin(step / 9))) / 2;
      await new Promise(requestAnimationFrame);
    }
  });
}

/**
 * For each key press, the milliseconds until the end of the frame that shows its result: all visible rows are loaded,
 * and the count has changed. Each key is pressed `phase` ms after a frame started.
 */
async function typed(
  page: BarePage,
  text: string,
  phase: number,
  before?: readonly number[],
): Promise<readonly number[]> {
  await page.evaluate(async () => {
    const box = document.querySelector<HTMLInputElement>(".filter input");
    box?.focus();
    box?.select();
    document.execCommand("delete");
    const isWhole = (): boolean =>
      [...document.querySelectorAll(".list-foot")].every((foot) => !foot.checkVisibility());
    while (!isWhole()) await new Promise(requestAnimationFrame);
  });
  const times: number[] = [];
  for (const [place, letter] of [...text].entries()) {
    const isUnknown = before?.[place] === UNKNOWN;
    await page.evaluate(watchKeystroke);
    await pause(phase);
    await page.type(letter);
    if (isUnknown) await pause(ANSWERED);
    times.push(
      isUnknown ? UNKNOWN : await page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown),
    );
  }
  return times;
}

/**
 * Runs in the page: `shown` resolves with the milliseconds for the next key press; -1 if that key press changes no
 * count.
 */
async function watchKeystroke(): Promise<void> {
  const before = document.querySelector(".filter-note")?.textContent;
  const shown = new Promise<number>((resolve) => {
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => {
        const look = (): void => {
          const paths = [...document.querySelectorAll(".traffic-path")];
          const whole = paths.every((path) => path.textContent !== "");
          if (whole && document.querySelector(".filter-note")?.textContent !== before) {
            // The message arrives after this frame is painted.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - timeStamp);
            port2.postMessage(null);
          } else if (performance.now() - timeStamp > 2_000) resolve(-1);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { once: true },
    );
  });
  Object.assign(globalThis, { shown });
  await new Promise(requestAnimationFrame);
}

function verdictsOf(exchanges: number, figures: Figures): readonly Verdict[] {
  const verdict = (must: string, name: string, most: number): Verdict => {
    const value = figures[name] ?? Number.NaN;
    return atMost(`${exchanges.toLocaleString("en-US")}: ${must} ≤ ${most} ms`, most, value, `${value.toFixed(0)} ms`);
  };
  const keystroke =
    exchanges > SMALL
      ? [verdict("keystroke → rows, slowest", "slowest letter ms", 150)]
      : [
          verdict("keystroke → rows, median", "keystroke to rows, median ms", 50),
          verdict("keystroke → rows, slowest", "slowest letter ms", 100),
        ];
  return [
    verdict("first useful paint", "first row ms", 300),
    ...keystroke,
    verdict("scrolling, longest task", "scrolling: longest task ms", 32),
  ];
}
