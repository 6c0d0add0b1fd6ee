import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, openTab, row, sendTwelve, showEverySlowRequest } from "../../support/main-window.ts";
import { pictures } from "../../support/pictures.ts";

describe("Performance in the window", (test) => {
  const skip = needsChromium();

  test(
    "given five requests, shows a row with percentiles, whose panel has the histogram, heat map and selection",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        for (let count = 0; count < 4; count += 1) await ask("/orders");
        await openTab(page, "Latency");
        await page.getByText("1 endpoint with fewer than 5 requests").waitFor();
        await ask("/orders");
        const cells = row(page, "/orders").getByRole("gridcell");
        await cells.first().waitFor();
        assert.match((await cells.first().textContent()) ?? "", /GET\s*\/orders\s*server\.test/);
        assert.is((await cells.nth(1).textContent())?.trim(), "5");
        for (const column of [2, 3, 4])
          assert.match((await cells.nth(column).textContent())?.trim() ?? "", /^[\d,.]+$/);
        await row(page, "/orders").click();
        const panel = page.getByRole("region", { name: "Endpoint" });
        await panel.getByRole("table").first().waitFor({ state: "attached" });
        const counts = await panel.getByRole("table").first().locator("td").allTextContents();
        assert.is(
          counts.reduce((sum, count) => sum + Number(count), 0),
          5,
          "the histogram holds every sample",
        );
        await panel.locator("canvas").first().waitFor();
        await panel.getByRole("button", { name: "Heat map" }).click();
        const heat = panel.getByRole("img", { name: /^5 requests in slices of 1 s: the median goes from / });
        await heat.waitFor();
        const drawn = await heat.evaluate((map) => [
          map.getAttribute("viewBox"),
          map.querySelector(".heat-5")?.getAttribute("d"),
        ]);
        assert.match(drawn[0] ?? "", /^0 0 \d+ \d+$/);
        assert.match(drawn[1] ?? "", /^M\d+ \d+h1v1h-1z/);
        assert.equal(await accessibilityFindings(page), []);
        await panel.getByRole("button", { name: "Lines" }).click();
        // A drag over all bars shows all requests; the keyboard does the same, one bar at a time.
        const shown = page.getByText("5 of 5", { exact: true });
        const box = await panel.locator(".histogram-buttons").boundingBox();
        if (box === null) throw new Error("no bars");
        await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + 2, box.y + box.height / 2, { steps: 4 });
        await panel.getByText(/^[\d.,]+ (to [\d.,]+ ms|ms and more): 5 requests$/).waitFor();
        await page.mouse.up();
        await panel.getByRole("button", { name: "What is different here?" }).click();
        const difference = page.getByRole("dialog", { name: "What is different here?" });
        await difference.getByRole("paragraph").filter({ hasText: "Its endpoint has 0 other requests" }).waitFor();
        await page.keyboard.press("Escape");
        await panel.getByRole("button", { name: "Show these" }).click();
        await page.getByRole("grid", { name: "Exchanges" }).waitFor();
        await shown.waitFor();
        assert.match((await page.locator(".filter-chips").textContent()) ?? "", /latency>=[\d.]+/);
        await go(page, "Performance");
        const bars = panel.locator(".histogram-button");
        await bars.first().focus(); // waits until the panel is drawn again
        const count = await bars.count();
        for (let bar = 1; bar < count; bar += 1) await page.keyboard.press("Shift+ArrowRight");
        assert.equal(await accessibilityFindings(page), []);
        await page.keyboard.press("Enter");
        await page.getByRole("grid", { name: "Exchanges" }).waitFor();
        await shown.waitFor();
      }),
    { skip },
  );

  test(
    "given endpoints below five requests, one line opens their names; beside a panel the table keeps six rows",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await page.setViewportSize({ width: 900, height: 600 });
        const words = ["about", "cart", "items", "login", "orders", "users"];
        for (const word of words) for (let count = 0; count < 5; count += 1) await ask(`/${word}`);
        await ask("/orders/once");
        await openTab(page, "Latency");
        for (const word of words) await row(page, `/${word}`).waitFor();
        assert.is(await row(page, "/orders/once").count(), 0, "too few requests for percentiles");
        await row(page, "/cart").click();
        await page.getByRole("region", { name: "Endpoint" }).waitFor();
        const hidden = await page.getByRole("grid").evaluate((all) => all.scrollHeight - all.clientHeight);
        assert.ok(hidden <= 0, `six rows are in sight, ${hidden} px are not`);
        const bar = page.locator(".histogram-bar").first();
        await page.setViewportSize({ width: 900, height: 572 }); // as below a notice
        assert.ok(((await bar.boundingBox())?.height ?? 0) > 2, "a bar has a height");
        await page.setViewportSize({ width: 900, height: 600 });
        await page.getByRole("button", { name: "1 endpoint with fewer than 5 requests" }).click();
        const rare = page.getByRole("list", { name: "Endpoints with fewer than 5 requests" });
        await rare.getByText("/orders/once").waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await page.setViewportSize({ width: 640, height: 400 });
        await page.keyboard.press("Escape");
        await page.getByText(/^Trend: /).click({ trial: true });
      }),
    { skip },
  );

  test(
    "given terms about single exchanges, lists only endpoints with a matching exchange",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        for (let count = 0; count < 5; count += 1) {
          await ask("/orders");
          await ask("/users");
        }
        await openTab(page, "Latency");
        await row(page, "/users").waitFor();
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("status:2xx orders ");
        await row(page, "/users").waitFor({ state: "detached" });
        await row(page, "/orders").waitFor();
        await page
          .getByText("Only endpoints with a matching exchange; their figures cover the whole session")
          .waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await page.getByRole("tab", { name: "Payload", exact: true }).click();
        await row(page, "/orders").waitFor();
        assert.is(await row(page, "/users").count(), 0);
        await page.getByRole("button", { name: "Remove status:2xx" }).click();
        await filter.fill("status:5xx orders ");
        await page.getByRole("heading", { name: "No endpoint matches the filter" }).waitFor();
        // The figures on top are those of the exchanges that match all terms.
        await page.getByTitle("0 of 10 exchanges match the filter").waitFor();
        await page.getByRole("button", { name: "Remove status:5xx" }).click();
        await page.getByTitle("5 of 10 exchanges match the filter").waitFor();
        await page.getByText("0 of 5 requests", { exact: true }).waitFor();
        await filter.fill("status:5xx ");
        await go(page, "Traffic");
        await page.getByText("0 of 10", { exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given 200 % zoom, shows at least 24 characters of a path in Traffic and in the endpoint lists",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        const path = "/organisations/invoices/latest";
        for (let count = 0; count < 5; count += 1) await ask(path);
        // 1280 px at 200 % are 640 px of layout.
        for (const width of [640, 900]) {
          await page.setViewportSize({ width, height: 600 });
          for (const tab of ["Latency", "Payload", "Traffic"]) {
            const isTraffic = tab === "Traffic";
            await (isTraffic ? go(page, tab) : openTab(page, tab));
            const cell = page.locator(isTraffic ? ".traffic-path" : ".endpoint-path", { hasText: path }).first();
            await cell.waitFor();
            const shown = await cell.evaluate((element) => {
              const letter = element.scrollWidth / (element.textContent ?? "").length;
              return element.clientWidth / letter;
            });
            assert.ok(shown >= 24, `${shown.toFixed(1)} characters in ${tab} at ${width} px`);
          }
        }
      }),
    { skip },
  );

  test(
    "given a path longer than its column, it takes the width in Traffic that the host leaves",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        const path = `/organisations/${"invoices/".repeat(30)}latest`;
        await ask(path);
        for (const width of [1280, 1700]) {
          await page.setViewportSize({ width, height: 600 });
          const cell = page.locator(".traffic-where", { has: page.locator(".traffic-path", { hasText: path }) });
          await cell.waitFor();
          const [left, hidden] = await cell.evaluate((element) => {
            const [whole, , host] = [element, ...element.querySelectorAll(".traffic-path, .host")];
            const { right } = whole.getBoundingClientRect();
            return [
              right - (host?.getBoundingClientRect().right ?? 0),
              (host?.scrollWidth ?? 0) - (host?.clientWidth ?? 0),
            ];
          });
          assert.ok(Math.abs(left ?? 99) < 2, `${left} px unused at ${width} px`);
          assert.is(hidden, 0, `the host at ${width} px`);
        }
      }),
    { skip },
  );

  test(
    "given a wide latency range, its drawing ends before the next column",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        for (const delay of [0, 0, 0, 0, 0, 900]) await ask("/orders", delay);
        await openTab(page, "Latency");
        const cell = page.locator(".spread-cell").first();
        await cell.locator(".spread-body").waitFor();
        const [drawn, width] = await cell.evaluate((element) => {
          const paths = [...element.querySelectorAll("path")].map((path) => path.getBoundingClientRect().right);
          const { left, right } = element.getBoundingClientRect();
          return [Math.max(...paths) - left, right - left];
        });
        assert.ok((drawn ?? 0) <= (width ?? 0), `${drawn} of ${width} px`);
      }),
    { skip },
  );

  test(
    "given a slow request, says why it was slow and opens its timing",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        await sendTwelve(stage);
        await go(page, "Performance");
        await showEverySlowRequest(page);
        // The list may appear before the last request has been recorded.
        const slow = row(page, "/orders").filter({ hasText: "the server took" }).first();
        await slow.waitFor();
        assert.match(
          (await slow.textContent()) ?? "",
          /x its p50, .*ms over its p95; *the server took .*ms longer than usual\./,
        );
        await slow.click();
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "Timing", selected: true }).waitFor();
        await page.getByText("reused").first().waitFor();
        // Failed requests are not in the list; its footer links to them.
        await page.getByRole("button", { name: "error: dur>1s in Traffic" }).click();
        await page.getByRole("grid", { name: "Exchanges" }).waitFor();
        for (const term of ["error:", "dur>1s"]) await page.getByRole("button", { name: `Remove ${term}` }).waitFor();
      }),
    { skip },
  );

  test(
    "given slow requests, lists them by endpoint with what they share; a cause opens its requests, a request its timing",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        for (let count = 0; count < 60; count += 1) await ask("/orders", count % 5 === 4 ? 200 : 0);
        await go(page, "Performance");
        await page.getByRole("tab", { name: /^Slow requests/ }).click();
        const cause = page.getByRole("button", { name: /^\?delay=200/ });
        await cause
          .filter({
            hasText: /\d+ of \d+ above .* have this value, and \d+ of \d+ others/,
          })
          .click();
        const member = page
          .getByRole("list", { name: /delay=200$/ })
          .getByRole("button", { name: "/orders?delay=200" });
        await member.first().click();
        await page.getByRole("tab", { name: "Timing", selected: true }).waitFor();
        await page.getByRole("button", { name: "Every request" }).click();
        await row(page, "/orders").first().waitFor();
      }),
    { skip },
  );

  test(
    "given slow requests, arrow keys move through endpoints, causes and requests; Enter opens a level, Escape closes it",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        for (let count = 0; count < 60; count += 1) await ask("/orders", count % 5 === 4 ? 200 : 0);
        for (let count = 0; count < 8; count += 1) await ask("/few", count === 5 ? 100 : 0);
        await go(page, "Performance");
        await page.getByRole("tab", { name: /^Slow requests/ }).click();
        const focused = (name: string | RegExp) =>
          page.getByRole("button", { name }).and(page.locator(":focus")).waitFor();
        const press = (key: string) => page.keyboard.press(key);
        await page.getByRole("button", { name: /\/few .*8 requests, compared from 20 on/ }).waitFor();
        await pictures(page, "slow-by-cause");
        await page.getByRole("region", { name: "Causes of slow requests" }).focus();
        await press("ArrowDown");
        await focused(/^GET \/orders .* slow requests, usual to slow latency .*, time lost \d+ ms$/);
        await press("ArrowDown");
        await press("Enter");
        await page
          .getByRole("list", { name: /delay=200$/ })
          .getByRole("listitem")
          .first()
          .waitFor();
        await press("ArrowDown");
        await focused("/orders?delay=200");
        assert.equal(await accessibilityFindings(page), []);
        await press("Escape");
        await focused(/^\?delay=200/);
        assert.is(await page.getByRole("button", { name: "/orders?delay=200" }).count(), 0);
        await press("End");
        await focused(/\/few .*8 requests, compared from 20 on/);
        await press("Enter");
        await page.getByRole("button", { name: "/few?delay=100" }).waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await press("Escape");
        await focused(/\/few .*8 requests, compared from 20 on/);
        assert.is(await page.getByRole("button", { name: "/few?delay=100" }).count(), 0);
      }),
    { skip },
  );

  test(
    "given the smallest window, keeps the selected slow request in sight above the inspector",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        await page.setViewportSize({ width: 900, height: 600 });
        await sendTwelve(stage);
        await go(page, "Performance");
        await showEverySlowRequest(page);
        const between = await page.locator(".slow-axis > span").evaluateAll((labels) => {
          const boxes = labels.map((label) => label.getBoundingClientRect());
          return boxes.slice(1).map(({ left }, index) => left - (boxes[index]?.right ?? 0));
        });
        assert.ok(Math.min(...between) >= 8, `the axis reads as one sentence: ${between}`);
        await row(page, "its p50").first().click();
        await page.getByRole("region", { name: "Inspector" }).waitFor();
        const list = await page.locator(".list:visible").boundingBox();
        const chosen = await page.locator('.list-row[aria-selected="true"]').boundingBox();
        if (list === null || chosen === null) throw new Error("nothing is in sight");
        assert.ok(chosen.y + chosen.height <= list.y + list.height, "the row is cut");
      }),
    { skip },
  );

  test(
    "given the key of a view, moves the focus to its list, where arrows and Enter work at once",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        await sendTwelve(stage);
        await openTab(page, "Latency");
        await row(page, "/orders").waitFor();
        await page.keyboard.press("1");
        await page.keyboard.press("2");
        await row(page, "/orders").waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "Endpoint" }).waitFor();
        await page.keyboard.press("5");
        await page.getByRole("heading", { name: "Proxy", exact: true }).waitFor();
        await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "All settings");
      }),
    { skip },
  );

  test(
    "given the fixed threshold, refuses invalid values beside the field, and lists requests over it",
    () =>
      onMainWindow(async (stage) => {
        const { page, ask } = stage;
        await ask("/single", 1_100);
        await go(page, "Settings");
        const field = page.getByLabel("Slow requests: also over");
        const complaint = page.getByRole("alert").filter({ hasText: "from 1 to 600,000" });
        for (const wrong of ["0", "600001", "1.5", "soon"]) {
          await field.fill(wrong);
          await field.press("Enter");
          await complaint.waitFor();
          await field.fill("1000");
          await field.press("Enter");
          await complaint.waitFor({ state: "detached" });
        }
        await go(page, "Performance");
        await showEverySlowRequest(page);
        await row(page, "over the 1,000 ms threshold").first().waitFor();
        for (let count = 0; count < 12; count += 1) await ask("/steady", count === 11 ? 300 : 0);
        await row(page, "/steady").first().waitFor();
        await page.getByRole("checkbox", { name: "Only over the threshold" }).check();
        await row(page, "/steady").first().waitFor({ state: "detached" });
        await row(page, "over the 1,000 ms threshold").first().waitFor();
        assert.is(await page.locator(".filter-chip").count(), 0, "other views are not filtered");
      }),
    { skip },
  );

  test(
    "given high contrast, bars, selection and charts stay visible",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
        await sendTwelve(stage);
        const bar = page.locator(".traffic-bar").first();
        await bar.waitFor();
        assert.match(await bar.evaluate((element) => getComputedStyle(element).backgroundImage), /gradient/);
        await openTab(page, "Latency");
        await row(page, "/orders").click();
        const selected = page.locator('.list-row[aria-selected="true"]');
        assert.is(await selected.evaluate((element) => getComputedStyle(element).outlineStyle), "solid");
        const panel = page.getByRole("region", { name: "Endpoint" });
        const bars = panel.locator(".histogram-bar");
        await bars.first().waitFor();
        const colours = await bars.evaluateAll((all) =>
          all.filter((bar) => bar.clientHeight > 0).map((bar) => getComputedStyle(bar).backgroundColor),
        );
        assert.ok(colours.length > 0, "a bar is higher than nothing");
        assert.not(colours.some((colour) => colour === "rgba(0, 0, 0, 0)" || colour === "rgb(0, 0, 0)"));
        const canvas = panel.locator("canvas").first();
        await canvas.waitFor();
        // The chart's background is the surface colour, which is dark here.
        await page.waitForFunction(
          (element) => {
            const [red = 255, , , alpha] =
              (element as HTMLCanvasElement).getContext("2d")?.getImageData(2, 2, 1, 1).data ?? [];
            return alpha === 255 && red < 64;
          },
          await canvas.elementHandle(),
        );
      }),
    { skip },
  );
});
