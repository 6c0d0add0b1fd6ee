import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { which } from "./which.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * What Chromium leaves out: first the pages of its own that it makes for the address bar of every new window, 0.7 s of a
 * processor's time, then what Playwright leaves out (chromiumSwitches.ts), since of a switch given twice the last counts.
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

const MISSING = "needs Chromium on PATH or in $CHROMIUM";

/** Names it to the tests that need a browser; `null` if there is one. */
export function needsChromium(): string | null {
  return executable() === null ? MISSING : null;
}

/** A browser without a window, which asks nobody but the pages it is led to; throws where there is none. */
export function startedBrowser(...words: readonly string[]): Promise<Browser> {
  const executablePath = executable();
  if (executablePath === null) throw new Error(MISSING);
  const quiet = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const leftOut = `--disable-features=${LEFT_OUT.join(",")}`;
  return chromium.launch({ executablePath, args: [...quiet, leftOut, ...asRoot, ...words] });
}

/** Gives the body such a browser, and ends it whatever happened. */
export async function withBrowser(
  body: (browser: Browser) => Promise<void>,
  ...words: readonly string[]
): Promise<void> {
  const browser = await startedBrowser(...words);
  try {
    await body(browser);
  } finally {
    await browser.close();
  }
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors and policy violations that the page has told so far. */
  readonly troubles: readonly string[];
}

/** A page of 1280 x 800 at the address, whose troubles are collected from its first script on. */
export async function openedPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
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

function executable(): string | null {
  return process.env["CHROMIUM"] ?? NAMES.map(which).find((path) => path !== null) ?? null;
}
