import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, row } from "../../support/main-window.ts";
import { pictures } from "../../support/pictures.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";

describe("toolbar", (test) => {
  const skip = needsChromium();

  test(
    "given a pause, forwards requests without recording them, and records again after Resume",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask("/before");
        await row(page, "/before").waitFor();
        await page.getByRole("button", { name: "Pause recording" }).click();
        await page.getByRole("button", { name: "Resume recording" }).waitFor();
        await ask("/meanwhile");
        await ask("/meanwhile");
        const bar = page.locator(".notice.is-idle");
        await bar.getByText(/^Paused since \d\d:\d\d\. 2 requests passed unrecorded\.$/).waitFor();
        assert.is(await page.title(), "Weir, paused");
        assert.match((await page.locator('link[rel="icon"]').getAttribute("href")) ?? "", /^data:image\/svg/);
        await page.setViewportSize({ width: 900, height: 600 });
        assert.is((await bar.boundingBox())?.height, 28);
        assert.equal(await accessibilityFindings(page), []);
        await bar.getByRole("button", { name: "Resume" }).click();
        await bar.waitFor({ state: "detached" });
        assert.is(await page.title(), "Weir");
        await page.getByRole("button", { name: "Pause recording" }).waitFor();
        await ask("/after");
        await row(page, "/after").waitFor();
        assert.is(await row(page, "/meanwhile").count(), 0);
      }),
    { skip },
  );

  test(
    "given a stopped proxy before the first request, the bar and the empty list start it again",
    () =>
      onMainWindow(async ({ page }) => {
        const bar = page.locator(".notice.is-idle");
        for (const start of [
          bar.getByRole("button", { name: "Start" }),
          page.getByRole("button", { name: "Start the proxy" }),
        ]) {
          await page.getByRole("button", { name: "Stop proxy" }).click();
          await bar.getByText("The proxy is stopped. Programs that use it cannot connect.").waitFor();
          assert.is(await page.title(), "Weir, proxy stopped");
          await start.click();
          await bar.waitFor({ state: "detached" });
        }
      }),
    { skip },
  );

  test(
    "given a window of 1200 px or more, writes Export beside its icon; below, the icon stays alone",
    () =>
      onMainWindow(async ({ page }) => {
        const word = page.getByRole("button", { name: "Export", exact: true }).locator(".toolbar-word");
        for (const [width, state] of [
          [1_200, "visible"],
          [1_199, "hidden"],
        ] as const) {
          await page.setViewportSize({ width, height: 800 });
          await word.waitFor({ state });
        }
        await pictures(page, "toolbar-export");
      }),
    { skip },
  );

  test(
    "given Clear session, empties the list, and Undo restores it together with newer exchanges",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask("/kept");
        await row(page, "/kept").waitFor();
        await page.getByRole("button", { name: "Clear session" }).click();
        await row(page, "/kept").waitFor({ state: "detached" });
        await ask("/since");
        await row(page, "/since").waitFor();
        const undo = page.getByRole("button", { name: "Undo" });
        await undo.press("Enter");
        await row(page, "/kept").waitFor();
        await row(page, "/since").waitFor();
        await undo.waitFor({ state: "hidden" });
        await page.locator('[role="grid"][aria-label="Exchanges"]:focus').waitFor();
      }),
    { skip },
  );

  test(
    "given a cleared session, the empty page leads to the trash and undoes Clear, until a request comes",
    () =>
      onMainWindow(async ({ page, ask }) => {
        const text = page.getByText("The session that you cleared is in the trash.");
        const steps = page.locator(".first-steps");
        assert.is(await text.isVisible(), false);
        await ask("/kept");
        await row(page, "/kept").waitFor();
        const clear = page.getByRole("button", { name: "Clear session" });
        await clear.click();
        await text.waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "cleared");
        await steps.getByRole("button", { name: "Open Sessions" }).click();
        await page.getByRole("table", { name: "Sessions in the trash" }).waitFor();
        await go(page, "Traffic");
        await steps.getByRole("button", { name: "Restore it" }).press("Enter");
        await row(page, "/kept").waitFor();
        await page.locator('[role="grid"][aria-label="Exchanges"]:focus').waitFor();
        await clear.click();
        await text.waitFor();
        await ask("/since");
        await row(page, "/since").waitFor();
        await text.waitFor({ state: "hidden" });
      }),
    { skip },
  );

  test(
    "given up to three chips, shows each whole at any width, and a press removes one wherever the focus is",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask("/orders");
        const filter = page.getByRole("combobox", { name: "Filter" });
        const chips = page.locator(".filter-chip");
        // As a hand does: the press changes the layout before the button is released.
        const press = async (name: string, hasFocus: boolean) => {
          await filter.focus();
          if (!hasFocus) await filter.blur();
          await page.getByRole("button", { name, exact: true }).hover();
          await page.mouse.down();
          await page.evaluate(() => new Promise(requestAnimationFrame));
          await page.evaluate(() => document.body.getBoundingClientRect());
          await page.mouse.up();
        };
        const cutTerms = () =>
          page
            .locator(".filter-term")
            .evaluateAll((terms) => terms.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
        for (const [width, hasFocus] of [
          [1280, true],
          [1280, false],
          [900, true],
          [900, false],
        ] as const) {
          await page.setViewportSize({ width, height: 600 });
          await filter.focus();
          await filter.fill("status:2xx host:server.test ");
          await page.getByText("1 of 1", { exact: true }).waitFor();
          assert.is(await cutTerms(), 0);
          await filter.fill("method:get ");
          await chips.nth(2).waitFor();
          assert.is(await cutTerms(), 0, "nor is one of three");
          await press("Remove method:get", hasFocus);
          await press("Remove status:2xx", hasFocus);
          assert.equal(await chips.allInnerTexts(), ["host:server.test"]);
          await press("Clear filter", hasFocus);
          assert.is(await chips.count(), 0);
        }
      }),
    { skip },
  );

  test(
    "given chips, keeps every button's word; given one long chip, shows it whole, or elided beside its button",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask("/orders");
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("host:optimizationguide.server.test ");
        await page.getByText("0 of 1", { exact: true }).waitFor();
        for (const [width, fits] of [
          [1280, false],
          [1024, true],
        ] as const) {
          await page.setViewportSize({ width, height: 800 });
          for (const hasFocus of [true, false]) {
            await (hasFocus ? filter.focus() : filter.blur());
            const [isWhole, isInView] = await page.locator(".filter-chip").evaluate((chip) => {
              const [term, strip] = [chip.querySelector(".filter-term"), chip.parentElement];
              if (term === null || strip === null) return [];
              return [term.scrollWidth <= term.clientWidth, strip.scrollWidth <= strip.clientWidth];
            });
            assert.equal([isWhole, isInView], [fits, true], `${width} px, ${hasFocus ? "with" : "without"} the focus`);
          }
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        for (const word of ["Clear", "New session", "Setup Hub", "Export"])
          await page.locator(".toolbar-word").getByText(word, { exact: true }).waitFor();
        await pictures(page, "filter-long");
      }),
    { skip },
  );

  test(
    "given more chips than fit, shows the last one whole, and the first one once it has the focus",
    () =>
      onMainWindow(async ({ page, ask }) => {
        await ask("/orders");
        await page.setViewportSize({ width: 1280, height: 600 });
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("status:2xx host:server.test method:get dur>5 protocol:h2 size<9mb client:curl type:json ");
        const [first, last] = [page.getByTitle("status:2xx"), page.getByTitle("type:json")];
        const isWhole = (chip: typeof first) =>
          chip.evaluate((element) => {
            const [own, box] = [element, element.parentElement as Element].map((one) => one.getBoundingClientRect());
            const term = element.querySelector(".filter-term") as Element;
            if (own === undefined || box === undefined) return false;
            return term.scrollWidth <= term.clientWidth && own.left >= box.left - 1 && own.right <= box.right + 1;
          });
        await last.waitFor();
        // The count of matches takes space from the chips.
        await page.getByText("0 of 1", { exact: true }).waitFor();
        for (const width of [1280, 900]) {
          await page.setViewportSize({ width, height: 600 });
          await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
          assert.equal([await isWhole(first), await isWhole(last)], [false, true], String(width));
        }
        await page.getByRole("button", { name: "Remove status:2xx" }).focus();
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        assert.equal([await isWhole(first), await isWhole(last)], [true, false]);
        assert.equal(await accessibilityFindings(page), []);
      }),
    { skip },
  );

  test(
    "given a typed word, suggests filter terms; given a space after it, closes the suggestions",
    () =>
      onMainWindow(async ({ page, ask }) => {
        const filter = page.getByRole("combobox", { name: "Filter" });
        const hints = page.getByRole("listbox", { name: "Filter terms" });
        await filter.fill("cart sta");
        await hints.getByText("status:", { exact: true }).waitFor();
        await ask("/orders");
        await ask("/users");
        await filter.fill("cart status:");
        await hints.getByRole("option", { name: "status:200 2 exchanges" }).waitFor();
        await filter.fill("cart ");
        await hints.waitFor({ state: "hidden" });
        await filter.press("ArrowDown");
        const last = hints.getByRole("option").last();
        await last.getByText("comment:", { exact: true }).waitFor();
        await page.setViewportSize({ width: 900, height: 600 });
        const whole = await hints.boundingBox();
        const lowest = await last.boundingBox();
        if (whole === null || lowest === null) throw new Error("nothing is offered");
        assert.ok(lowest.y + lowest.height <= whole.y + whole.height, "all is in sight without scrolling");
        assert.ok(whole.y + whole.height <= 600, "within the window");
      }),
    { skip },
  );

  test(
    "given a stopped proxy, refuses clients, and serves them again at the same address once started",
    () =>
      onMainWindow(async ({ page, weir, ask }) => {
        await page.getByRole("button", { name: "Stop proxy" }).click();
        await page.getByRole("button", { name: "Start proxy" }).waitFor();
        const fresh = () =>
          new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test").ask("GET", "/again");
        const refused = await fresh().then(
          () => null,
          (error: NodeJS.ErrnoException) => error.code,
        );
        assert.is(refused, "ECONNREFUSED");
        await page.getByRole("button", { name: "Start proxy" }).click();
        await page.getByRole("button", { name: "Stop proxy" }).waitFor();
        await ask("/again");
        await row(page, "/again").waitFor();
      }),
    { skip },
  );

  test(
    "given another state of the proxy, the toolbar's buttons do not move",
    () =>
      onMainWindow(async ({ page }) => {
        const address = page.locator(".toolbar-address");
        const placeOfAddress = async () => (await address.boundingBox())?.x;
        const place = await placeOfAddress();
        assert.type(place, "number");
        for (const [button, words] of [
          ["Pause recording", "Paused"],
          ["Resume recording", "Recording"],
          ["Stop proxy", "Proxy stopped"],
        ] as const) {
          await page.getByRole("button", { name: button }).click();
          await page.locator(".recording").filter({ hasText: words }).waitFor();
          assert.is(await placeOfAddress(), place, words);
        }
      }),
    { skip },
  );
});
