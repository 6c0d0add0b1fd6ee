import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { appStartedBy, type NativeWeir, nativeWeir, needsFake, needsShell } from "../../support/native-weir.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

interface Failing {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The command that starts the extension. */
  readonly command?: string;
}

/** A window whose engine fails at start. */
async function withFailing(
  { words = [], env = {}, command }: Failing,
  body: (weir: NativeWeir) => Promise<void>,
): Promise<void> {
  await builtApp();
  await withFolder(async (folder) => {
    const app = command === undefined ? {} : { app: appStartedBy(join(folder, "app"), () => command) };
    const weir = await nativeWeir({ dataDir: join(folder, "data"), words, env, ...app });
    try {
      await body(weir);
    } finally {
      await weir.end("SIGKILL");
    }
  });
}

/** The words of the message that replaces the window's content. */
async function wordsOn(page: Page, title: string): Promise<string> {
  const place = page.getByRole("alert").filter({ hasText: title });
  await place.waitFor();
  return (await place.textContent()) ?? "";
}

describe("native window with a failed engine start", (test) => {
  const skip = needsFake ?? needsShell;

  const failures: readonly (readonly [what: string, failing: Failing, said: RegExp])[] = [
    ["a word that is none", { words: ["--prot", "1"] }, /--prot/],
    ["words that are no list", { env: { WEIR_ARGUMENTS: "--port 1" } }, /^WEIR_ARGUMENTS takes a list of words/],
    ["a file of roots that is not there", { words: ["--upstream-ca", "/no/such"] }, /^--upstream-ca: .*ENOENT/],
  ];
  for (const [what, failing, said] of failures) {
    test(
      `given ${what}, tells the window why the engine did not start`,
      () =>
        withFailing(failing, async (weir) => {
          const page = await weir.page();
          assert.match((await page.heard("shutdown")).reason, said);
          page.close();
        }),
      { skip },
    );
  }

  test(
    "given a taken port and a page that loads after the engine has failed, tells the window why",
    async () => {
      const other = createServer();
      other.listen(0, "127.0.0.1");
      await once(other, "listening");
      const port = String((other.address() as AddressInfo).port);
      await withFailing({ words: ["--port", port] }, async (weir) => {
        while (!weir.complaints().includes(port)) await once(weir.shell.stderr ?? process.stdin, "data");
        const page = await weir.page();
        assert.match((await page.heard("shutdown")).reason, new RegExp(`\\b${port}\\b`));
        page.close();
      });
      other.close();
    },
    { skip },
  );

  test(
    "given an engine that did not start, the window shows why and what to do instead of its controls",
    () =>
      withFailing({ words: ["--prot", "1"] }, async (weir) => {
        await withBrowser(async (browser) => {
          const { page, troubles } = await openedPage(browser, `${await weir.address()}/index.html`);
          const words = await wordsOn(page, "Weir did not start");
          assert.match(words, /--prot.*close this window and start Weir again/s);
          await page.keyboard.press("Tab");
          assert.is(
            await page.evaluate(() => document.activeElement?.tagName),
            "BODY",
            "nothing that could be pressed",
          );
          assert.equal(await accessibilityFindings(page), []);
          assert.equal(troubles, []);
        });
      }),
    { skip: skip ?? needsChromium() },
  );

  test(
    "given an engine that never connects, the window says that Weir is starting, then that it did not start",
    () =>
      withFailing({ command: "exit 1" }, async (weir) => {
        await withBrowser(async (browser) => {
          const { page } = await openedPage(browser, "about:blank");
          await page.clock.install();
          await page.goto(`${await weir.address()}/index.html`);
          await page.clock.runFor(2_000);
          assert.match(await wordsOn(page, "Weir is starting"), /first start/);
          await page.clock.runFor(20_000);
          assert.match(await wordsOn(page, "Weir did not start"), /from a terminal/);
        });
      }),
    { skip: skip ?? needsChromium() },
  );
});
