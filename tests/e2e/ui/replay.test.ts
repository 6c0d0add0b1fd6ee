import type { RequestListener } from "node:http";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { onServedWindow } from "../../support/served-window.ts";

/** Far longer than a fast response takes even on a busy machine. */
const SLOW = 1_500;

interface Stage {
  readonly page: Page;
  /** The requests that the server received. */
  readonly asked: readonly string[];
  /** The server answers these numbers of requests (from 1) only after `SLOW`, and none that is in `held`. */
  readonly slow: Set<number>;
  readonly held: Set<number>;
}

/** Weir with a slow GET and a POST captured. */
function onStage(act: (stage: Stage) => Promise<void>, dark = false): Promise<void> {
  const asked: string[] = [];
  const [slow, held] = [new Set([1]), new Set<number>()];
  const answer: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    if (held.has(asked.length)) return;
    setTimeout(() => response.end("done"), slow.has(asked.length) ? SLOW : 0);
  };
  const options = { colorScheme: dark ? "dark" : "light" } as const;
  return onServedWindow({ hosts: ["server.test"], answer, options }, async ({ page, client }) => {
    await client.ask("GET", "/orders");
    await client.ask("POST", "/orders", Buffer.from("a=1"));
    await row(page, "POST").waitFor();
    await act({ page, asked, slow, held });
  });
}

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const dialog = (page: Page) => page.getByRole("dialog", { name: "Repeat request" });
const verdict = (page: Page, title: string) => dialog(page).getByRole("heading", { name: title, exact: true });
const reason = (page: Page, text: string) => dialog(page).locator(".replay-reason").getByText(text, { exact: true });
const start = (page: Page) => dialog(page).getByRole("button", { name: "Start", exact: true });

async function openByMenu(page: Page, text: string): Promise<void> {
  await row(page, text).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Repeat…", exact: true }).click();
  await dialog(page).waitFor();
}

describe("repeated request in the window", (test) => {
  const skip = needsChromium();

  for (const dark of [false, true]) {
    test(
      `given a repeat by mouse, ${dark ? "dark" : "light"}, shows both latencies and a verdict, and counts no repeat in statistics`,
      () =>
        onStage(async ({ page, asked, slow }) => {
          slow.add(3);
          await openByMenu(page, "GET");
          assert.equal(await accessibilityFindings(page), []);
          await start(page).click();
          await verdict(page, "Slow only at first").waitFor();
          await reason(page, "The first repeat was slow, all later repeats were fast.").waitFor();
          assert.is(asked.filter((one) => one === "GET /orders").length, 21);
          const counts = await dialog(page).locator("tbody td:nth-child(2)").allTextContents();
          assert.equal(counts, ["1", "20"]);
          await dialog(page)
            .getByRole("img", { name: /^Latencies from / })
            .waitFor();
          assert.equal(await accessibilityFindings(page), []);
          await dialog(page).getByRole("button", { name: "Show repeats in Traffic" }).click();
          await page.getByText("20 of 22", { exact: true }).waitFor();
          await page.getByRole("button", { name: "Performance", exact: true }).click();
          await page.getByRole("tab", { name: "Latency", exact: true }).click();
          await page.getByText("1 endpoint with fewer than 5 requests").waitFor();
        }, dark),
      { skip },
    );
  }

  test(
    "given a repeat by keyboard, refuses wrong numbers and asks before it repeats an unsafe method",
    () =>
      onStage(async ({ page, asked }) => {
        await row(page, "POST").click();
        await page.getByRole("region", { name: "Inspector" }).waitFor();
        await page.keyboard.press("Control+k");
        await page.keyboard.type("repeat");
        await page.getByRole("option", { name: "Repeat request" }).waitFor();
        await page.keyboard.press("Enter");
        await dialog(page).waitFor();
        await page.waitForFunction(() => document.activeElement?.id === "repeat-times");
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type("1001");
        await page.keyboard.press("Enter");
        await dialog(page).getByText("How often: Enter a whole number from 1 to 1000.").waitFor();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type("3");
        await page.keyboard.press("Tab");
        await page.keyboard.type("0");
        await page.keyboard.press("Enter");
        await dialog(page).getByText("In parallel: Enter a whole number from 1 to 100.").waitFor();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type("3");
        await page.keyboard.press("Enter");
        await dialog(page).getByText("POST may change data on the server. Repeat the request 3 times?").waitFor();
        assert.equal(await accessibilityFindings(page), []);
        assert.is(asked.length, 2);
        await page.keyboard.press("Enter");
        await verdict(page, "Can’t tell").waitFor();
        assert.is(asked.filter((one) => one === "POST /orders").length, 4);
        await page.waitForFunction(() => document.activeElement?.textContent === "Start");
        await page.keyboard.press("Escape");
        await dialog(page).waitFor({ state: "hidden" });
      }),
    { skip },
  );

  test(
    "given Stop during repeats, closes the request in flight and keeps the results so far",
    () =>
      onStage(async ({ page, asked, held }) => {
        held.add(6);
        await row(page, "GET").click();
        await page.getByRole("button", { name: "More", exact: true }).click();
        await page.getByRole("menuitem", { name: "Repeat…", exact: true }).click();
        await start(page).click();
        await dialog(page).getByText("3 of 20", { exact: true }).waitFor();
        await page.waitForFunction(() => document.activeElement?.textContent === "Stop");
        await page.keyboard.press("Enter");
        await verdict(page, "Can’t tell").waitFor();
        await reason(page, "3 repeats are too few. Repeat the request at least 11 times.").waitFor();
        await dialog(page).getByRole("button", { name: "Close" }).click();

        assert.is(asked.length, 6);
      }),
    { skip },
  );

  test(
    "given a stopped proxy, says why the request is not repeated",
    () =>
      onStage(async ({ page }) => {
        await page.getByRole("button", { name: "Stop proxy" }).click();
        await page.getByRole("button", { name: "Start proxy" }).waitFor();
        await openByMenu(page, "GET");
        await start(page).click();
        await dialog(page).getByText("The proxy is stopped. Start the proxy, then repeat the request.").waitFor();
      }),
    { skip },
  );
});
