import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { type CompareRow, compareWidthsOf } from "../../../src/ui/views/sessions/compare-rows.ts";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { completeSession, go, notice, onStage, row, times } from "../../support/insight-stage.ts";
import { pictures } from "../../support/pictures.ts";

/** An exchange of a HAR file. */
function entryOf(path: string, startedDateTime: string) {
  return {
    startedDateTime,
    time: 120,
    request: {
      method: "GET",
      url: `https://kept.test${path}`,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      content: { size: 2, mimeType: "application/json", text: "{}" },
      redirectURL: "",
      headersSize: -1,
      bodySize: 2,
    },
    cache: {},
    timings: { send: 0, wait: 100, receive: 20 },
  };
}

function harOf(entries: readonly object[]): Buffer {
  const log = { version: "1.2", creator: { name: "test", version: "1" }, entries };
  return Buffer.from(JSON.stringify({ log }));
}

/** A HAR file with this many exchanges of one endpoint. */
function har(count: number): Buffer {
  return harOf(new Array(count).fill(entryOf("/from-har", "2026-03-01T10:00:00.000Z")));
}

/** Eight loads of a page, each with a request that is answered with this status. */
function loadEntries(minute: number, status: number) {
  return Array.from({ length: 8 }, (_, load) => {
    const at = (offset: number) => new Date(Date.UTC(2026, 2, 1, 10, minute, load * 5, offset)).toISOString();
    const [page, prices] = [entryOf("/shop", at(0)), entryOf("/prices", at(130))];
    const type = { name: "Content-Type", value: "text/html" };
    const html = { ...page.response, headers: [type], content: { size: 2, mimeType: "text/html", text: "<p>" } };
    const headers = [{ name: "Referer", value: "https://kept.test/shop" }];
    return [
      { ...page, response: html },
      { ...prices, request: { ...prices.request, headers }, response: { ...prices.response, status } },
    ];
  }).flat();
}

/** Chooses a file in the import's dialog. */
async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByRole("button", { name: "Import HAR" }).click();
  const button = page.getByRole("button", { name: "Import", exact: true });
  assert.ok(await button.isDisabled(), "no file is chosen");
  assert.is(await button.getAttribute("title"), "Choose a file first");
  await page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "application/json", buffer });
}

/** A label as long as people write, and the file of that name. */
const LONG = `${"checkout before the cache ".repeat(6).trim()}.har`;

/** The pressed button is gone, so the focus moves to the element that replaces it. */
const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted) === true, selector);

const importIt = (page: Page) => page.getByRole("button", { name: "Import", exact: true }).click();

const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
] as const;

/** The column headers whose text does not begin or end where the texts of their column do. */
function misaligned(tables: readonly Element[]): readonly string[] {
  const edgeOf = (cell: Element | undefined) => {
    const { textAlign, paddingLeft, paddingRight } = getComputedStyle(cell as Element);
    return textAlign === "right" ? `right ${paddingRight}` : `left ${paddingLeft}`;
  };
  return tables.flatMap((table) => {
    const [head, ...rows] = table.querySelectorAll("tr");
    return rows.flatMap((row) =>
      [...(head?.children ?? [])]
        .filter((cell, index) => cell.checkVisibility() && edgeOf(cell) !== edgeOf(row.children[index]))
        .map(({ textContent }) => textContent),
    );
  });
}

