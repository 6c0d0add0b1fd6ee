import type { Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { guarded, powerful, type Wrongs } from "../../support/guarded-page.ts";
import { HOSTILE_MARKUP } from "../../support/hostile-markup.ts";
import { hostileSite } from "../../support/hostile-site.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/** Runs Weir with every payload captured and entered, and its window open. */
async function withHostileTraffic(act: (page: Page, wrongs: Wrongs) => Promise<void>): Promise<void> {
  const site = await hostileSite(HOSTILE_MARKUP);
  const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${site.port}`]);
  try {
    for (const [index, payload] of HOSTILE_MARKUP.entries()) await site.send(weir.proxy.port, payload, index);
    await site.talk(weir.proxy.port, HOSTILE_MARKUP);
    const client = await PageClient.open(weir);
    const patterns = HOSTILE_MARKUP.filter((payload) => /^[^\s/\\@?#]+$/.test(payload));
    await client.command({ type: "set-setting", key: "captureExclude", value: patterns });
    await client.command({ type: "set-setting", key: "passThrough", value: patterns });
    await client.command({ type: "set-setting", key: "trafficColumns", value: ["+comment", "+mime", "+client"] });
    const sort = { column: "id", descending: false } as const;
    const rows = await client.list({ view: "traffic", filter: "", sort, range: { from: 0, count: 500 } });
    for (const [index, { id }] of rows.entries()) {
      const comment = HOSTILE_MARKUP[index % HOSTILE_MARKUP.length] ?? "";
      await client.command({ type: "comment-exchange", exchange: id, comment });
    }
    client.close();
    await withBrowser(async (browser) => {
      const opened = await openedPage(browser, weir.ui);
      await act(opened.page, guarded(opened));
    });
  } finally {
    await weir.stop();
    site.close();
  }
}

const TABS = ["Overview", "Request", "Response", "Timing", "TLS"] as const;

/** The tabs that show a payload unchanged once it has loaded. */
const SHOWING: ReadonlySet<string> = new Set(["Request", "Response"]);
const READING_LIMIT = 2_000;

/** Rows for which every way to show a body is tried; each of the site's media types occurs more than once. */
const MODES_TRIED = 14;

/** Whether the text appears in a panel, or in the shadow root of its body. */
async function comes(panel: Locator, text: string): Promise<boolean> {
  const holds = (element: Element | SVGElement, wanted: string): boolean => {
    const body = element.querySelector(".body-text")?.shadowRoot?.querySelector(".cm-content");
    return element.textContent.includes(wanted) || body?.textContent.includes(wanted) === true;
  };
  for (const end = performance.now() + READING_LIMIT; performance.now() < end; ) {
    if (await panel.evaluate(holds, text)) return true;
  }
  return false;
}

/** Opens every exchange in every tab of the inspector; returns how many payloads appeared as text in each. */
async function walkInspector(page: Page): Promise<Readonly<Record<string, number>>> {
  const panel = page.getByRole("region", { name: "Inspector" });
  const grid = page.getByRole("grid", { name: "Exchanges" });
  const seen: Record<string, number> = {};
  await grid.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  for (const [index, payload] of HOSTILE_MARKUP.entries()) {
    await panel
      .locator(".subject-path")
      .filter({ hasText: `/${index}/` })
      .waitFor();
    for (const tab of TABS) {
      await panel.getByRole("tab", { name: tab, exact: true }).click();
      await panel.getByRole("tab", { name: tab, exact: true, selected: true }).waitFor();
      const modes = index < MODES_TRIED ? await panel.locator(".switch-option:visible").all() : [];
      for (const mode of modes) await mode.click();
      if (SHOWING.has(tab) && (await comes(panel, payload.trim()))) seen[tab] = (seen[tab] ?? 0) + 1;
    }
    await grid.focus();
    await page.keyboard.press("ArrowDown");
  }
  return seen;
}

describe("hostile text in the window", (test) => {
  const skip = needsChromium();

  test("given the corpus, contains at least the 40 different payloads that docs/security.md S8 requires", () => {
    assert.ok(new Set(HOSTILE_MARKUP).size >= 40);
  });

  test(
    "given every payload in every field, view and inspector tab, runs none, requests nothing and violates no policy",
    () =>
      withHostileTraffic(async (page, wrongs) => {
        await page.getByRole("row").filter({ hasText: "server.test" }).first().waitFor();
        await page.locator(".column-comment", { hasText: "pwned" }).first().waitFor();
        const before = await powerful(page);
        const { Request = 0, Response = 0 } = await walkInspector(page);
        assert.ok(Request > 40 && Response > 40, `${Request} and ${Response} payloads were seen`);
        await page.getByRole("button", { name: "Close the inspector" }).click();
        for (const view of await page.getByRole("navigation", { name: "Main" }).locator(".nav").all()) {
          await view.click();
          // A view's own tabs; an opened row may add more.
          const tabs = page.locator("main [role=tablist]").first().getByRole("tab");
          const count = await tabs.count();
          for (let tab = 0; tab < count; tab += 1) {
            await tabs.nth(tab).click();
            const row = page.locator("main .list-row:visible").first();
            if ((await row.count()) > 0) await row.click();
          }
        }
        assert.equal(await wrongs(), []);
        assert.is(await powerful(page), before);
      }),
    { skip },
  );

  test(
    "given payloads in WebSocket messages and server-sent events, shows them as text",
    () =>
      withHostileTraffic(async (page, wrongs) => {
        for (const filter of ["ws:", "events"]) {
          await page.getByRole("combobox", { name: "Filter" }).fill(filter);
          const row = page.getByRole("row").filter({ hasText: filter === "ws:" ? "/socket" : "/events" });
          await row.first().click();
          await page.getByRole("tab", { name: "Messages", exact: true }).click();
          const messages = page.getByRole("grid", { name: "Messages of this exchange" });
          await messages.getByRole("gridcell").first().waitFor();
          await messages.focus();
          await page.keyboard.press("Home");
          for (const payload of HOSTILE_MARKUP) {
            await page.keyboard.press("ArrowDown");
            if (payload === HOSTILE_MARKUP[3])
              await page.locator(".message-text").filter({ hasText: "pwned" }).waitFor();
          }
          await page.getByRole("button", { name: "Clear filter" }).first().click();
        }
        assert.equal(await wrongs(), []);
      }),
    { skip },
  );

  test(
    "given payloads and patterns in the filter box, takes them literally and shows them as text",
    () =>
      withHostileTraffic(async (page, wrongs) => {
        const box = page.getByRole("combobox", { name: "Filter" });
        const foot = page.locator(".list-foot");
        for (const payload of HOSTILE_MARKUP) await box.fill(`${payload} `);
        // Outside quotes, parentheses group.
        for (const pattern of [".*", '"(a+)+$"', "[^x]", "p.ned", "^/", "\\w+"]) {
          await box.fill(pattern);
          await page.getByText(/^0 of \d+$/).waitFor();
          await foot.getByText(`${HOSTILE_MARKUP.length + 2} exchanges do not match`).waitFor();
        }
        await box.fill("pwned=7>");
        await page.getByText(/^1 of \d+$/).waitFor();
        assert.equal(await wrongs(), []);
      }),
    { skip },
  );

  test(
    "given an Alpine attribute injected into the page, gives it no access to globals",
    () =>
      withHostileTraffic(async (page) => {
        // A newly loaded page does not know all globals yet, and would allow the unknown ones from then on.
        const shown = await page.evaluate(async () => {
          for (const global of [fetch, atob, btoa, stop, focus, blur, print, alert, confirm, prompt, open]) {
            const [plain, held] = ["plain", "held.name"].map((expression) => {
              const element = Object.assign(document.createElement("p"), { plain: "read", held: global });
              element.setAttribute("x-data", "");
              element.setAttribute("x-text", `$el.${expression}`);
              document.body.append(element);
              return element;
            });
            for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame);
            if (held?.textContent === "") return plain?.textContent;
          }
          return "never refused";
        });
        assert.is(shown, "read");
      }),
    { skip },
  );

  test(
    "given text inserted as markup, the watch detects the violation",
    () =>
      withHostileTraffic(async (page, wrongs) => {
        const before = await powerful(page);
        await page.evaluate(() =>
          document.body.insertAdjacentHTML("beforeend", "<img src=//evil.test/1 onerror=pwned=1>"),
        );
        await page.waitForFunction(() => document.images.length > 0 && document.images[0]?.complete === true);
        assert.ok((await wrongs()).some((wrong) => /policy|Content Security/.test(wrong)));
        assert.ok((await powerful(page)) > before);
      }),
    { skip },
  );
});
