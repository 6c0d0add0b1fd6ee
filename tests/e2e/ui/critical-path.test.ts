import type { RequestListener } from "node:http";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onStage, row } from "../../support/insight-stage.ts";
import { pictures } from "../../support/pictures.ts";
import { onServedWindow } from "../../support/served-window.ts";

const START = Date.parse("2026-03-01T10:00:00.000Z");

/** An exchange of a HAR file that began `at` ms after the first and took `time` ms. */
function entryOf(at: number, time: number, path: string, mimeType: string, text: string) {
  const nothing = { cookies: [], headers: [], headersSize: -1, httpVersion: "HTTP/1.1" };
  return {
    startedDateTime: new Date(START + at).toISOString(),
    time,
    request: { ...nothing, method: "GET", url: `https://shop.test${path}`, queryString: [], bodySize: 0 },
    response: {
      ...nothing,
      status: 200,
      statusText: "OK",
      headers: [{ name: "Content-Type", value: mimeType }],
      content: { size: text.length, mimeType, text },
      redirectURL: "",
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: time - 1, receive: 1 },
  };
}

/** A page of 1.4 s: its script is in its HTML, the second script in the first. */
const PAGE = [
  entryOf(0, 283, "/", "text/html", "<link rel=stylesheet href=/a.css><script src=/app.js></script>"),
  entryOf(283, 91, "/app.js", "text/javascript", 'import("/lazy.js")'),
  entryOf(283, 40, "/a.css", "text/css", ""),
  entryOf(534, 400, "/lazy.js", "text/javascript", 'fetch("/api/items")'),
  entryOf(934, 466, "/api/items", "application/json", "[]"),
];

/** A page whose script reads 12 items, each of which names the next, and then a report. */
const ITEMS = [
  entryOf(0, 120, "/", "text/html", "<script src=/app.js></script>"),
  entryOf(120, 60, "/app.js", "text/javascript", 'fetch("/api/item/101")'),
  ...Array.from({ length: 12 }, (_, index) => {
    const next = index < 11 ? `/api/item/${102 + index}` : "/api/report";
    return entryOf(180 + 101 * index, 100, `/api/item/${101 + index}`, "application/json", JSON.stringify({ next }));
  }),
  entryOf(1_440, 900, "/api/report", "application/json", "{}"),
];

/** A page with a script. */
const shop: RequestListener = ({ url }, response) => {
  const isPage = url === "/";
  response.writeHead(200, { "Content-Type": isPage ? "text/html" : "text/javascript" });
  response.end(isPage ? "<script src=/app.js></script>" : "1");
};

async function open(page: Page, entries: readonly object[]): Promise<void> {
  const log = { version: "1.2", creator: { name: "test", version: "1" }, entries };
  await page.keyboard.press("4");
  await page.getByRole("button", { name: "Import HAR" }).click();
  const buffer = Buffer.from(JSON.stringify({ log }));
  await page.getByLabel("Choose a file").setInputFiles({ name: "page.har", mimeType: "application/json", buffer });
  await page.getByRole("button", { name: "Import", exact: true }).click();
}