describe("Sessions view", (test) => {
  const skip = needsChromium();

  test(
    "given the current session, lists it with its figures so far",
    () =>
      onStage(async ({ page, ask }) => {
        await times(3, () => ask("/orders"));
        await ask("/missing");
        await go(page, "Sessions");
        await row(page, "Current session").getByText("25.0 %").waitFor();
        assert.match((await row(page, "Current session").getByRole("cell").nth(4).textContent()) ?? "", /^\d/);
      }),
    { skip },
  );

  test(
    "given a comparison with the current session, which has a name, Clear takes the name from the comparison",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await completeSession(stage);
        await ask("/orders");
        await page.keyboard.press("4");
        await page.getByRole("button", { name: "Current session", exact: true }).click();
        await page.getByLabel("Name", { exact: true }).fill("A trial");
        await page.getByLabel("Name", { exact: true }).press("Enter");
        await page.getByRole("button", { name: "A trial", exact: true }).waitFor();
        await page.getByRole("button", { name: "Compare the latest two" }).click();
        await page.locator(".compare-title").getByText("A trial").waitFor();
        await page.getByRole("button", { name: "Clear session" }).click();
        await page.locator(".compare-title").getByText("Current session").waitFor();
      }),
    { skip },
  );

  test(
    "given two sessions, Compare tells their page loads and the findings that are new, and opens one list at a time",
    () =>
      onStage(async ({ page }) => {
        await go(page, "Sessions");
        for (const [file, minute, status] of [
          ["before.har", 10, 200],
          ["after.har", 20, 500],
        ] as const) {
          await choose(page, file, harOf(loadEntries(minute, status)));
          await page.getByLabel("A completed session that trends compare with").check();
          await importIt(page);
          await row(page, file).waitFor();
        }
        await page.getByRole("button", { name: "Compare the latest two" }).click();
        const loads = page.getByRole("list", { name: "Page loads: 1" });
        await loads.getByText("https://kept.test/shop, p50").waitFor();
        const grid = page.getByRole("grid", { name: "Endpoints of the two sessions" });
        const place = (await grid.boundingBox())?.y;
        await page.getByRole("button", { name: /^New findings: / }).click();
        await loads.waitFor({ state: "hidden" });
        const added = page.getByRole("list", { name: /^New findings: / });
        await added.getByText("Retries, GET https://kept.test/prices").waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "compare-changes");
        await page.getByRole("button", { name: /^New findings: / }).click();
        await added.waitFor({ state: "hidden" });
        assert.is((await grid.boundingBox())?.y, place, "lists do not move the table");
      }),
    { skip },
  );

  test(
    "given a session, can name, compare, open, exclude from the baseline, delete and restore it",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await completeSession(stage);
        await times(5, () => ask("/orders?slowly"));
        await page.keyboard.press("4");
        // Its row appears above the others and moves them, so wait for it first.
        await row(page, "Current session").waitFor();
        await page.getByRole("button", { name: /^shop\.test, / }).click();
        await page.getByLabel("Name", { exact: true }).fill("Before the cache");
        await page.getByLabel("Name", { exact: true }).press("Enter");
        await page.getByRole("button", { name: "Before the cache", exact: true }).waitFor();
        await page.getByLabel("Compare with this session").click();
        await row(page, "Before the cache").getByText("left out").waitFor();

        await page.getByRole("button", { name: "Compare the latest two" }).click();
        await row(page, "/orders").getByText("→").first().waitFor();
        await page.goBack();
        await page.locator(".sessions-list").waitFor();
        await page.keyboard.press("2");
        await page.getByRole("tab", { name: "Trends" }).click();
        // The button above is there until it is known that there are too few sessions.
        await page
          .locator(".performance-empty")
          .getByRole("button", { name: "Compare with the session before" })
          .click();
        await page.locator(".compare-title").getByText("Before the cache").waitFor();
        await page.locator(".sessions-back").click();
        await hasFocus(page, ".sessions-compare");
        await page.getByLabel("Compare Before the cache").check();
        assert.ok(await page.getByRole("button", { name: "Compare", exact: true }).isDisabled(), "one is ticked");
        await page.getByLabel("Compare Current session").check();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        await row(page, "/orders").getByText("→").first().waitFor();
        // 1280 x 800 at 200 % zoom.
        await page.setViewportSize({ width: 640, height: 400 });
        await row(page, "/orders").locator(".compare-arrow").filter({ visible: true }).first().waitFor();
        await row(page, "/orders").getByText("/orders").first().waitFor();
        await page.setViewportSize({ width: 1280, height: 800 });
        // Requests that a busy machine read late are not compared.
        await notice(page, /^\d slower, \d faster, \d same, \d can't tell/).waitFor();
        await hasFocus(page, ".sessions-back");
        const wide = { verdict: "same median", counts: "n = 51 of 60, 52 of 60", cells: [] };
        const widths = compareWidthsOf([wide as unknown as CompareRow]);
        const isCut = await row(page, "/orders")
          .locator(".compare-verdict")
          .evaluate(
            (cell, { wide, widths }) => {
              const [, verdict, counts] = cell.children;
              if (verdict === undefined || counts === undefined) return null;
              verdict.textContent = wide.verdict;
              counts.textContent = wide.counts;
              const table = cell.closest<HTMLElement>("[style*='--verdict']");
              table?.style.setProperty("--verdict", widths["--verdict"] ?? "");
              return cell.scrollWidth > cell.clientWidth;
            },
            { wide, widths },
          );
        assert.is(isCut, false);
        await row(page, "/orders").click();
        await page.getByRole("button", { name: "Show its requests in Current session" }).waitFor();
        await page.getByRole("button", { name: "Show its requests in Before the cache" }).click();
        await notice(page, "Showing Before the cache").waitFor();
        await row(page, "/orders").nth(4).waitFor();
        await page.getByRole("button", { name: "Back to the recording" }).click();
        await page.getByRole("button", { name: "Clear filter", exact: true }).first().click();
        await go(page, "Sessions");
        await page.getByLabel("Compare Before the cache").check();
        await page.getByLabel("Compare Current session").check();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        await row(page, "/orders").waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("nowhere ");
        await page.getByRole("heading", { name: "Nothing to compare" }).waitFor();
        const grid = page.getByRole("grid", { name: "Endpoints of the two sessions" });
        assert.is((await grid.boundingBox())?.height, 28, "the words take the place of the rows");
        await page.getByRole("button", { name: "Clear filter", exact: true }).first().click();
        await page.locator(".sessions-back").click();
        await hasFocus(page, ".sessions-compare");

        await page.getByRole("button", { name: "Open Before the cache" }).click();
        await notice(page, "Showing Before the cache").waitFor();
        await row(page, "/orders").nth(4).waitFor();
        await page.getByRole("button", { name: "Back to the recording" }).click();
        await notice(page, "Showing Before the cache").waitFor({ state: "detached" });

        await go(page, "Sessions");
        await page.getByRole("button", { name: "Before the cache", exact: true }).click();
        await page.getByRole("button", { name: "Delete", exact: true }).click();
        await hasFocus(page, ".sessions-list");
        const trash = page.getByRole("table", { name: "Sessions in the trash" });
        await trash.getByText("Before the cache").waitFor();
        await page.keyboard.press("Control+z");
        await page.getByText("Before the cache restored.").waitFor();
        await trash.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Before the cache", exact: true }).click();
        await page.getByRole("button", { name: "Delete", exact: true }).click();
        await page.getByRole("button", { name: "Delete for good: Before the cache" }).click();
        await page.getByRole("button", { name: "Delete it" }).click();
        await row(page, "Before the cache").waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "given a name being typed, keeps the text while the list changes",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await completeSession(stage);
        await go(page, "Sessions");
        await page.getByRole("button", { name: /^shop\.test, / }).click();
        await page.getByLabel("Name", { exact: true }).pressSequentially("Half a na");
        await times(2, () => ask("/orders"));
        const length = row(page, "Current session").getByRole("cell").nth(2);
        for (let ticks = 0; ticks < 2; ticks += 1) {
          await length.filter({ hasNotText: (await length.textContent()) ?? "" }).waitFor();
        }
        await page.getByLabel("Name", { exact: true }).pressSequentially("me");
        await page.getByLabel("Name", { exact: true }).press("Enter");
        await page.getByRole("button", { name: "Half a name", exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given a name and notes, shows them after a reload",
    () =>
      onStage(async (stage) => {
        const { page } = stage;
        await completeSession(stage);
        await go(page, "Sessions");
        await page.getByRole("button", { name: /^shop\.test, / }).click();
        await page.getByLabel("Name", { exact: true }).fill("Checkout <b>");
        await page.getByLabel("Name", { exact: true }).press("Enter");
        await page.getByLabel("Notes").fill("slow since Monday");
        await page.getByLabel("Notes").blur();
        await row(page, "slow since Monday").waitFor();
        await page.reload();
        await page.getByRole("button", { name: "Checkout <b>", exact: true, expanded: true }).waitFor();
        assert.is(await page.getByLabel("Notes").inputValue(), "slow since Monday");
      }),
    { skip },
  );

  test(
    "given an endpoint that ran before the one shown so far, draws its chart anew",
    () =>
      onStage(async ({ page }) => {
        const late = new Array(5).fill(entryOf("/late", "2026-03-01T10:00:40.000Z"));
        const early = new Array(5).fill(entryOf("/early", "2026-03-01T10:00:00.000Z"));
        await go(page, "Sessions");
        await choose(page, "two.har", harOf([...early, ...late]));
        await importIt(page);
        await row(page, "/late").nth(4).waitFor();
        await go(page, "Performance");
        for (const tab of ["Latency", "Payload"]) {
          await page.getByRole("tab", { name: tab, exact: true }).click();
          for (const path of ["/late", "/early"]) {
            await row(page, path).first().click();
            const panel = page.getByRole("region", { name: tab === "Latency" ? "Endpoint" : "Payload" });
            await panel
              .getByRole("table")
              .last()
              .getByText(path === "/late" ? /:40$/ : /:00$/)
              .waitFor({ state: "attached" });
          }
          await page.keyboard.press("Escape");
        }
      }),
    { skip },
  );

  test(
    "given a HAR file, imports it as a session, shows it, and leaves it out of trends",
    () =>
      onStage(async ({ page }) => {
        await go(page, "Sessions");
        await choose(page, "kept.har", har(5));
        await importIt(page);
        await row(page, "/from-har").nth(4).waitFor();
        await notice(page, "Showing kept.har").waitFor();
        await go(page, "Sessions");
        await row(page, "kept.har").getByText("left out").waitFor();
        await row(page, "kept.har").getByText("imported").waitFor();
        await page.getByRole("button", { name: "Back to the recording" }).click();
        await page.getByRole("button", { name: "Open kept.har" }).waitFor();
      }),
    { skip },
  );

  test(
    "given a HAR file imported as completed, keeps it in the baseline and compares it with other sessions",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/orders");
        await go(page, "Sessions");
        await choose(page, "b.har", har(5));
        await page.getByLabel("A completed session that trends compare with").check();
        await importIt(page);
        await page.getByTitle("Trends compare with this session").getByText("yes", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Open b.har" }).waitFor();
        assert.is(await notice(page, "Showing").count(), 0);
        for (const name of ["b.har", "Current session"]) await page.getByLabel(`Compare ${name}`).check();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        const names = page.locator(".compare-title > :not(.compare-to)");
        assert.equal(await names.allTextContents(), ["b.har", "Current session"]);
        const cut = await names.evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).length);
        assert.is(cut, 0, "both have room");
        // The times of files are certain, so both sides have samples however busy the machine is.
        await page.locator(".sessions-back").click();
        await choose(page, LONG, har(7));
        await page.getByLabel("A completed session that trends compare with").check();
        await importIt(page);
        await page.getByRole("button", { name: `Open ${LONG}` }).waitFor();
        await page.getByLabel("Compare Current session").uncheck();
        await page.getByLabel(`Compare ${LONG}`).check();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        const compared = row(page, "/from-har");
        await compared.waitFor();
        const path = compared.locator(".endpoint-path");
        assert.ok(await path.evaluate((name) => name.scrollWidth <= name.clientWidth), "the path has room at 1280");
        assert.ok(((await path.locator("..").boundingBox())?.width ?? 0) >= 236, "24 characters have room at 1280");
        const figure = await compared.getByRole("gridcell").nth(5).locator(".font-medium").boundingBox();
        const head = await page.getByRole("columnheader", { name: /^p95/ }).locator("button").boundingBox();
        assert.ok(figure !== null && head !== null);
        assert.ok(Math.abs(figure.x + figure.width - head.x - head.width) <= 1, "the head is over its figures");
        await page.setViewportSize({ width: 900, height: 600 });
        const counts = compared.locator(".compare-counts");
        await counts.getByText(/^n = [57], [57]$/).waitFor();
        const end = (box: { readonly x: number; readonly width: number } | null) => (box?.x ?? 0) + (box?.width ?? 0);
        const cell = compared.locator(".compare-verdict");
        assert.ok(end(await counts.boundingBox()) <= end(await cell.boundingBox()), "the counts have room");
        // What has no column here is in the foot.
        await page.getByText("For the other figures, choose a row or widen the window.").waitFor();
        await compared.click();
        await page.getByText("p50 120 ms; p95 120 ms; average size 2 B; error rate 0 %").waitFor();
        assert.equal(await accessibilityFindings(page), []);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.getByRole("button", { name: `Show its requests in ${LONG}` }).waitFor();
          const foot = page.locator(".list-foot").filter({ visible: true });
          const outside = await foot.evaluate((element) => {
            const { left, right, top, bottom, height } = element.getBoundingClientRect();
            const boxes = [...element.querySelectorAll("span, button")].map((part) => part.getBoundingClientRect());
            const isOut = (box: DOMRect) =>
              box.left < left || box.right > right || box.top < top || box.bottom > bottom || box.height > 20;
            return boxes.filter((box) => box.width > 0 && isOut(box)).length + (height > 50 ? 1 : 0);
          });
          assert.is(outside, 0, `the foot at ${size.width}`);
        }
        await pictures(page, "compare");
      }),
    { skip },
  );

  test(
    "given a file that is no HAR, refuses it in the dialog and accepts another file",
    () =>
      onStage(async ({ page }) => {
        await go(page, "Sessions");
        await choose(page, "notes.json", Buffer.from('{"log": [1, 2'));
        await importIt(page);
        const dialog = page.getByRole("dialog", { name: "Import a HAR file" });
        await dialog.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
        await page
          .getByLabel("Choose a file")
          .setInputFiles({ name: "a.har", mimeType: "application/json", buffer: har(1) });
        await importIt(page);
        await row(page, "/from-har").waitFor();
      }),
    { skip },
  );

  test(
    "given cleared sessions, the trash restores one, and deletes all after a question",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        const trash = page.getByRole("table", { name: "Sessions in the trash" });
        for (const _ of [1, 2]) {
          await ask("/orders");
          await go(page, "Traffic");
          await row(page, "/orders").first().waitFor();
          await page.getByRole("button", { name: "Clear session" }).click();
          await row(page, "/orders").first().waitFor({ state: "detached" });
        }
        // In a text field, the key undoes what was typed.
        await page.getByRole("combobox", { name: "Filter" }).press("Control+z");
        await page.getByRole("button", { name: "Undo" }).waitFor();
        await go(page, "Sessions");
        await trash.getByRole("row").nth(2).waitFor();
        for (const size of SIZES) {
          await page.setViewportSize(size);
          assert.equal(await page.locator(".sessions-table").evaluateAll(misaligned), []);
        }
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "trash");
        await trash
          .getByRole("button", { name: /^Restore / })
          .first()
          .click();
        await trash.getByRole("row").nth(2).waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Delete all" }).click();
        await page.getByRole("button", { name: "Keep them" }).click();
        await page.getByRole("button", { name: "Delete all" }).click();
        assert.equal(await accessibilityFindings(page), []);
        await page.getByRole("button", { name: "Delete every session" }).click();
        await trash.waitFor({ state: "detached" });
        await page.keyboard.press("Control+z");
        await page.getByText("The session is no longer in the trash, so it cannot be restored.").waitFor();
        await page.keyboard.press("Control+z");
        await page.keyboard.press("Control+z");
        await page.getByText("There is nothing to undo.").waitFor();
      }),
    { skip },
  );
});
