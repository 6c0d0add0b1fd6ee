import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/** What would be lost by reading it: digits, and a name that stands twice. */
const ORDER =
  '{"id":12345678901234567890,"id":1.50,"order":{"state":"pending","total":{"amount":12890,"currency":"EUR"},' +
  `"items":[{"sku":"${"a".repeat(80)}","note":"needle"},{"sku":"b"},{"sku":"c"}]}}`;
const LINES = 40_000;
/** Two pieces and a bit, each line with a sign of three bytes, so that pieces end within one. */
const LARGE = Array.from({ length: LINES }, (_, line) => `line ${line + 1} of the log, 12 € and more`).join("\n");
const ONE_LINE = "var a=function(n){return n+1};".repeat(40_000);
const BODIES: Readonly<Record<string, readonly [string, string | Buffer]>> = {
  "/order": ["application/json", ORDER],
  "/large": ["text/plain; charset=utf-8", LARGE],
  "/line": ["text/javascript", ONE_LINE],
  "/page": ["text/html", '<!doctype html>\n<p class="x">Pay</p>\n<!-- quiet -->\n<style>p { margin: 4px }</style>\n'],
  "/signs": ["text/plain; charset=utf-8", "a\u0000b\u202ec\u2068d"],
  "/binary": ["application/octet-stream", Buffer.alloc(1_500_000, 7)],
};

interface Stage {
  readonly page: Page;
  /** Opens the body of a response. */
  choose(path: string): Promise<void>;
  /** The same, and gives the text of it. */
  open(path: string): Promise<Locator>;
}

function site(): Server {
  return createServer((request, response) => {
    const [type, body] = BODIES[request.url ?? "/"] ?? ["text/plain", ""];
    response.writeHead(200, { "Content-Type": type }).end(body);
  });
}

