import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

interface Stage {
  readonly page: Page;
  readonly weir: RunningWeir;
  ask(path: string): Promise<void>;
}

/** Weir with its window open, over this data folder, in front of a server that answers everything. */
async function started(folder: string, browser: Browser, act: (stage: Stage) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.end("answered"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`], folder);
  try {
    const { page, troubles } = await openedPage(browser, weir.ui);
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
    const ask = async (path: string) => {
      await client.ask("POST", path, Buffer.from("a=1"), { "Content-Type": "text/plain" });
    };
    await act({ page, weir, ask });
    assert.equal(troubles, []);
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** A first start, and a second one over the same data folder. */
function twice(first: (stage: Stage) => Promise<void>, then: (stage: Stage) => Promise<void>): Promise<void> {
  return withFolder((folder) =>
    withBrowser(async (browser) => {
      await started(folder, browser, first);
      await started(folder, browser, then);
    }),
  );
}

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const markOf = (page: Page, text: string, mark: string) =>
  row(page, text).getByRole("gridcell", { name: mark, exact: true });
const head = (page: Page, name: string) => page.getByRole("columnheader", { name, exact: true });
const edge = (page: Page, name: string) => page.getByRole("separator", { name: `Width of ${name}` });
const choose = (page: Page) => page.getByRole("button", { name: "Choose columns" }).click();
const choice = (page: Page, name: string) => page.getByRole("menuitemcheckbox", { name, exact: true });

/** The columns in sight, from left to right. */
async function orderOf(page: Page): Promise<readonly string[]> {
  const columns = page.locator(".traffic .traffic-columns > [role=columnheader][data-column]");
  const named = await columns.evaluateAll((heads) =>
    heads
      .sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left)
      .map((each) => each.getAttribute("aria-label") ?? ""),
  );
  return named.map((name) => (name === "Number" ? "#" : name));
}

const OWN_ORDER = ["#", "Started", "Method", "Status", "Path and host", "Type", "Size", "Latency", "Phases"];
const MOVED_ORDER = ["Latency", "#", "Started", "Method", "Status", "Size", "Path and host", "Phases", "Type"];

async function centreOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

async function widthOf(locator: Locator): Promise<number> {
  return Math.round((await locator.boundingBox())?.width ?? 0);
}

/** Where the cells of a row begin must be where the heads begin. */
async function assertAligned(page: Page): Promise<void> {
  const starts = (selector: string) =>
    page.$$eval(selector, (cells) =>
      cells
        .filter(
          (cell) => (cell as HTMLElement).offsetParent !== null && !cell.matches(".traffic-gutter, .traffic-mark"),
        )
        .map((cell) =>
          Math.round(cell.getBoundingClientRect().left - Number.parseFloat(getComputedStyle(cell).marginLeft)),
        ),
    );
  const heads = await starts(".traffic .traffic-columns > [role=columnheader]");
  assert.equal(await starts(".list-row:first-of-type > [role=gridcell]"), heads);
  assert.ok(heads.length > 3);
}

describe("columns and remarks of Traffic", (test) => {
  const skip = needsChromium();

  test(
    "columns that were chosen, sized and sorted by are so again after a restart, and can be reset",
    () =>
      twice(
        async ({ page, weir, ask }) => {
          await ask("/orders");
          await row(page, "/orders").waitFor();

          await choose(page);
          await choice(page, "Size").click();
          await choice(page, "Server").click();
          await choice(page, "TTFB").press("Enter");
          assert.is(await choice(page, "Path and host").getAttribute("aria-disabled"), "true");
          assert.equal(await accessibilityFindings(page), []);
          await page.keyboard.press("Escape");
          await head(page, "Size").waitFor({ state: "detached" });
          await row(page, "/orders")
            .getByText(/^127\.0\.0\.1:\d+$/)
            .waitFor();
          await assertAligned(page);

          // By pointer: left of the path a right edge, right of it a left one.
          for (const [name, by] of [
            ["Started", 30],
            ["Latency", -40],
          ] as const) {
            const box = await edge(page, name).boundingBox();
            const before = await widthOf(head(page, name));
            const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 10];
            await page.mouse.move(x, y);
            await page.mouse.down();
            await page.mouse.move(x + by / 2, y, { steps: 3 });
            await page.mouse.move(x + by, y, { steps: 3 });
            await page.mouse.up();
            assert.is(await widthOf(head(page, name)), before + Math.abs(by));
          }
          // By keyboard, and back by a double click.
          await edge(page, "Status").focus();
          await page.keyboard.press("ArrowRight");
          assert.is(await widthOf(head(page, "Status")), 66);
          assert.is(await edge(page, "Status").getAttribute("aria-valuenow"), "66");
          await edge(page, "Status").dblclick();
          assert.is(await widthOf(head(page, "Status")), 50);
          await assertAligned(page);

          await head(page, "Latency").getByRole("button").click();
          await head(page, "Latency").getByRole("button").click();
          const client = await PageClient.open(weir);
          const { settings } = await client.value(
            { view: "status" },
            (status) => status.settings.trafficSort === "-latency" && status.settings.trafficColumns !== null,
          );
          assert.equal(settings.trafficColumns, ["started=126", "+server", "-size", "+ttfb", "latency=132"]);
          client.close();
        },
        async ({ page, ask }) => {
          await ask("/users");
          await row(page, "/users").waitFor();
          await head(page, "TTFB").waitFor();
          assert.equal(
            await Promise.all(["Started", "Latency", "Server"].map((name) => widthOf(head(page, name)))),
            [126, 132, 132],
          );
          assert.is(await head(page, "Size").count(), 0);
          assert.is(await head(page, "Latency").getAttribute("aria-sort"), "descending");
          await assertAligned(page);

          // From a head by keyboard; other views do not lose it.
          await head(page, "Started").getByRole("button").focus();
          await page.keyboard.press("Shift+F10");
          await page.getByRole("menu", { name: "Columns" }).waitFor();
          await page.keyboard.press("Escape");
          await page.keyboard.press("2");
          await page.keyboard.press("1");
          await head(page, "TTFB").waitFor();
          await choose(page);
          await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitemcheckbox");
          await page.keyboard.press("End");
          await page.keyboard.press("Enter");
          await head(page, "Size").waitFor();
          await head(page, "TTFB").waitFor({ state: "detached" });
          assert.is(await widthOf(head(page, "Started")), 96);
        },
      ),
    { skip, limit: 120_000 },
  );

  test(
    "columns are put in another order by pointer and by key, and stand so after a restart",
    () =>
      twice(
        async ({ page, weir, ask }) => {
          await ask("/orders");
          await row(page, "/orders").waitFor();
          assert.equal(await orderOf(page), OWN_ORDER);
          const dropped = ["Latency", "#", "Started", "Method", "Status", "Path and host", "Type", "Size", "Phases"];

          // A drag puts it before the first; until then a line says where. It sorts by nothing.
          const [from, to] = [await centreOf(head(page, "Latency")), await centreOf(head(page, "Number"))];
          await page.mouse.move(from.x, from.y);
          await page.mouse.down();
          await page.mouse.move(from.x - 60, from.y, { steps: 4 });
          await page.mouse.move(to.x - 8, to.y, { steps: 4 });
          await page.locator(".column-drop").waitFor();
          await page.mouse.up();
          await page.locator(".column-drop").waitFor({ state: "hidden" });
          assert.equal(await orderOf(page), dropped);
          assert.is(await head(page, "Latency").getAttribute("aria-sort"), "none");
          await assertAligned(page);

          // Escape, and a place beside its own, leave it where it is.
          for (const [by, key] of [
            [300, "Escape"],
            [12, "Shift"],
          ] as const) {
            const { x, y } = await centreOf(head(page, "Started"));
            await page.mouse.move(x, y);
            await page.mouse.down();
            await page.mouse.move(x + by, y, { steps: 3 });
            await page.keyboard.press(key);
            await page.mouse.up();
            assert.equal(await orderOf(page), dropped);
          }
          assert.is(await head(page, "Started").getAttribute("aria-sort"), "ascending");

          // By key, from a head that sorts and from an edge; the focus goes along.
          await head(page, "Size").getByRole("button").focus();
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Size: column 7 of 9.").waitFor();
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Size: column 6 of 9.").waitFor();
          await edge(page, "Phases").focus();
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Phases: column 8 of 9.").waitFor();
          await page.keyboard.press("Shift+ArrowRight");
          await page.getByText("Phases: column 9 of 9.").waitFor();
          await page.keyboard.press("Shift+ArrowRight");
          await page.keyboard.press("Shift+ArrowLeft");
          await page.getByText("Phases: column 8 of 9.").waitFor();
          assert.equal(await orderOf(page), MOVED_ORDER);
          await assertAligned(page);
          assert.equal(await accessibilityFindings(page), []);

          // Hidden ones keep their place, the menu shows the same order.
          await choose(page);
          await choice(page, "Server").click();
          const named = await page.getByRole("menuitemcheckbox").allInnerTexts();
          assert.ok(named.indexOf("Size") < named.indexOf("Path and host"));
          assert.is(named[0]?.trim(), "Latency");
          await page.keyboard.press("Escape");
          await assertAligned(page);
          const client = await PageClient.open(weir);
          await client.value(
            { view: "status" },
            ({ settings }) => settings.trafficColumns?.includes("+server") === true,
          );
          client.close();
        },
        async ({ page, ask }) => {
          await ask("/users");
          await row(page, "/users").waitFor();
          await head(page, "Server").waitFor();
          await choose(page);
          await choice(page, "Server").click();
          assert.equal(await orderOf(page), MOVED_ORDER);
          await page.getByRole("menuitem", { name: "Reset columns" }).click();
          await page.keyboard.press("Escape");
          assert.equal(await orderOf(page), OWN_ORDER);
          await assertAligned(page);
        },
      ),
    { skip, limit: 120_000 },
  );

  test(
    "marks and comments are made in list and inspector, found by the filter, and there after a restart",
    () =>
      twice(
        async ({ page, weir, ask }) => {
          for (const path of ["/one", "/two", "/three", "/four"]) await ask(path);
          await row(page, "/four").waitFor();

          // By key, and the same key takes it away again.
          await row(page, "/one").click();
          await page.getByRole("grid", { name: "Exchanges" }).focus();
          await page.keyboard.press("m");
          await markOf(page, "/one", "Star").waitFor({ state: "attached" });
          await page.keyboard.press("m");
          await page.getByText("The mark is taken away.").waitFor();
          await markOf(page, "/one", "Star").waitFor({ state: "detached" });
          await page.keyboard.press("m");
          await page.getByText("Marked: Star.").waitFor();

          // In the inspector, with a comment that keeps itself.
          await row(page, "/two").click();
          await page.getByRole("radio", { name: "Flag" }).click();
          await page.getByRole("radio", { name: "Flag", checked: true }).waitFor();
          await page.keyboard.press("ArrowRight");
          await page.getByRole("radio", { name: "Check", checked: true }).waitFor();
          const comment = page.getByRole("textbox", { name: "Comment" });
          await comment.fill("Retry here: <b>ticket</b> 4711");
          // Not left before another exchange is shown: it is kept all the same, and of the right one.
          await page.evaluate(() => document.querySelectorAll<HTMLElement>(".list-row")[2]?.click());
          await row(page, "/two").getByTitle("Retry here: <b>ticket</b> 4711").first().waitFor();
          await page.waitForFunction(
            () => document.querySelector<HTMLTextAreaElement>("#exchange-comment")?.value === "",
          );
          assert.equal(await accessibilityFindings(page), []);

          // All that are picked at once, by the line below and by the menu.
          await row(page, "/three").click();
          await row(page, "/four").click({ modifiers: ["Shift"] });
          await page.getByRole("group", { name: "Mark all of them" }).getByRole("button", { name: "Flag" }).click();
          await page.getByText("Marked: Flag, 2 exchanges.").waitFor();
          await markOf(page, "/three", "Flag").waitFor({ state: "attached" });
          await row(page, "/three").click({ button: "right" });
          assert.equal(await accessibilityFindings(page), []);
          await page.getByRole("menuitemradio", { name: "Flag", checked: true }).waitFor();
          await page.getByRole("menuitemradio", { name: "Cross" }).click();
          await page.getByText("Marked: Cross, 2 exchanges.").waitFor();

          // A comment is asked for from the menu.
          await page.keyboard.press("Escape");
          await row(page, "/four").click({ button: "right" });
          await page.getByRole("menuitem", { name: "Comment" }).click();
          await page.waitForFunction(() => document.activeElement?.id === "exchange-comment");
          await page.keyboard.type("last");
          await page.keyboard.press("Tab");
          await row(page, "/four").getByTitle("last").first().waitFor();

          const filter = page.getByRole("combobox", { name: "Filter" });
          for (const [text, found] of [
            ["mark:cross ", "2 of 4"],
            ["mark: ", "4 of 4"],
            ["comment:TICKET ", "1 of 4"],
            ["comment: mark:cross ", "1 of 4"],
          ] as const) {
            await filter.fill(text);
            await page.getByText(found, { exact: true }).waitFor();
            await page.getByRole("button", { name: "Clear filter", exact: true }).first().click();
          }

          const json = JSON.parse(await weir.exportedOnce((text) => text.includes("4711"), "--format", "json"));
          assert.equal(
            json.map(({ mark, comment }: Record<string, unknown>) => [mark, comment]),
            [
              ["star", null],
              ["check", "Retry here: <b>ticket</b> 4711"],
              ["cross", null],
              ["cross", "last"],
            ],
          );
          const csv = await weir.exportedOnce((text) => text.includes("4711"), "--format", "csv");
          assert.match(csv, /,mark,comment\r?\n/);
          assert.match(csv, /,check,Retry here: <b>ticket<\/b> 4711\r?\n/);

          const har = JSON.parse(await weir.exportedOnce((text) => text.includes("4711"), "--format", "har"));
          assert.equal(
            har.log.entries.map((entry: { comment?: string; _mark?: string }) => [entry._mark, entry.comment]),
            [
              ["star", undefined],
              ["check", "Retry here: <b>ticket</b> 4711"],
              ["cross", undefined],
              ["cross", "last"],
            ],
          );
        },
        async ({ page }) => {
          await page.getByRole("button", { name: "Sessions", exact: true }).click();
          await page.getByRole("button", { name: /^Open Session/ }).click();
          await page.getByRole("button", { name: "Back to the recording" }).waitFor();
          await page.keyboard.press("1");
          await row(page, "/two").getByTitle("Retry here: <b>ticket</b> 4711").first().waitFor();
          await markOf(page, "/one", "Star").waitFor({ state: "attached" });
          const filter = page.getByRole("combobox", { name: "Filter" });
          await filter.fill("mark:cross comment:last ");
          await page.getByText("1 of 4", { exact: true }).waitFor();

          // What is said of a stored session is kept as well.
          await row(page, "/four").click();
          await page.getByRole("radio", { name: "Star" }).click();
          await page.getByText("0 of 4", { exact: true }).waitFor();
          await filter.fill("");
          await page.getByRole("button", { name: "Clear filter", exact: true }).first().click();
          await page.getByRole("textbox", { name: "Comment" }).fill("");
          await page.keyboard.press("Tab");
          await filter.fill("comment: ");
          await page.getByText("1 of 4", { exact: true }).waitFor();
        },
      ),
    { skip, limit: 120_000 },
  );
});
