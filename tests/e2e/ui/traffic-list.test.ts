import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { HOSTILE, onMainWindow, row, sendTwelve } from "../../support/main-window.ts";
import { PageClient } from "../../support/page-client.ts";
import { onServedWindow } from "../../support/served-window.ts";

describe("traffic list in the window", (test) => {
  const skip = needsChromium();

  test(
    "given new requests, adds a row for each without a reload",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (const path of ["/first", "/second"]) {
          await ask(path);
          await row(page, path).waitFor();
        }
      }),
    { skip },
  );

  test(
    "given another session, the numbers of rows go on, so that each names one exchange of the run",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (const path of ["/first", "/second", "/third"]) await ask(path);
        await row(page, "/third").waitFor();
        await page.getByRole("button", { name: "New session" }).click();
        await row(page, "/third").waitFor({ state: "detached" });
        for (const path of ["/again", "/last"]) await ask(path);
        const numberOf = (path: string) => row(page, path).locator(".column-number").textContent();
        assert.equal([await numberOf("/again"), await numberOf("/last")], ["4", "5"]);
      }),
    { skip },
  );

  test(
    "given a method of eight letters, shows it whole in one line, and a longer one also in a tooltip",
    () =>
      onServedWindow({ hosts: ["dav.test"], answer: (_, response) => response.end() }, async ({ page, client }) => {
        for (let count = 0; count < 5; count += 1) await client.ask("PROPFIND", "/calendar");
        const chip = page.getByText("PROPFIND", { exact: true }).first();
        const isWhole = () => chip.evaluate((element) => element.scrollWidth <= element.clientWidth);
        const height = () => chip.evaluate((element) => element.getBoundingClientRect().height);
        await chip.waitFor();
        assert.ok(await isWhole(), "in Traffic");
        const usual = await height();
        await page.getByRole("button", { name: "Performance", exact: true }).click();
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await page.getByRole("gridcell", { name: "/calendar" }).waitFor();
        assert.ok(await isWhole(), "in Latency");
        assert.is(await height(), usual);
        await client.ask("MKCALENDAR", "/calendar");
        await page.getByRole("button", { name: "Traffic", exact: true }).click();
        await page.getByText("MKCALENDAR", { exact: true }).waitFor();
        await page.getByTitle("MKCALENDAR", { exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given an invalid filter, keeps the visible rows and the scroll position; given a valid one, scrolls to its last row",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (let count = 1; count <= 300; count += 1) await ask(`/item/${count}/${count % 2 === 0 ? "even" : "odd"}`);
        await row(page, "/item/300/").waitFor();
        const paths = () => page.locator(".traffic-path").allTextContents();
        await page.locator(".list.traffic").evaluate((list) => {
          list.scrollTop = 0;
        });
        await row(page, "/item/1/odd").waitFor();
        const before = await paths();
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("status:abc ");
        await page.locator("#filter-problem").getByText("is not a status").waitFor();
        await page.getByText(/^Filter not applied: .* Showing the previous results\.$/).waitFor({ state: "attached" });
        assert.equal(await paths(), before);
        // The list still scrolls, and its rows can be selected and summed.
        await page.locator(".list.traffic").evaluate((list) => {
          list.scrollTop = list.scrollHeight;
        });
        await row(page, "/item/299/odd").click({ modifiers: ["ControlOrMeta"] });
        await row(page, "/item/300/even").click({ modifiers: ["ControlOrMeta"] });
        await page.getByRole("group", { name: "Selected exchanges" }).getByText("2 selected").waitFor();
        await page.getByText(/^Filter not applied: .* Showing the previous results\.$/).waitFor();
        await filter.fill("");
        await page.getByRole("button", { name: "Remove status:abc" }).click();
        await filter.fill("odd ");
        await page.getByText("150 of 300", { exact: true }).waitFor();
        await row(page, "/item/299/odd").waitFor();
        assert.ok((await paths()).every((path) => path.endsWith("/odd?delay=0")));
      }),
    { skip },
  );

  test(
    "given a smaller window, a list at its latest row goes on following the latest",
    () =>
      onMainWindow(async ({ page, ask }) => {
        const isInSight = (path: string) =>
          page.waitForFunction((text) => {
            const list = document.querySelector(".list.traffic")?.getBoundingClientRect();
            const rows = [...document.querySelectorAll(".list.traffic .list-row")];
            const box = rows.find((each) => each.textContent.includes(text))?.getBoundingClientRect();
            return list !== undefined && box !== undefined && box.bottom <= list.bottom + 1;
          }, path);
        for (let count = 1; count <= 40; count += 1) await ask(`/item/${count}/`);
        await isInSight("/item/40/");
        for (const [index, height] of [700, 450, 600].entries()) {
          await page.setViewportSize({ width: 900, height });
          await isInSight(`/item/${40 + index}/`);
          await ask(`/item/${41 + index}/`);
          await isInSight(`/item/${41 + index}/`);
        }
        assert.is(
          await page
            .getByRole("button", { name: /^\d+ new$/ })
            .filter({ visible: true })
            .count(),
          0,
        );
      }),
    { skip },
  );

  test(
    "given an exchange opened under a filter, keeps it in sight once the filter is cleared",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (let count = 1; count <= 120; count += 1) await ask(`/item/${count}/`);
        await row(page, "/item/120/").waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("item/40/");
        await page.getByText("1 of 120", { exact: true }).waitFor();
        await page.keyboard.press("Escape");
        await row(page, "/item/40/").click();
        await page.getByRole("button", { name: "Clear filter" }).first().click();
        await row(page, "/item/41/").waitFor();
        await page.getByRole("row", { selected: true }).filter({ hasText: "/item/40/" }).waitFor();
      }),
    { skip },
  );

  test(
    "given an address of any length, the filter finds it as pasted, and the endpoint panel finds its requests",
    () =>
      onMainWindow(async ({ page, ask }) => {
        const path = `/signed/${"0123456789".repeat(400)}`;
        for (let count = 0; count < 5; count += 1) await ask(path);
        await ask("/other");
        await row(page, "/other").waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill(path);
        await page.getByText("5 of 6", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Clear filter" }).first().click();
        await row(page, "/other").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Performance", exact: true }).click();
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await row(page, "/signed/").click();
        await page.getByRole("button", { name: "Show in Traffic", exact: true }).click();
        await page.getByText("5 of 6", { exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given a new filter, announces the number of matches once, and not again as traffic arrives",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (const path of ["/first", "/second"]) await ask(path);
        const state = page.locator(".recording-text");
        const drawn = await state.evaluateHandle((element) => element.firstChild);
        const length = () => page.locator(".statusbar-item", { hasText: "session" }).textContent();
        await page.getByRole("combobox", { name: "Filter" }).fill("first ");
        const spoken = page.getByRole("status").filter({ hasText: "1 of 2 match" });
        await spoken.waitFor({ state: "attached" });
        await ask("/first/again");
        await page.getByText("2 of 3", { exact: true }).waitFor();
        const before = await length();
        while ((await length()) === before) await ask("/first/again");
        assert.is(await spoken.count(), 1);
        assert.ok(await state.evaluate((element, node) => element.firstChild === node, drawn));
      }),
    { skip },
  );

  test(
    "given an exchange selected in Timeline, Traffic shows its row, however far from the list's beginning",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (let count = 1; count <= 200; count += 1) await ask(`/item/${count}/`);
        await row(page, "/item/200/").waitFor();
        await page.keyboard.press("3");
        await page.getByRole("button", { name: "Fit session" }).click();
        // The next row is marked as one that follows it.
        await page.getByRole("row", { name: /^GET \/item\/7\// }).click();
        await page.keyboard.press("1");
        await page.getByRole("grid", { name: "Exchanges", exact: true }).waitFor();
        await page.getByRole("row", { selected: true }).filter({ hasText: "/item/7/" }).waitFor();
      }),
    { skip },
  );

  test(
    "given a row selected in Traffic, scrolls the timeline to it, however many requests its range has",
    () =>
      onMainWindow(async ({ page, ask }) => {
        for (let count = 1; count <= 300; count += 1) await ask(`/item/${count}/`);
        await page.keyboard.press("3");
        await page.getByRole("button", { name: "Fit session" }).click();
        await page.getByText(/^300 of 300 in/).waitFor();
        await page.keyboard.press("1");
        await row(page, "/item/300/").waitFor();
        await page.locator(".list.traffic").evaluate((list) => {
          list.scrollTop = 200 * 28;
        });
        await row(page, "/item/205/").click();
        await page.keyboard.press("3");
        await page.getByRole("grid", { name: "Exchanges by start" }).waitFor();
        const chosen = page.getByRole("row", { selected: true }).filter({ hasText: "/item/205/" });
        await chosen.waitFor();
        // It stays marked in another range, and under another filter that it matches.
        await page.getByRole("button", { name: "Fit session" }).click();
        await chosen.waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("item/2");
        await page.getByText("111 of 300", { exact: true }).waitFor();
        await chosen.waitFor();
        await page.getByRole("button", { name: "Clear filter" }).click();
        await page.getByText(/^300 of 300 in/).waitFor();
        await chosen.waitFor();
      }),
    { skip },
  );

  test(
    "given an exchange shown from the hub, scrolls to its row, even if it is already the active one",
    () =>
      onMainWindow(async ({ page, weir, ask }) => {
        for (let count = 1; count <= 300; count += 1) await ask(`/item/${count}/`);
        await row(page, "/item/300/").click();
        const top = page.locator(".list.traffic");
        const client = await PageClient.open(weir);
        for (const isOpen of [true, false]) {
          if (!isOpen) await page.getByRole("button", { name: "Close the inspector" }).click();
          await top.evaluate((list) => {
            list.scrollTop = 0;
          });
          await row(page, "/item/1/").waitFor();
          const sort = { column: "id", descending: true } as const;
          const [last] = await client.list({ view: "traffic", filter: "", sort, range: { from: 0, count: 1 } });
          if (last === undefined) throw new Error("nothing was captured");
          await client.command({ type: "show-exchange", exchange: last.id });
          await page.getByRole("row", { selected: true }).filter({ hasText: "/item/300/" }).waitFor();
          await page.getByRole("button", { name: "Close the inspector" }).waitFor();
        }
        client.close();
      }),
    { skip },
  );

  test(
    "given rows selected by keys and mouse, the line below shows the sums of the selection",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        await sendTwelve(stage);
        await row(page, "/orders").nth(11).waitFor();
        const line = page.getByRole("group", { name: "Selected exchanges" });
        const picked = page.getByRole("row", { selected: true });
        const says = (text: RegExp) => line.filter({ hasText: text }).waitFor();
        await row(page, "/orders").nth(1).click();
        await page.keyboard.press("Escape");
        for (let count = 0; count < 3; count += 1) await page.keyboard.press("Shift+ArrowDown");
        await says(/\b4 selected.*p50 [\d.,]+ ms.*p95 [\d.,]+ ms.*max [\d.,]+ ms.*0 errors/);
        assert.is(await picked.count(), 4);
        await row(page, "/orders")
          .nth(8)
          .click({ modifiers: ["ControlOrMeta"] });
        await row(page, "/orders")
          .nth(2)
          .click({ modifiers: ["ControlOrMeta"] });
        await row(page, "/orders")
          .nth(9)
          .click({ modifiers: ["ControlOrMeta"] });
        await says(/\b5 selected/);
        assert.is(await picked.count(), 5);
        await row(page, "/orders")
          .nth(11)
          .click({ modifiers: ["Shift"] });
        await says(/\b3 selected/);
        assert.is(await page.evaluate(() => String(getSelection())), "", "no text of the page is selected");
        await page.keyboard.press("ControlOrMeta+a");
        await says(/\b12 selected/);
        await stage.ask("/missing");
        await says(/\b13 selected/);
        await page.setViewportSize({ width: 640, height: 400 });
        const clear = await line.getByRole("button", { name: "Clear selection" }).boundingBox();
        assert.ok(clear !== null && clear.x + clear.width <= 640, "no button is beyond the window");
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.is(await page.getByRole("tablist", { name: "Inspector" }).count(), 0, "picking opens nothing");
        await page.keyboard.press("Escape");
        await line.waitFor({ state: "hidden" });
        assert.ok((await picked.count()) <= 1);
        await page.keyboard.press("ControlOrMeta+a");
        await page.getByRole("button", { name: "Clear selection" }).click();
        await line.waitFor({ state: "hidden" });
        assert.is(await page.evaluate(() => document.activeElement?.getAttribute("role")), "grid");
      }),
    { skip },
  );

  test(
    "given an opened exchange, the inspector shows its tabs, and hostile text as text",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask(`/${encodeURIComponent(HOSTILE)}`);
        const entry = row(page, "server.test").first();
        await entry.click();
        await page.keyboard.press("Enter");
        for (const name of ["Overview", "Request", "Response", "Timing"]) {
          await page.getByRole("tab", { name, exact: true }).click();
          await page.getByRole("tab", { name, exact: true, selected: true }).waitFor();
        }
        await page.getByRole("tab", { name: "Response", exact: true }).click();
        await page.getByText(HOSTILE, { exact: false }).first().waitFor();
        assert.is(await page.locator("img[src=x]").count(), 0);
      }),
    { skip },
  );
});
