import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const FAULT = new URL("../../support/engine-fault.ts", import.meta.url).href;
const PATHS = Array.from({ length: 30 }, (_, index) => `/path/${index}`);

interface Stage {
  readonly page: Page;
  readonly weir: RunningWeir;
  ask(path: string): Promise<void>;
  /** Makes the engine thread fail. */
  fail(): Promise<void>;
}

/** Runs Weir with an engine that can be made to fail, a server behind it, and its window open. */
async function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "weir-reconnect-"));
  const order = join(folder, "fail-now");
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`], join(folder, "data"), {
    NODE_OPTIONS: `--import=${FAULT}`,
    WEIR_TEST_ENGINE_FAULT: order,
  });
  try {
    await withBrowser(async (browser) => {
      const { page } = await openedPage(browser, weir.ui);
      await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
      const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
      const ask = async (path: string) => {
        await client.ask("GET", path);
      };
      await act({ page, weir, ask, fail: () => writeFile(order, "") });
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Numbers and paths of the rendered rows. */
function drawn(page: Page): Promise<readonly (readonly [number: string, path: string])[]> {
  const grid = page.getByRole("grid", { name: "Exchanges" });
  return grid.locator(".list-row:visible").evaluateAll((rows) =>
    rows.map((row) => {
      const textOf = (selector: string): string => row.querySelector(selector)?.textContent.trim() ?? "";
      return [textOf("[role=gridcell]"), textOf(".traffic-path")] as const;
    }),
  );
}

/** How many exchanges the list shows per path, once the window counts `count`. */
async function listed(page: Page, count: number): Promise<readonly number[]> {
  await page.locator(".statusbar", { hasText: `${count} exchanges` }).waitFor();
  const grid = page.getByRole("grid", { name: "Exchanges" });
  const numbers = new Map(PATHS.map((path) => [path, new Set<string>()]));
  await grid.focus();
  for (const [key, index] of [
    ["End", count - 1],
    ["Home", 0],
  ] as const) {
    await page.keyboard.press(key);
    await grid
      .locator(".traffic-path", { hasText: PATHS[index] ?? "" })
      .first()
      .waitFor();
    for (const [number, path] of await drawn(page)) numbers.get(path)?.add(number);
  }
  return [...numbers.values()].slice(0, count).map((set) => set.size);
}

describe("reconnection of the window", (test) => {
  const skip = needsChromium();

  test(
    "given a failed engine thread, says so, reconnects, and shows every exchange once",
    () =>
      onStage(async ({ page, ask, fail }) => {
        for (const path of PATHS.slice(0, 10)) await ask(path);
        await page.locator(".statusbar", { hasText: "10 exchanges" }).waitFor();
        const said = page.getByText("Connection to Weir lost.").waitFor();
        await fail();
        await said;
        // Meanwhile the proxy continues.
        for (const path of PATHS.slice(10, 20)) await ask(path);
        await page.getByText("Weir's engine failed and was started again.").first().waitFor();
        for (const path of PATHS.slice(20)) await ask(path);
        assert.equal(await listed(page, PATHS.length), new Array(PATHS.length).fill(1));
      }),
    { skip },
  );

  test(
    "given a killed process, keeps what is shown and says what to do",
    () =>
      onStage(async ({ page, weir, ask }) => {
        await ask(PATHS[0] ?? "/");
        await page.getByRole("row").filter({ hasText: "/path/0" }).waitFor();
        weir.process.kill("SIGKILL");
        await once(weir.process, "exit");
        await page.getByText("If Weir has exited, start it again; recordings are kept.").waitFor();
        await page.locator(".recording:not(.is-live)").getByText("Not connected").waitFor();
        const clear = page.getByRole("button", { name: "Clear session" });
        await clear.focus();
        for (const name of ["Pause recording", "Stop proxy", "Clear session", "New session", "Setup Hub", "Export"])
          await page.getByRole("button", { name, exact: true, disabled: true }).waitFor();
        assert.match((await clear.getAttribute("title")) ?? "", /Connection to Weir lost/);
        assert.ok(await clear.evaluate((element) => element === document.activeElement), "the focus stays");
        assert.ok(await page.getByRole("button", { name: "Copy the proxy address", disabled: false }).isVisible());
        assert.ok(await page.getByRole("row").filter({ hasText: "/path/0" }).isVisible());
      }),
    { skip },
  );

  test(
    "given that Weir has exited, says so in everything opened later instead of showing older content",
    () =>
      onStage(async ({ page, weir, ask }) => {
        for (const path of PATHS.slice(0, 2)) await ask(path);
        await page.getByRole("row").filter({ hasText: "/path/1" }).waitFor();
        await page.getByRole("row").filter({ hasText: "/path/0" }).click();
        await page.getByRole("tab", { name: "Response" }).click();
        const inspector = page.getByRole("region", { name: "Inspector" });
        await inspector.locator(".body-summary").getByText("2 B").waitFor();
        weir.process.kill("SIGTERM");
        await once(weir.process, "exit");
        await page.getByRole("alert").getByText("Weir has exited.").waitFor();
        assert.is(await inspector.locator(".subject-path").textContent(), "/path/0");
        await page.getByRole("row").filter({ hasText: "/path/1" }).click();
        await inspector.locator(".body-empty").getByText("Weir has exited.").waitFor();
        assert.is(await inspector.locator(".subject-path").count(), 0);
        await page.getByRole("tab", { name: "Overview" }).click();
        await inspector.locator(".inspector-absence").getByText("Weir has exited.").waitFor();
        // Another filter gets no reply, so the rows are still those of the previous one.
        const filter = page.getByRole("combobox", { name: "Filter" });
        await filter.fill("host:other");
        await page.locator("#filter-problem").getByText("Showing the previous results.").waitFor();
        assert.ok(await page.getByRole("row").filter({ hasText: "/path/1" }).isVisible());
        assert.is(await page.locator("#filter-note").textContent(), "");
        await filter.fill("");
        await page.locator("#filter-problem").waitFor({ state: "hidden" });
        const session = page.locator(".statusbar-item", { hasText: "session" });
        const length = await session.textContent();
        const show = (view: string) => page.getByRole("button", { name: view, exact: true }).click();
        await show("Performance");
        await show("Traffic");
        await page.locator(".list-foot").getByText("Weir has exited.").waitFor();
        assert.is(await session.textContent(), length, "the session grows no older");
        // A list that was not opened before is not shown as empty.
        await show("Performance");
        const said = page.getByRole("heading", { name: "Weir has exited." });
        for (const tab of ["Findings", "Latency", "Slow requests", "Payload", "Chains", "Trends"]) {
          await page.getByRole("tab", { name: tab }).click();
          await page.getByRole("tabpanel", { name: tab }).and(page.locator(":visible")).filter({ has: said }).waitFor();
          if (tab === "Slow requests")
            assert.equal(new Set(await page.locator(".switch-count").allTextContents()), new Set([""]));
        }
        await show("Timeline");
        await page.locator(".timeline").filter({ has: said }).waitFor();
      }),
    { skip },
  );

  test(
    "given a later start at the same address, the page connects by its key; another user's Weir refuses it",
    () =>
      withFolder(async (folder) => {
        const start = (name: string, words: readonly string[]) => runningWeir(words, join(folder, name));
        let weir = await start("mine", []);
        const place = ["--ui-port", new URL(weir.ui).port];
        await withBrowser(async (browser) => {
          const { page } = await openedPage(browser, weir.ui);
          await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
          await page.getByRole("button", { name: "Timeline", exact: true }).click();
          for (const signal of ["SIGKILL", "SIGTERM"] as const) {
            const exit = once(weir.process, "exit");
            weir.process.kill(signal);
            await exit;
            await page.locator(".recording:not(.is-live)").getByText("Not connected").waitFor();
            weir = await start("mine", place);
            await page.locator(".recording.is-live").waitFor();
            assert.is(new URL(page.url()).hash, "#/timeline");
            assert.is(await page.evaluate(() => sessionStorage.length), 1, "a ticket of this start alone");
          }
          await page.reload();
          await page.locator(".recording.is-live").waitFor();
          await weir.stop();
          weir = await start("theirs", place);
          await page.getByText("does not know this page").first().waitFor();
        });
        await weir.stop();
      }),
    { skip },
  );

  test(
    "given a reload, shows every exchange once",
    () =>
      onStage(async ({ page, ask }) => {
        for (const path of PATHS) await ask(path);
        await page.reload();
        assert.equal(await listed(page, PATHS.length), new Array(PATHS.length).fill(1));
      }),
    { skip },
  );
});
