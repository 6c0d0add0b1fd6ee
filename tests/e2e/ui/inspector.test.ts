import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { onBodies } from "../../support/body-window.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { onServedWindow } from "../../support/served-window.ts";

/** The panel's share of its column's height. */
const share = (page: Page) =>
  page.evaluate(() => {
    const panel = document.querySelector<HTMLElement>(".inspector");
    return (panel?.offsetHeight ?? 0) / (panel?.parentElement?.clientHeight ?? 1);
  });

const waitForShare = (page: Page, least: number, most: number) =>
  page.waitForFunction(
    ([from, to]) => {
      const panel = document.querySelector<HTMLElement>(".inspector");
      const now = (panel?.offsetHeight ?? 0) / (panel?.parentElement?.clientHeight ?? 1);
      return now >= (from ?? 0) && now <= (to ?? 1);
    },
    [least, most],
  );

const MANY_LINES = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");

/** A 24-bit bitmap, whose rows are padded to four bytes. */
function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height, 0x7f);
  bytes.fill(0, 0, 54);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

describe("inspector", (test) => {
  const skip = needsChromium();

  for (const dark of [false, true])
    test(
      `given a window of 1600 px and more, is beside the list, or below as chosen and kept, ${dark ? "dark" : "light"}`,
      () =>
        onServedWindow(
          {
            hosts: ["site.test"],
            answer: (_request, response) => response.end("few"),
            options: { colorScheme: dark ? "dark" : "light", viewport: { width: 1920, height: 1080 } },
          },
          async ({ page, weir, client }) => {
            await client.ask("GET", "/short");
            await page.getByRole("row").filter({ hasText: "/short" }).click();
            const inspector = page.getByRole("region", { name: "Inspector" });
            const isBeside = async () => {
              const [list, panel] = [await page.locator(".view").boundingBox(), await inspector.boundingBox()];
              return list !== null && panel !== null && panel.x >= list.x + list.width - 1 && panel.y <= list.y + 1;
            };
            await inspector.getByText("/short").first().waitFor();
            assert.is(await isBeside(), true);
            assert.equal(await accessibilityFindings(page), []);
            await inspector.getByRole("button", { name: "Show below the list" }).click();
            assert.is(await isBeside(), false);
            const settings = await PageClient.open(weir);
            await settings.value({ view: "status" }, (status) => status.settings.inspectorBeside === false);
            settings.close();
            await page.reload();
            await inspector.getByRole("button", { name: "Show beside the list" }).click();
            assert.is(await isBeside(), true);
            await page.setViewportSize({ width: 1280, height: 800 });
            assert.is(await isBeside(), false);
          },
        ),
      { skip },
    );

  test(
    "given more content, opens at 36 % of the height, grows up to 56 %, and keeps a height that was set by hand",
    () =>
      onBodies(
        async ({ page }) => {
          await page.setViewportSize({ width: 1500, height: 1400 });
          await page.getByRole("row").filter({ hasText: "/short" }).click();
          await page.getByRole("tab", { name: "Response", exact: true }).click();
          await page.locator(".cm-line").first().waitFor();
          await waitForShare(page, 0.355, 0.365);

          await page.getByRole("row").filter({ hasText: "/many" }).click();
          await waitForShare(page, 0.555, 0.565);
          const handle = page.getByRole("separator", { name: "Resize the inspector" });
          const height = await page.locator(".inspector").evaluate((panel) => (panel as HTMLElement).offsetHeight);
          assert.is(await handle.getAttribute("aria-valuenow"), String(height), "the handle says how high it is");
          await page.getByRole("row").filter({ hasText: "/short" }).click();
          await page.locator(".cm-line").filter({ hasText: "few" }).waitFor();
          assert.ok((await share(page)) > 0.55, "the list does not jump between rows");

          await page.keyboard.press("Escape");
          await page.locator(".inspector").waitFor({ state: "detached" });
          await page.getByRole("row").filter({ hasText: "/short" }).click();
          await waitForShare(page, 0.355, 0.365);
          await handle.focus();
          await page.keyboard.press("Home");
          await page.getByRole("row").filter({ hasText: "/many" }).click();
          await page.locator(".cm-line").filter({ hasText: "line 1" }).first().waitFor();
          assert.is(await page.locator(".inspector").evaluate((panel) => (panel as HTMLElement).offsetHeight), 160);
          assert.equal(await accessibilityFindings(page), []);

          const panelHeight = () => page.locator(".inspector").evaluate((panel) => (panel as HTMLElement).offsetHeight);
          await handle.focus();
          await page.keyboard.press("End");
          await page.setViewportSize({ width: 1500, height: 800 });
          const limited = await panelHeight();
          await page.keyboard.press("End");
          assert.is(await panelHeight(), limited, "a smaller window limits the height as End does");
        },
        { bodies: { "/short": ["text/plain", "few"], "/many": ["text/plain", MANY_LINES] } },
      ),
    { skip },
  );

  test(
    "given a request, Overview shows its query, operation, cookies, cache headers and Server-Timing",
    () =>
      onServedWindow(
        {
          hosts: ["site.test"],
          answer: (_request, response) => {
            const headers = {
              "Set-Cookie": "a=3",
              ETag: '"x"',
              Age: "31",
              "Server-Timing": "db;dur=53.2, cache;dur=2",
            };
            response.writeHead(200, { "Content-Type": "application/json", ...headers }).end("{}");
          },
          before: async (client) => {
            const query = '{"query":"query GetUser { user }","operationName":"GetUser"}';
            const headers = { "Content-Type": "application/json", Cookie: "a=1; b=2", "Cache-Control": "no-cache" };
            await client.ask("POST", "/graphql?page=3&tag=a%20b&tag=c", Buffer.from(query), headers);
          },
        },
        async ({ page }) => {
          const list = page.getByRole("row").filter({ hasText: "/graphql?page=3&tag=a%20b&tag=c · GetUser" });
          await list.click();
          const facts = page.getByRole("region", { name: "Facts" });
          await facts.getByText("db 53.2 ms, cache 2.0 ms").waitFor();
          const shown = await facts
            .locator(".fact")
            .evaluateAll((all) =>
              all.map((each) => `${each.querySelector("dt")?.textContent}: ${each.querySelector("dd")?.textContent}`),
            );
          for (const fact of [
            "Operation: GetUser",
            "page: 3",
            "tag: a b",
            "tag: c",
            "Cookies: 2 cookies, 8 B",
            "Cookies set: 1 cookie, 3 B",
            "Cache-Control (request): no-cache",
            "Age: 31",
            'ETag: "x"',
          ]) {
            assert.ok(shown.includes(fact), `${fact} in ${shown.join(" | ")}`);
          }
          // By keyboard to the next tab and back.
          await page.getByRole("tab", { name: "Overview" }).focus();
          await page.keyboard.press("ArrowRight");
          await page.keyboard.press("ArrowLeft");
          await facts.getByText("GetUser", { exact: true }).waitFor();
          assert.equal(await accessibilityFindings(page), []);
        },
      ),
    { skip },
  );

  test(
    "given a multipart body, shows it in parts or as sent",
    () =>
      onServedWindow(
        {
          hosts: ["site.test"],
          answer: (_request, response) => response.end("ok"),
          before: async (client) => {
            const form = new FormData();
            form.append("comment", "two\nlines");
            form.append("data", new Blob([new Uint8Array([0xff, 0, 1])], { type: "image/png" }), "a.png");
            const sent = new Response(form);
            const type = sent.headers.get("content-type") ?? "";
            await client.ask("POST", "/upload", Buffer.from(await sent.arrayBuffer()), { "Content-Type": type });
          },
        },
        async ({ page }) => {
          await page.getByRole("row").filter({ hasText: "/upload" }).click();
          await page.getByRole("tab", { name: "Request", exact: true }).click();
          const text = page.getByRole("textbox", { name: "Request body", exact: true });
          await text.getByText('Part 2, field "data", file "a.png", 3 B').waitFor();
          const heading = (await text.locator(".cm-line").allTextContents())[0];
          assert.is(heading, 'Part 1, field "comment", 10 B');
          assert.equal(await accessibilityFindings(page), []);
          await page.getByRole("button", { name: "Raw", exact: true }).focus();
          await page.keyboard.press("Enter");
          await text.locator(".cm-line").filter({ hasText: /^--/ }).first().waitFor();
          assert.is(await text.getByText(/^Part 1/).count(), 0);
        },
      ),
    { skip },
  );

  test(
    "given an event stream, lists its events with the gaps between them, and keys move through the list",
    () =>
      onServedWindow(
        {
          hosts: ["site.test"],
          answer: (_request, response) => {
            response.writeHead(200, { "Content-Type": "text/event-stream" });
            response.write("data: first\n\n");
            setTimeout(() => response.end("data: second\n\n"), 120);
          },
          before: async (client) => {
            await client.ask("GET", "/events");
          },
        },
        async ({ page }) => {
          await page.getByRole("row").filter({ hasText: "/events" }).click();
          await page.getByRole("tab", { name: "Messages", exact: true }).click();
          const grid = page.getByRole("grid", { name: "Messages of this exchange" });
          const cellOf = async (text: string, column: number) => {
            const cells = grid.getByRole("row").filter({ hasText: text }).getByRole("gridcell");
            return (await cells.nth(column).textContent()) ?? "";
          };
          const instantOf = async (text: string) => Date.parse(`2000-01-01T${await cellOf(text, 0)}Z`);
          await grid.getByRole("row").filter({ hasText: "second" }).waitFor();
          assert.is(await cellOf("first", 1), "", "nothing was before it");
          const gap = await cellOf("second", 1);
          assert.match(gap, /^[\d,.]+ms$/);
          const day = 86_400_000;
          const apart = ((await instantOf("second")) - (await instantOf("first")) + day) % day;
          assert.ok(
            Math.abs(Number.parseFloat(gap.replace(",", "")) - apart) <= 1.5,
            `${gap}, by the clock ${apart} ms`,
          );
          await grid.focus();
          await page.keyboard.press("Home");
          await page.locator(".message-text").getByText("first").waitFor();
          assert.equal(await accessibilityFindings(page), []);
        },
      ),
    { skip },
  );

  test(
    "given an image, shows it in its own size with its dimensions, which Hex does not show",
    () =>
      onBodies(
        async ({ page, choose }) => {
          await choose("/tall");
          const summary = page.locator(".body-summary");
          await summary.filter({ hasText: "image/bmp, 90 B, 3 × 3 px" }).waitFor();
          const shown = await page.locator(".body-image").evaluate((image) => (image as HTMLElement).offsetWidth);
          assert.is(shown, 3, "it is not enlarged");
          assert.equal(await accessibilityFindings(page), []);
          await choose("/flat");
          await summary.filter({ hasText: "image/bmp, 66 B, 4 × 1 px" }).waitFor();
          await page.getByRole("button", { name: "Hex", exact: true }).focus();
          await page.keyboard.press("Enter");
          await summary.filter({ hasText: /^image\/bmp, 66 B$/ }).waitFor();
        },
        { bodies: { "/tall": ["image/bmp", bitmap(3, 3)], "/flat": ["image/bmp", bitmap(4, 1)] } },
      ),
    { skip },
  );
});