describe("critical path in Timeline", (test) => {
  const skip = needsChromium();

  test(
    "given a page load, shows the path in a sentence and a row for each step, which mouse and keyboard open",
    () =>
      onStage(async ({ page }) => {
        await open(page, PAGE);
        await go(page, "Timeline");
        const path = page.getByRole("region", { name: "Critical path" });
        await path
          .getByText("1.4 s in 4 requests; lazy.js could start up to 160 ms sooner, because app.js names its URL")
          .waitFor();
        const steps = await path.locator(".timeline-step").allInnerTexts();
        assert.equal(
          steps.map((text) => text.replaceAll(/\s+/g, " ").trim()),
          [
            "GET / 283 ms 20 %",
            "GET app.js 91 ms 7 %",
            "idle 160 ms 11 %",
            "GET lazy.js 400 ms 29 %",
            "GET /api/items 466 ms 33 %",
          ],
        );
        const lazy = path.getByRole("button", { name: "GET lazy.js 400 ms; 534 ms after the start" });
        const ruler = await page.locator(".timeline-ruler").boundingBox();
        const track = await path.locator(".timeline-step-track").first().boundingBox();
        assert.ok(ruler !== null && track !== null);
        assert.ok(Math.abs(track.x - ruler.x) <= 1, "its axis is that of the rows");
        await lazy.click();
        await page.getByRole("region", { name: "Inspector" }).waitFor();
        await page.locator('[role="row"][aria-selected="true"]').filter({ hasText: "/lazy.js" }).waitFor();
        await page.getByText(/^1\.4 s in 4 requests/).waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await lazy.focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        await page.locator('[role="row"][aria-selected="true"]').filter({ hasText: "/app.js" }).waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("path:/api ");
        await path.waitFor({ state: "detached" });
        await row(page, "/api/items").waitFor();
      }),
    { skip },
  );

  test(
    "given a page that was loaded twice, says which load it is, steps to the other, zooms to the latest, and follows the chosen request",
    () =>
      onStage(async ({ page }) => {
        const again = [
          entryOf(5_000, 700, "/", "text/html", "<script src=/app.js></script>"),
          entryOf(5_700, 90, "/app.js", "text/javascript", ""),
          entryOf(6_500, 30, "/beacon", "text/plain", ""),
        ];
        await open(page, [...PAGE, ...again]);
        await go(page, "Timeline");
        const path = page.getByRole("region", { name: "Critical path" });
        const first = path.getByText(/^1\.4 s in 4 requests/);
        const second = path.getByText(/^790 ms in 2 requests/);
        await first.waitFor();
        await path.getByText("Critical path 1 of 2, the longest of the session", { exact: true }).waitFor();
        await path.getByText(/^at \d\d:\d\d:00$/).waitFor();
        await path.getByRole("button", { name: "Next page load" }).click();
        await second.waitFor();
        await page
          .locator(".timeline-summary")
          .filter({ hasText: /8\d\d ms|0\.8/ })
          .waitFor();
        await path.getByText("Critical path 2 of 2", { exact: true }).waitFor();
        await path.getByText(/^at \d\d:\d\d:05$/).waitFor();
        await page.locator('[role="row"][aria-selected="true"][aria-rowindex="2"]').waitFor();
        assert.is(await page.getByRole("region", { name: "Inspector" }).count(), 0);
        assert.equal(await accessibilityFindings(page), []);
        await path.getByRole("button", { name: "Previous page load" }).click();
        await first.waitFor();
        // The beacon that follows the load is not in its range, and the latest 5 seconds hold both.
        await page.getByRole("button", { name: "Latest", exact: true }).click();
        await page.locator(".timeline-summary").getByText("3 of 8 in 5.2 s", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Latest page load" }).click();
        await path.getByText("Critical path 2 of 2", { exact: true }).waitFor();
        await path.getByText(/^at \d\d:\d\d:05$/).waitFor();
        await page
          .locator(".timeline-summary")
          .filter({ hasText: /^2 of 8 in 8\d\d ms$/ })
          .waitFor();
        await page.getByRole("button", { name: "Fit session" }).click();
        await row(page, "/beacon").click();
        await second.waitFor();
        await path.getByRole("button", { name: "Previous page load" }).click();
        await first.waitFor();
        await page.getByRole("region", { name: "Inspector" }).getByText("text/html").first().waitFor();
      }),
    { skip },
  );

  test(
    "given a click on a step far down, selects its row and keeps at least six rows in sight",
    () =>
      onStage(async ({ page }) => {
        const pictures = Array.from({ length: 80 }, (_, index) =>
          entryOf(400 + index, 20, `/${index}.png`, "image/png", ""),
        );
        await open(page, [...PAGE, ...pictures]);
        await go(page, "Timeline");
        const path = page.getByRole("region", { name: "Critical path" });
        await path.getByRole("button", { name: /^GET \/api\/items 466 ms/ }).click();
        await page.locator('[role="row"][aria-selected="true"]').filter({ hasText: "/api/items" }).waitFor();
        await page.getByRole("region", { name: "Inspector" }).getByText("application/json").first().waitFor();
        for (const size of [
          { width: 1280, height: 800 },
          { width: 900, height: 600 },
        ]) {
          await page.setViewportSize(size);
          const list = await page.getByRole("grid", { name: "Exchanges by start" }).boundingBox();
          const inspector = await page.getByRole("region", { name: "Inspector" }).boundingBox();
          assert.ok(list !== null && inspector !== null);
          const rows = (Math.min(inspector.y, list.y + list.height) - list.y) / 28 - 1;
          assert.ok(rows > 5.9, `${rows} rows at ${size.width}, above the inspector and below the path`);
          assert.ok(inspector.y + inspector.height <= size.height, "the inspector ends in the window");
          assert.ok(await path.getByRole("button", { name: /^GET \/ / }).isVisible());
        }
      }),
    { skip },
  );

  test(
    "given items read one after another, shows them as one step that opens, and the main step in sight",
    () =>
      onStage(async ({ page }) => {
        await open(page, ITEMS);
        await go(page, "Timeline");
        const path = page.getByRole("region", { name: "Critical path" });
        const run = path.getByRole("button", { name: /^GET \/api\/item\/\{\w+\} 12 × 1,200 ms; 11 ms between them/ });
        await run.waitFor();
        await pictures(page, "timeline-run");
        for (const size of [
          { width: 900, height: 600 },
          { width: 1280, height: 800 },
        ]) {
          await page.setViewportSize(size);
          const steps = path.locator(".timeline-steps");
          assert.ok(await steps.evaluate((box) => box.scrollHeight <= box.clientHeight), "no step is cut");
        }
        await path.getByRole("button", { name: /^GET \/ / }).focus();
        for (const _ of [1, 2]) await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await path.getByRole("button", { name: / 12 × /, expanded: true }).waitFor();
        assert.is(await path.getByRole("button", { name: /^GET \/api\/item\/\d+ 100 ms/ }).count(), 12);
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "timeline-run-open");
        await page.keyboard.press("Enter");
        await path.getByRole("button", { name: / 12 × /, expanded: false }).waitFor();
        await page.keyboard.press("ArrowDown");
        const main = path.getByRole("button", { name: /^GET \/api\/report 900 ms/ });
        assert.ok(await main.evaluate((button) => button === document.activeElement), "the arrow passes the gap");
        await go(page, "Performance");
        const load = page.getByRole("region", { name: "Page load" });
        await load
          .getByRole("button", { name: /^GET \/api\/item\/\{\w+\} 12 × .*if gone, the load ends .*sooner$/ })
          .click();
        assert.is(await load.getByRole("button", { name: /^GET \/api\/item\/\{\w+\} server/ }).count(), 12);
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "findings-run-open");
        await load.getByRole("button", { name: / 12 × / }).click();
        await pictures(page, "findings-run");
      }),
    { skip },
  );

  test(
    "given a stored session, shows its path, also after another view and Back",
    () =>
      onServedWindow({ hosts: ["shop.test"], answer: shop }, async ({ page, client }) => {
        await client.ask("GET", "/");
        await client.ask("GET", "/app.js");
        const path = page.getByRole("region", { name: "Critical path" });
        await row(page, "/app.js").waitFor();
        await go(page, "Timeline");
        await path.waitFor();
        await page.getByRole("button", { name: "New session" }).click();
        await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
        assert.is(await page.locator(".timeline-summary").textContent(), "", "nothing of the ended session is left");
        await go(page, "Sessions");
        await page
          .getByRole("button", { name: /^Open / })
          .first()
          .click();
        await go(page, "Timeline");
        await path.waitFor();
        await go(page, "Performance");
        await page.getByRole("heading", { name: "Where the time went" }).waitFor();
        await page.goBack();
        await path.waitFor();
        await page.reload();
        await path.waitFor();
        await page.getByRole("button", { name: "Back to the recording" }).click();
        await path.waitFor({ state: "detached" });
        await page.goBack();
        await path.waitFor();
      }),
    { skip },
  );
});
