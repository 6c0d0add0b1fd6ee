import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { pictures } from "../../support/pictures.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import type { RunningWeir } from "../../support/running-weir.ts";
import { onServedWindow, type Serving } from "../../support/served-window.ts";

interface Stage {
  readonly page: Page;
  readonly weir: RunningWeir;
  /** The requests that the server received so far, with their bodies. */
  readonly asked: readonly string[];
  ask(path: string): Promise<void>;
}

/** Runs Weir with its window open and clipboard access, and one request captured. */
function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  const asked: string[] = [];
  const serving: Serving = {
    hosts: ["server.test"],
    answer: async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      asked.push(`${request.method} ${request.url} ${body}`.trim());
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"ok":true}');
    },
    options: { permissions: ["clipboard-read", "clipboard-write"] },
  };
  return onServedWindow(serving, async ({ page, weir, client }) => {
    const ask = async (path: string) => {
      await client.ask("POST", path, Buffer.from("a=1"), { "Content-Type": "text/plain" });
    };
    await ask("/orders");
    await row(page, "/orders").click();
    await act({ page, weir, asked, ask });
  });
}

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

describe("exchange actions", (test) => {
  const skip = needsChromium();

  test(
    "given a recorded request that is edited, sends it only at Send, tagged, and refuses bad input beside its field",
    () =>
      onStage(async ({ page, asked }) => {
        await row(page, "/orders").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Edit and send…", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: "Edit and send" });
        await dialog.getByLabel("Body", { exact: true }).fill("a=2");
        await dialog.getByLabel("URL", { exact: true }).fill("http://server.test/#top");
        await dialog.getByRole("button", { name: "Send", exact: true }).click();
        await dialog.getByText("A part after # is never sent. Remove it.").waitFor();
        assert.equal(await accessibilityFindings(page), []);
        assert.is(asked.length, 1);
        await dialog.getByLabel("URL", { exact: true }).fill("http://server.test/changed?x=1");
        await dialog.getByLabel("Method", { exact: true }).fill("PUT");
        await dialog.getByRole("button", { name: "Send", exact: true }).click();
        await dialog.getByRole("button", { name: "Show in Traffic" }).click();
        await row(page, "/changed?x=1").waitFor();
        assert.equal(asked, ["POST /orders a=1", "PUT /changed?x=1 a=2"]);
      }),
    { skip },
  );

  test(
    "given the inspector's menu, copies the request in the chosen form, and Escape returns the focus",
    () =>
      onStage(async ({ page }) => {
        const more = page.getByRole("button", { name: "More", exact: true });
        for (const [name, part] of [
          ["Copy as PowerShell", "Invoke-WebRequest"],
          ["Copy as Python", "requests"],
        ] as const) {
          await more.click();
          await page.getByRole("menuitem", { name: "Copy", exact: true }).click();
          await page.getByRole("menuitem", { name: name.slice("Copy as ".length), exact: true }).click();
          await page.getByText(`Copied as ${name.slice("Copy as ".length)}, nothing redacted.`).waitFor();
          const text = (await copied(page)).replaceAll("'", "");
          assert.ok(text.includes(part), `${name}: ${text}`);
        }
        await more.click();
        await page.getByRole("menuitem", { name: "Copy", exact: true }).hover();
        assert.equal(await accessibilityFindings(page), []);
        await page.getByRole("menuitem", { name: "URL", exact: true }).click();
        await page.getByText("URL copied.").waitFor();
        assert.is(await copied(page), "http://server.test/orders");
        await more.click();
        await page.waitForFunction(() => document.activeElement?.closest("[role=menu]") !== null);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "More");
      }),
    { skip },
  );

  test(
    "given a focused list, keys copy the request, open the context menu, and choose from it",
    () =>
      onStage(async ({ page }) => {
        await page.getByRole("grid", { name: "Exchanges" }).focus();
        await page.keyboard.press("c");
        await page.getByText("Copied as cURL, nothing redacted.").waitFor();
        assert.ok((await copied(page)).replaceAll("'", "").includes("--url http://server.test/orders"));
        await row(page, "/orders").click({ button: "right" });
        await page.getByRole("menu").waitFor();
        await page.getByRole("menuitem", { name: "Copy", exact: true }).focus();
        await page.keyboard.press("ArrowRight");
        await page.waitForFunction(() => document.activeElement?.textContent?.trim() === "URL");
        await page.keyboard.press("ArrowLeft");
        await page.waitForFunction(() => document.activeElement?.getAttribute("aria-haspopup") === "menu");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.activeElement?.textContent?.trim() === "URL");
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await page.getByText("Copied as HAR").waitFor();
        assert.match(await copied(page), /^\{"log":.*"version":"1\.2"/s);
      }),
    { skip },
  );

  test(
    "given a cell, a header and an endpoint, their menus filter by it, leave it out and lead to where it is shown",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/orders?page=3");
        await page.setViewportSize({ width: 900, height: 600 });
        const choose = (name: string) => page.getByRole("menuitem", { name, exact: true }).click();
        const filtered = (term: string) => page.getByRole("button", { name: `Remove ${term}` });
        await row(page, "/orders").locator(".column-method").click({ button: "right" });
        assert.equal(await accessibilityFindings(page), []);
        const [box] = await page.locator(".menu:popover-open").evaluateAll((menus) =>
          menus.map((menu) => {
            const { left, top, right, bottom } = menu.getBoundingClientRect();
            return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          }),
        );
        assert.is(box, true);
        await choose("Filter by method:POST");
        await filtered("method:POST").waitFor();
        await row(page, "/orders").locator(".column-method").click({ button: "right" });
        await choose("Leave out method:POST");
        await filtered("-method:POST").waitFor();
        await page.getByRole("row").filter({ hasText: "/orders" }).first().waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Clear filter" }).first().click();
        await row(page, "page=3").click();
        await page.getByRole("button", { name: "page", exact: true }).click();
        await choose("Filter by q.page:3");
        await filtered("q.page:3").waitFor();
        await page.getByText("1 of 2", { exact: true }).waitFor();
        await page.getByRole("tab", { name: "Response" }).click();
        const header = page.getByRole("button", { name: "Content-Type", exact: true }).last();
        await header.focus();
        await page.keyboard.press("Enter");
        await choose("Copy name and value");
        await page.getByText("Name and value copied.").waitFor();
        assert.match(await copied(page), /^content-type: application\/json$/i);
        await row(page, "page=3").click({ button: "right" });
        await choose("Show the endpoint");
        await page.getByRole("region", { name: "Endpoint", exact: true }).getByRole("button", { name: "More" }).click();
        await choose("Leave out this endpoint");
        await filtered('-endpoint:"POST http://server.test/orders"').waitFor();
        await page.getByRole("region", { name: "Endpoint", exact: true }).getByRole("button", { name: "More" }).click();
        await choose("Show in Timeline");
        await filtered('endpoint:"POST http://server.test/orders"').waitFor();
        await row(page, "/orders").click({ button: "right" });
        await choose("Show in Traffic");
        await page.getByRole("grid", { name: "Exchanges", exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given a hidden host, lists leave its exchanges out until they are shown, and it stays hidden after a reload",
    () =>
      onStage(async ({ page, weir }) => {
        await new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://probe.weir.test").ask("GET", "/anything");
        await row(page, "/anything").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Hide probe.weir.test", exact: true }).click();
        const hidden = page.getByRole("contentinfo").getByText("1 hidden", { exact: true });
        await hidden.waitFor();
        await row(page, "/anything").waitFor({ state: "detached" });
        await page.getByText("1 exchange is hidden", { exact: true }).waitFor();
        await page.reload();
        await hidden.waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await page.getByRole("button", { name: "Show the exchanges of hidden hosts" }).click();
        await row(page, "/anything").click({ button: "right" });
        await page.getByRole("menuitem", { name: "No longer hide probe.weir.test", exact: true }).click();
        await page.getByText("probe.weir.test is listed again.").waitFor();
        await hidden.waitFor({ state: "hidden" });
      }),
    { skip },
  );

  test(
    "given selected rows, copies and the export take these alone",
    () =>
      onStage(async ({ page, ask }) => {
        for (const path of ["/a", "/b", "/c"]) await ask(path);
        await row(page, "/a").click();
        await row(page, "/c").click({ modifiers: ["Shift"] });
        await page.getByText("3 selected", { exact: true }).waitFor();
        await row(page, "/b").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Copy", exact: true }).click();
        await page.getByRole("menuitem", { name: "URLs", exact: true }).click();
        await page.getByText("URLs copied.").waitFor();
        assert.equal(
          (await copied(page)).split("\n"),
          ["a", "b", "c"].map((name) => `http://server.test/${name}`),
        );
        await page.getByRole("button", { name: "Export", exact: true }).click();
        await page.getByRole("radio", { name: "3 selected requests" }).waitFor();
        await page.getByRole("radio", { name: "All 4 shown" }).waitFor();
        assert.is(await page.getByRole("radio", { name: "3 selected requests" }).isChecked(), true);
        assert.equal(await accessibilityFindings(page), []);
        const [har, report] = [/^HAR 1.2/, /^Report/].map((name) => page.getByRole("radio", { name }));
        const place = await har?.boundingBox();
        await report?.check();
        await page.getByRole("heading", { name: "Export the report" }).waitFor();
        assert.equal(await har?.boundingBox(), place);
        await har?.check();
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save file" }).click();
        const file = JSON.parse(await readFile(await (await saving).path(), "utf8"));
        assert.equal(
          file.log.entries.map((entry: { request: { url: string } }) => entry.request.url),
          ["a", "b", "c"].map((name) => `http://server.test/${name}`),
        );
        // A single row is highlighted, also once the inspector is closed.
        await row(page, "/b").click();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Export", exact: true }).click();
        assert.is(await page.getByRole("radio", { name: "All 4 shown" }).isChecked(), true);
        await page.getByRole("radio", { name: "1 selected request" }).check();
        const savingOne = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save file" }).click();
        const one = JSON.parse(await readFile(await (await savingOne).path(), "utf8"));
        assert.equal(
          one.log.entries.map((entry: { request: { url: string } }) => entry.request.url),
          ["http://server.test/b"],
        );
        // The menu's Export chooses what the menu is about.
        await row(page, "/a").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Export…", exact: true }).click();
        await page.getByRole("radio", { name: "1 selected request" }).waitFor();
        assert.is(await page.getByRole("radio", { name: "1 selected request" }).isChecked(), true);
        const savingIt = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save file" }).click();
        assert.match(await readFile(await (await savingIt).path(), "utf8"), /"http:\/\/server\.test\/a"/);
        await page.keyboard.press("Escape");
        // A filter can be left out of the export.
        await page.getByRole("combobox", { name: "Filter" }).fill("/c ");
        await row(page, "/b").waitFor({ state: "hidden" });
        await page.getByRole("button", { name: "Export", exact: true }).click();
        await page.getByRole("radio", { name: "The one shown, which matches /c", checked: true }).waitFor();
        await page.getByRole("radio", { name: "All 4 without the filter" }).check();
        const savingAll = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save file" }).click();
        const all = JSON.parse(await readFile(await (await savingAll).path(), "utf8"));
        assert.is(all.log.entries.length, 4);
        await page.getByRole("combobox", { name: "Filter" }).fill("");
        await page.keyboard.press("Escape");
        await row(page, "/b").waitFor();
        // The same button in every view saves what the view shows.
        const toolbar = page.getByRole("banner").getByRole("button", { name: "Export", exact: true });
        for (const [view, format] of [
          ["Timeline", /^HAR/],
          ["Sessions", /^HAR/],
          ["Performance", /^Report/],
          ["Latency", /^Table “Latency” as CSV/],
        ] as const) {
          await (view === "Latency"
            ? page.getByRole("tab", { name: view })
            : page.getByRole("button", { name: view, exact: true })
          ).click();
          await toolbar.click();
          await page.getByRole("radio", { name: format, checked: true }).waitFor();
          if (view !== "Latency") await page.keyboard.press("Escape");
        }
        assert.equal(await accessibilityFindings(page), []);
        await pictures(page, "export");
        const savingTable = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save file" }).click();
        assert.match(await readFile(await (await savingTable).path(), "utf8"), /^method,origin,path/);
        await page.getByRole("button", { name: "Traffic", exact: true }).click();
        await row(page, "/a").click();
        await row(page, "/c").click({ modifiers: ["Shift"] });
        await row(page, "/b").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Export the selected…", exact: true }).click();
        await page.getByRole("radio", { name: "3 selected requests" }).waitFor();
        assert.is(await page.getByRole("radio", { name: "3 selected requests" }).isChecked(), true);
        assert.equal(await accessibilityFindings(page), []);
      }),
    { skip },
  );

  test(
    "given a request sent again, the server receives the same request, and its row is tagged and not counted",
    () =>
      onStage(async ({ page, asked }) => {
        await page.getByRole("grid", { name: "Exchanges" }).focus();
        await page.keyboard.press("r");
        await page.locator(".traffic-marks").filter({ hasText: "resent" }).waitFor();
        assert.equal(asked, ["POST /orders a=1", "POST /orders a=1"]);
        await page.getByRole("button", { name: "Performance", exact: true }).click();
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await page.getByText("1 endpoint with fewer than 5 requests").waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("tag:resent ");
        await page.getByRole("button", { name: "Traffic", exact: true }).click();
        await page.getByText("1 of 2", { exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given a stopped proxy, says why the request is not sent again",
    () =>
      onStage(async ({ page }) => {
        await page.getByRole("button", { name: "Stop proxy" }).click();
        await page.getByRole("button", { name: "Start proxy" }).waitFor();
        await page.getByRole("grid", { name: "Exchanges" }).focus();
        await page.keyboard.press("r");
        await page.getByText("The proxy is stopped. Start the proxy, then send the request again.").waitFor();
      }),
    { skip },
  );

  test(
    "given a word typed into the filter box, offers terms and values and completes them by keyboard",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/users");
        await page.keyboard.press("/");
        await page.keyboard.type("me");
        await page.getByRole("option").filter({ hasText: "method:" }).waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.keyboard.type("po");
        await page.getByRole("option").filter({ hasText: "method:POST" }).waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Tab");
        await page.getByRole("button", { name: "Remove method:POST" }).waitFor();
        await page.getByText("2 of 2", { exact: true }).waitFor();
        await page.keyboard.press("ArrowDown");
        await page.getByRole("option").nth(12).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("option").first().waitFor({ state: "detached" });
        await page.keyboard.type('endpoint:"POST http://server.test/users" ');
        await page.getByText("1 of 2", { exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given the command palette, finds commands by name, also for new hosts, and runs them by keyboard",
    () =>
      onStage(async ({ page, weir }) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("option", { name: "Show only server.test" }).waitFor();
        // A host that is captured meanwhile is offered, too.
        await new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://probe.weir.test").ask("GET", "/anything");
        await page.getByRole("option", { name: "Show only probe.weir.test" }).waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await page.keyboard.type("settings");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Appearance" }).waitFor();
        await page.keyboard.press("Control+k");
        await page.keyboard.type("pause");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Resume recording" }).waitFor();
        await page.keyboard.press("?");
        await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
        assert.equal(await accessibilityFindings(page), []);
      }),
    { skip },
  );

  test(
    "given the command palette, highlights only the entry chosen by keyboard or by a moved mouse",
    () =>
      onStage(async ({ page }) => {
        const chosen = () =>
          page
            .getByRole("option")
            .evaluateAll((rows) =>
              rows
                .filter((each) => getComputedStyle(each).backgroundColor !== "rgba(0, 0, 0, 0)")
                .map((each) => each.firstElementChild?.textContent),
            );
        // Without transitions, colours change at once.
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.keyboard.press("Control+k");
        await page.getByRole("option").nth(2).hover();
        assert.equal(await chosen(), ["Go to Timeline"]);
        await page.keyboard.press("ArrowDown");
        assert.equal(await chosen(), ["Go to Sessions"]);
        await page.keyboard.type("the");
        await page.getByRole("option", { name: "Go to Traffic" }).waitFor({ state: "detached" });
        assert.equal(await chosen(), ["Start or stop the proxy"]);
        await page.getByRole("option", { name: "Copy the proxy address" }).hover();
        await page.keyboard.press("ArrowUp");
        assert.equal(await chosen(), ["Start or stop the proxy"]);
      }),
    { skip },
  );

  test(
    "given letters typed right after the palette opens, keeps them, also right after it was closed",
    () =>
      onStage(async ({ page }) => {
        const typed = (text: string) =>
          page.evaluate(async (letters) => {
            const [dialog, input] = [
              document.querySelector<HTMLDialogElement>(".palette"),
              document.querySelector<HTMLInputElement>(".palette-input"),
            ];
            if (dialog === null || input === null) throw new Error("there is no palette");
            const toggled = new Promise((resolve) => dialog.addEventListener("toggle", resolve, { once: true }));
            const press = (target: Element, init: KeyboardEventInit) =>
              target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
            press(document.body, { key: "k", ctrlKey: true });
            await Promise.resolve();
            const before = input.value;
            input.value = letters;
            input.dispatchEvent(new Event("input", { bubbles: true }));
            await toggled;
            await new Promise((resolve) => requestAnimationFrame(resolve));
            const after = input.value;
            press(input, { key: "Enter" });
            return [before, after];
          }, text);
        assert.equal(await typed("settings"), ["", "settings"]);
        assert.equal(await typed("pause"), ["", "pause"]);
        await page.getByRole("button", { name: "Resume recording" }).waitFor();
      }),
    { skip },
  );

  test(
    "given a resized inspector, has the same height after a reload",
    () =>
      onStage(async ({ page, weir }) => {
        const handle = page.getByRole("separator", { name: "Resize the inspector" });
        await handle.focus();
        await page.keyboard.press("Home");
        await page.waitForFunction(() => document.querySelector<HTMLElement>(".inspector")?.offsetHeight === 160);
        const client = await PageClient.open(weir);
        await client.value({ view: "status" }, ({ settings }) => settings.panelHeight === 160);
        client.close();
        await page.reload();
        await row(page, "/orders").click();
        await page.waitForFunction(() => document.querySelector<HTMLElement>(".inspector")?.offsetHeight === 160);
      }),
    { skip },
  );
});
