import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { homeOfAll, toolEnvironment } from "./tool.ts";
import { toolFor } from "./which.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium without a user interface of its own, as Playwright prefers it: a page takes a third less processor time. */
const SHELL = "chromium-headless-shell";

/**
 * Chromium features that are switched off: first the pages that Chromium makes for each new window's address bar (0.7 s
 * of CPU), then Playwright's own list (chromiumSwitches.ts), because only the last of repeated switches counts.
 */
const LEFT_OUT = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning", "PaintHolding"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "AvoidCorsURLLoaderRestartOnRedirect"],
  ...[
    "MediaRouter",
    "LensOverlay",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
  ],
];

const QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
const SANDBOX = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

/** Longest wait for what a page is to show, in ms: for what never comes, not for a busy machine. */
const LONGEST_WAIT_MS = 90_000;

const MISSING = "needs Chromium on PATH or in $CHROMIUM, and that it starts";

/** Why browser tests are skipped; `null` if there is a browser. */
export function needsChromium(): string | null {
  return executable(NAMES) === null ? MISSING : null;
}

/** A headless browser that only makes the connections of its pages; throws if there is none. */
export function startedBrowser(...words: readonly string[]): Promise<Browser> {
  return started(executable(NAMES), words);
}

function started(executablePath: string | null, words: readonly string[]): Promise<Browser> {
  if (executablePath === null) throw new Error(MISSING);
  const leftOut = `--disable-features=${LEFT_OUT.join(",")}`;
  return chromium.launch({
    executablePath,
    args: [...QUIET, leftOut, ...SANDBOX, ...words],
    env: toolEnvironment(homeOfAll()),
  });
}

let kept: Promise<Browser> | null = null;

/**
 * The browser of this process, which its tests share: each page has a context with storage and connections of its own.
 */
async function keptBrowser(): Promise<Browser> {
  const browser = await kept?.catch(() => null);
  if (browser?.isConnected() === true) return browser;
  kept = started(executable([SHELL]) ?? executable(NAMES), []);
  return kept;
}

/** Ends the browser that this process's tests have shared, if there is one. */
export async function endKeptBrowser(): Promise<void> {
  await (await kept?.catch(() => null))?.close();
}

/**
 * Calls `body` with a browser, and closes the contexts that it opened, even after an error. With words for the command
 * line, it is a browser of its own.
 */
export async function withBrowser(
  body: (browser: Browser) => Promise<void>,
  ...words: readonly string[]
): Promise<void> {
  const isKept = words.length === 0;
  const browser = isKept ? await keptBrowser() : await startedBrowser(...words);
  const earlier = new Set(browser.contexts());
  try {
    await body(browser);
  } finally {
    if (isKept) {
      const opened = browser.contexts().filter((context) => !earlier.has(context));
      await Promise.all(opened.map((context) => context.close()));
    } else await browser.close();
  }
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the page and violations of its policy so far. */
  readonly troubles: readonly string[];
}

/** A page of 1280 x 800 at the address. Its errors are collected from the first script on. */
export async function openedPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(address);
  return { page, troubles };
}

/** A browser that can show a page. A browser without a working sandbox can print its version but does not count. */
function executable(names: readonly string[]): string | null {
  const programs = process.env["CHROMIUM"] === undefined ? names : [process.env["CHROMIUM"]];
  return toolFor(programs, ["--headless", ...QUIET, ...SANDBOX, "--dump-dom", "about:blank"]);
}
