import type { RequestListener } from "node:http";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, row, times } from "../../support/insight-stage.ts";
import { onServedWindow, type ServedWindow } from "../../support/served-window.ts";

const skip = needsChromium();

/** How long the server takes for a report, ms. The second is more than a cold Weir adds on a busy machine. */
const REPORTS = new Map([
  ["/report", 150],
  ["/report?slowly", 400],
]);

/** A slow report with a constant response, and items that differ. */
const answer: RequestListener = (request, response) => {
  const report = REPORTS.get(request.url ?? "/");
  const body = report === undefined ? JSON.stringify({ url: request.url }) : '{"total":1}';
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  setTimeout(() => response.writeHead(200, headers).end(body), report ?? 5);
};

const onFindings = (dark: boolean, act: (stage: ServedWindow) => Promise<void>): Promise<void> =>
  onServedWindow({ hosts: ["shop.test"], answer, options: { colorScheme: dark ? "dark" : "light" } }, async (stage) => {
    await go(stage.page, "Performance");
    await act(stage);
  });

describe("Findings tab in the window", (test) => {
  test(
    "given a cause, opens, reads and closes the finding by keyboard, and highlights it in Traffic and Timeline",
    () =>
      onFindings(false, async ({ page, client }) => {
        await page.getByRole("heading", { name: "Nothing to check yet" }).waitFor();
        assert.is(await page.getByRole("tab", { selected: true }).first().getAttribute("id"), "findings-tab");
        await times(8, () => client.ask("GET", "/report"));
        await client.ask("GET", "/items?page=1");
        const finding = page.getByRole("button", { name: /Duplicate requests/ });
        await finding.waitFor();
        await page.getByText("in 9 counted requests").waitFor();
        await page.getByRole("button", { name: "Export", exact: true }).click();
        await page.getByRole("dialog", { name: "Export the report" }).getByRole("radio", { name: /^HAR/ }).check();
        await page
          .getByRole("dialog", { name: "Export traffic" })
          .getByRole("radio", { name: /^Report/ })
          .check();
        const dialog = page.getByRole("dialog", { name: "Export the report" });
        await dialog.getByRole("radio", { name: /^Report, one HTML page/, checked: true }).waitFor();
        await dialog.getByText(/^From “.+, \d{4}-\d\d-\d\d \d\d:\d\d UTC”\. /).waitFor();
        assert.equal(await accessibilityFindings(page), [], "the dialog");
        const saving = page.waitForEvent("download");
        await dialog.getByRole("button", { name: "Save file" }).click();
        assert.match((await saving).suggestedFilename(), /^weir-report-.*\.html$/);
        await page.getByRole("region", { name: "Findings" }).focus();
        await page.keyboard.press("ArrowDown");
        assert.ok(await finding.evaluate((element) => element === document.activeElement));
        assert.is(await page.locator("[data-finding][tabindex='0']").count(), 0, "the list is one tab stop");
        await page.keyboard.press("Enter");
        const panel = page.getByRole("region", { name: "Finding", exact: true });
        await panel.getByRole("heading", { name: "What to change" }).waitFor();
        const title = await panel.getByText("Exchanges that show this finding: ").textContent();
        // Of the eight, the first repeats nothing, and one whose times are uncertain by 20 ms or more shows nothing.
        const shown = Number(/: (\d+),/.exec(title ?? "")?.[1]);
        assert.ok(shown >= 2 && shown <= 7, title ?? "");
        assert.is(await panel.getByRole("button", { name: /\/report/ }).count(), shown);
        assert.is(await finding.getAttribute("aria-expanded"), "true");
        await page.setViewportSize({ width: 900, height: 600 });
        await page.keyboard.press("Enter");
        await panel.waitFor({ state: "detached" });
        await page.getByRole("region", { name: "Findings" }).evaluate((list) => list.scrollTo(0, 0));
        await finding.evaluate((row) => (row as HTMLElement).click());
        await panel.waitFor();
        await page.waitForFunction(() => {
          const [row, list] = [".finding-item.is-open", ".findings"].map((name) => document.querySelector(name));
          const [inner, outer] = [row?.getBoundingClientRect(), list?.getBoundingClientRect()];
          return (
            inner !== undefined && outer !== undefined && inner.top >= outer.top + 28 && inner.bottom <= outer.bottom
          );
        });
        const subject = panel.getByRole("heading", { level: 2 });
        assert.ok(await subject.evaluate((name) => name.scrollWidth <= name.clientWidth), "the heading is whole");
        assert.equal(await accessibilityFindings(page), [], "the open finding at 900x600");
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.equal(await accessibilityFindings(page), [], "the open finding");
        await panel.getByRole("button", { name: "Show in Traffic" }).click();
        await page
          .getByRole("status")
          .filter({ hasText: `${shown} exchanges are highlighted` })
          .waitFor();
        assert.is(await row(page, "/report").filter({ hasText: "finding" }).count(), shown);
        assert.is(await row(page, "/items").filter({ hasText: "finding" }).count(), 0);
        const inspector = page.getByRole("region", { name: "Inspector" });
        await inspector.getByRole("button", { name: "Duplicate requests" }).waitFor();
        const titles = await inspector.getByRole("heading", { level: 3 }).allTextContents();
        assert.equal(titles.slice(0, 2), ["Findings", "Request"], "what costs comes first");
        assert.equal(await accessibilityFindings(page), [], "Traffic with a highlight");
        await page.getByRole("button", { name: "Back to the finding" }).click();
        await panel.getByRole("button", { name: "Show in Timeline" }).click();
        await page.locator('[role="row"][aria-selected="true"]').filter({ hasText: "/report" }).waitFor();
        await row(page, "/report")
          .nth(shown - 1)
          .waitFor();
        assert.equal(await accessibilityFindings(page), [], "Timeline with a highlight");
        await page.getByRole("button", { name: "Remove the highlight" }).click();
        await page.getByRole("button", { name: "Back to the finding" }).waitFor({ state: "hidden" });
        await go(page, "Performance");
        await finding.focus();
        await page.keyboard.press("Enter");
        await panel.waitFor();
        await panel.getByRole("button", { name: "Close" }).focus();
        await page.keyboard.press("Escape");
        await panel.waitFor({ state: "detached" });
        assert.ok(await finding.evaluate((element) => element === document.activeElement));
        const badge = page.locator("#findings-tab .badge").filter({ hasText: /[1-9]/, visible: true });
        for (const tab of ["Latency", "Findings"]) {
          await page.getByRole("tab", { name: tab, exact: true }).click();
          await badge.waitFor();
          await page.getByRole("button", { name: "New session" }).click();
          await badge.waitFor({ state: "detached" });
          if (tab === "Findings") break;
          await page.getByRole("tab", { name: "Findings", exact: true }).click();
          await page.getByRole("heading", { name: "Nothing to check yet" }).waitFor();
          await times(8, () => client.ask("GET", "/report"));
          await finding.waitFor();
        }
      }),
    { skip },
  );

  for (const height of [800, 400])
    test(
      `given rows that arrive above, in ${height} px, keeps what is under the mouse in place`,
      () =>
        onFindings(false, async ({ page, client }) => {
          await page.setViewportSize({ width: 900, height });
          await client.ask("GET", "/report");
          const heading = page.getByRole("heading", { name: "The slowest requests" });
          const rest = page.getByRole("region", { name: "Where the time went" }).getByText(/ other parts?$/);
          const drawn = () =>
            page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          const top = async () => Math.round((await heading.boundingBox())?.y ?? Number.NaN);
          await heading.hover();
          const before = await top();
          assert.is(await rest.isVisible(), false);
          await client.ask("GET", "/new");
          await rest.waitFor({ timeout: 15_000 });
          await drawn();
          assert.is(await top(), before);
        }),
      { skip },
    );

  test(
    "given nothing that costs, says what was looked for; the endpoint's panel names its findings",
    () =>
      onFindings(true, async ({ page, client }) => {
        await client.ask("GET", "/items?page=1");
        await page.getByRole("heading", { name: "Nothing stands out" }).waitFor();
        await page.getByText("With so little traffic").waitFor();
        await page.getByRole("listitem").filter({ hasText: "N+1 requests" }).waitFor();
        assert.equal(await accessibilityFindings(page), [], "nothing found");
        await times(6, () => client.ask("GET", "/report"));
        await page.getByRole("button", { name: /Duplicate requests/ }).waitFor();
        assert.equal(await accessibilityFindings(page), [], "a finding");
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await row(page, "/report").click();
        const panel = page.getByRole("region", { name: "Endpoint" });
        await panel.getByRole("button", { name: "Duplicate requests" }).click();
        await page.getByRole("region", { name: "Finding", exact: true }).waitFor();
        await page.getByRole("button", { name: /Duplicate requests/ }).focus();
        await page.keyboard.press("Escape");
        await page.getByRole("region", { name: "Finding", exact: true }).waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "given a page load, the first causes are in sight, and the load is one click away",
    () =>
      onFindings(false, async ({ page, client }) => {
        for (let load = 0; load < 5; load += 1) {
          await client.ask("GET", "/items?page=1", null, { "Sec-Fetch-Dest": "document" });
          const headers = { Referer: "http://shop.test/items?page=1", "Sec-Fetch-Dest": "empty" };
          await client.ask("GET", "/report", null, headers);
        }
        const list = page.getByRole("region", { name: "Findings" });
        const load = page.getByRole("region", { name: "Page load" });
        await load.waitFor();
        for (const size of [
          { width: 1280, height: 800 },
          { width: 900, height: 600 },
        ]) {
          await page.setViewportSize(size);
          const cause = list.locator("[data-finding]").first();
          await cause.waitFor();
          const isInSight = async () => {
            const [{ y = 0, height = 0 }, view] = [(await cause.boundingBox()) ?? {}, await list.boundingBox()];
            return height > 0 && view !== null && y + height <= view.y + view.height;
          };
          // The parts above the list may still load.
          for (let tries = 0; tries < 100 && !(await isInSight()); tries += 1)
            await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
          assert.ok(await isInSight(), `the first cause at ${size.width}`);
        }
        for (const size of [
          { width: 900, height: 600 },
          { width: 1280, height: 800 },
        ]) {
          await page.setViewportSize(size);
          await page.getByRole("button", { name: /^Page load, [\d,.]+ ms$/ }).click();
          assert.ok(await load.evaluate((element) => element === document.activeElement));
          assert.is(await page.evaluate(() => document.scrollingElement?.scrollTop), 0, `scrolled at ${size.width}`);
          assert.is((await page.locator(".toolbar").boundingBox())?.y, 0, `the toolbar at ${size.width}`);
          const title = load.getByRole("heading", { name: "Page load" });
          const isOnTop = await title.evaluate((element) => {
            const { x, y, height } = element.getBoundingClientRect();
            return document.elementFromPoint(x + 1, y + height / 2) === element;
          });
          assert.ok(isOnTop, `the load's heading at ${size.width}`);
        }
      }),
    { skip },
  );

  test(
    "given waiting, the head says where it went; a slow request opens in Traffic, a step of a page load in Timeline",
    () =>
      onFindings(false, async ({ page, client }) => {
        await client.ask("GET", "/report?slowly");
        await client.ask("GET", "/items?page=1", null, { "Sec-Fetch-Dest": "document" });
        const head = page.getByRole("region", { name: "Where the time went" });
        await head.getByText(/^The client waited [\d.]+ m?s in 2 requests$/).waitFor();
        const largest = head.getByRole("list", { name: "The largest parts" }).getByRole("listitem").first();
        assert.match((await largest.textContent()) ?? "", /^\d+\.\d %\s+GET\s+\/report\s+server/);
        await page.getByRole("heading", { name: "Nothing stands out" }).waitFor();
        const slowest = page.getByRole("region", { name: "The slowest requests" }).getByRole("button");
        assert.is(await slowest.count(), 2);
        assert.equal(await accessibilityFindings(page), [], "waiting and no finding");
        await page.getByRole("region", { name: "The slowest requests" }).focus();
        await page.keyboard.press("ArrowDown");
        assert.ok(await slowest.first().evaluate((element) => element === document.activeElement));
        await page.keyboard.press("Enter");
        const inspector = page.getByRole("region", { name: "Inspector" });
        await inspector.getByRole("tab", { name: "Timing", selected: true }).waitFor();
        assert.is(await row(page, "/report").getAttribute("aria-selected"), "true");
        await go(page, "Performance");
        const load = page.getByRole("region", { name: "Page load" });
        await load.getByRole("button", { name: /\/items/ }).click();
        await page.getByRole("button", { name: "Show in Timeline" }).click();
        await page.getByRole("region", { name: "Timeline" }).waitFor();
        await inspector.waitFor();
      }),
    { skip },
  );
});