/** At the end the page must have had no trouble but what was brought about. */
async function onStage(
  act: (stage: Stage) => Promise<void>,
  { dark = false, brought = null as RegExp | null } = {},
): Promise<void> {
  const server = site();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `site.test=127.0.0.1:${port}`]);
  try {
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://site.test");
    for (const path of Object.keys(BODIES)) await client.ask("GET", path);
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, {
        colorScheme: dark ? "dark" : "light",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const choose = async (path: string) => {
        await page.getByRole("row").filter({ hasText: path }).click();
        await page.getByRole("tab", { name: "Response", exact: true }).click();
      };
      const open = async (path: string) => {
        await choose(path);
        const text = page.getByRole("textbox", { name: "Response body", exact: true });
        await text.locator(".cm-line").first().filter({ hasText: /./ }).waitFor();
        return text;
      };
      await act({ page, choose, open });
      assert.equal(
        troubles.filter((trouble) => brought?.test(trouble) !== true),
        [],
      );
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** To the end of what is shown, again and again, until all of it is. */
async function readOn(page: Page): Promise<void> {
  const said = () => page.locator(".body-problem:visible").allTextContents();
  for (let before = await said(); before.length > 0; before = await said()) {
    await page.keyboard.press("ControlOrMeta+End");
    await page.waitForFunction(
      (text) => document.querySelector<HTMLElement>(".body-problem:not([style*='none'])")?.textContent !== text,
      before[0],
    );
  }
}

const search = (page: Page) => page.getByRole("textbox", { name: "Search in the Response body" });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const place = (page: Page, text: string) => page.locator(".body-search").getByText(text, { exact: true });
const shownLines = (text: Locator) => text.locator(".cm-line").allTextContents();
const colourOf = (page: Page, text: string) =>
  page
    .locator(".cm-line span", { hasText: text })
    .first()
    .evaluate((element) => getComputedStyle(element).color);

describe("bodies", (test) => {
  const skip = needsChromium();

  test(
    "JSON stands in a shadow root, indented and as it was sent, the deeper parts folded",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/order");
        assert.equal(await shownLines(text), [
          "{",
          '  "id": 12345678901234567890,',
          '  "id": 1.50,',
          '  "order": {',
          '    "state": "pending",',
          '    "total": { "amount": 12890, "currency": "EUR" },',
          '    "items": [3 objects]',
          "  }",
          "}",
        ]);
        assert.ok(await page.evaluate(() => document.querySelector(".body-text")?.shadowRoot !== null));
        await page.locator(".token-name", { hasText: '"id"' }).first().waitFor();
        assert.is.not(await colourOf(page, '"id"'), await colourOf(page, '"pending"'));
      }),
    { skip },
  );

  test(
    "the whole document is selected and copied by keys; nothing is typed into it, and the window's own keys work in it",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/order");
        await text.focus();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.equal(JSON.parse(await copied(page)), JSON.parse(ORDER));
        assert.match(await copied(page), /12345678901234567890,\n {2}"id": 1\.50,/);
        const before = await shownLines(text);
        for (const key of ["x", "Backspace", "Delete", "Space"]) await page.keyboard.press(key);
        await page.keyboard.insertText("typed");
        assert.equal(await shownLines(text), before);
        await page.keyboard.press("Tab");
        assert.is(await text.evaluate((element) => element.matches(":focus")), false);
        await text.focus();
        await page.keyboard.press("/");
        assert.is(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Filter");
        await text.focus();
        await page.keyboard.press("Escape");
        await text.waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "a large body is read on to its end, its signs whole, and is copied as it was sent",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/large");
        await page.getByText(/^The first .* are shown/).waitFor();
        const scroller = page.locator(".cm-scroller");
        const offset = () => scroller.evaluate((element) => element.scrollTop);
        await scroller.evaluate((element) => {
          element.scrollTop = element.scrollHeight;
        });
        const before = await offset();
        const isLarger = (least: number) =>
          page.waitForFunction(
            (wanted) =>
              (document.querySelector(".body-text")?.shadowRoot?.querySelector(".cm-scroller")?.scrollHeight ?? 0) >
              wanted,
            least,
          );
        await isLarger(before + 1_000);
        assert.ok(Math.abs((await offset()) - before) < 40, "what is in sight stays");
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+End");
        await text.locator(".cm-line", { hasText: `line ${LINES} of the log, 12 € and more` }).waitFor();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.ok((await copied(page)) === LARGE);
        await search(page).fill("12 €");
        await place(page, "1 of 40,000").waitFor();
      }),
    { skip, limit: 60_000 },
  );

  test(
    "hex is read on as well, and says where a line stands",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/binary");
        assert.is((await shownLines(text))[0], `${"07 ".repeat(8)} ${"07 ".repeat(8)} ${"·".repeat(16)}`);
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+End");
        await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: "16e350" }).waitFor();
      }),
    { skip, limit: 60_000 },
  );

  test(
    "a line of megabytes is wrapped, drawn in part, and copied as the one line that it is",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/line");
        assert.ok((await text.locator("*").count()) < 2_000);
        await text.focus();
        await readOn(page);
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.ok((await copied(page)) === ONE_LINE);
      }),
    { skip, limit: 60_000 },
  );

  test(
    "search counts, marks and goes to matches, and opens what hides one",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/order");
        await search(page).fill("E");
        await place(page, "1 of 10").waitFor();
        assert.ok((await text.locator(".body-match").count()) > 3);
        await search(page).fill("NEEDLE");
        await place(page, "1 of 1").waitFor();
        const current = text.locator(".body-match.is-current");
        await current.filter({ hasText: "needle" }).waitFor();
        await search(page).fill("sku");
        await place(page, "1 of 3").waitFor();
        for (const at of [2, 3, 1]) {
          await search(page).press("Enter");
          await place(page, `${at} of 3`).waitFor();
          assert.is(await current.count(), 1);
        }
        await search(page).press("Shift+Enter");
        await place(page, "3 of 3").waitFor();
        await search(page).fill("nowhere");
        await place(page, "0 of 0").waitFor();
        assert.is(await text.locator(".body-match").count(), 0);
      }),
    { skip },
  );

  test(
    "parts are folded and unfolded in the gutter, on what stands for them, and by keys",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/order");
        const lines = () => text.locator(".cm-line").count();
        const folded = await lines();
        await text.locator(".body-note", { hasText: "3 objects" }).click();
        assert.is(await lines(), folded + 4);
        const mark = (title: RegExp) => page.locator(".body-folds").getByTitle(title).filter({ visible: true }).first();
        await mark(/^Fold/).click();
        assert.equal(await shownLines(text), ["{3 members}"]);
        await page
          .locator(".body-folds")
          .getByTitle(/^Unfold/)
          .first()
          .click();
        assert.is(await lines(), folded + 4);
        await text.focus();
        await page.keyboard.press("ControlOrMeta+Home");
        await page.keyboard.press("Enter");
        assert.is(await lines(), 1);
        await page.keyboard.press("Control+Shift+BracketRight");
        assert.is(await lines(), folded + 4);
        for (let down = 0; down < 4; down += 1) await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Control+Shift+BracketLeft");
        assert.is(await lines(), 5);
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.equal(JSON.parse(await copied(page)), JSON.parse(ORDER));
      }),
    { skip },
  );

  test(
    "a chosen theme changes the colours of what is shown, without showing it anew",
    () =>
      onStage(async ({ page, open }) => {
        const text = await open("/order");
        await text.locator(".token-name").first().waitFor();
        const before = await colourOf(page, '"pending"');
        await text.evaluate((element) => element.setAttribute("data-same", ""));
        await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
        assert.is.not(await colourOf(page, '"pending"'), before);
        assert.is(await text.getAttribute("data-same"), "");
      }),
    { skip },
  );

  test(
    "signs that cannot be seen, or turn the text around them, are shown as signs",
    () =>
      onStage(async ({ open }) => {
        const text = await open("/signs");
        assert.equal(await text.locator(".body-special").allTextContents(), ["␀", "•", "•"]);
      }),
    { skip },
  );

  test(
    "what cannot be loaded is said",
    () =>
      onStage(
        async ({ page, choose }) => {
          await page.route(/chunks\/body-editor/, (route) => route.abort());
          await choose("/order");
          await page.getByText("could not be loaded").waitFor();
          assert.is(await page.getByText("Loading.").isVisible(), false);
        },
        { brought: /ERR_FAILED/ },
      ),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `axe finds nothing in any of them, ${dark ? "dark" : "light"}, at both sizes`,
      () =>
        onStage(
          async ({ page, open }) => {
            const findings: string[] = [];
            for (const [width, height] of [
              [1280, 800],
              [900, 600],
            ] as const) {
              await page.setViewportSize({ width, height });
              for (const path of Object.keys(BODIES)) {
                const text = await open(path);
                await search(page).fill("e");
                await text.locator(".cm-line").first().waitFor();
                for (const finding of await accessibilityFindings(page))
                  findings.push(`${path} at ${width}: ${finding}`);
                await search(page).fill("");
              }
            }
            assert.equal(findings, []);
          },
          { dark },
        ),
      { skip, limit: 120_000 },
    );
  }
});
