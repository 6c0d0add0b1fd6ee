import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { oneUseCode } from "../extensions/proxy/engine-thread/channel/admission.ts";

/** Browsers that can show a page in a window of its own. */
const NAMES = [
  "google-chrome",
  "google-chrome-stable",
  "chromium",
  "chromium-browser",
  "microsoft-edge",
  "brave-browser",
];

const PLACES: Readonly<Record<string, readonly string[]>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    "C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/**
 * Opens the UI at its address (`…/#ticket=…`), with a code that is good for one use within 60 s in place of the ticket:
 * other users can read a program's arguments, and browsers of Snap or Flatpak cannot read a file in the data folder.
 */
export function openPage(address: string, dataDir: string, say: (line: string) => void): void {
  const byHand = (why: string) => say(`No browser window: ${why}. Open ${address}`);
  if (
    process.platform === "linux" &&
    process.env["DISPLAY"] === undefined &&
    process.env["WAYLAND_DISPLAY"] === undefined
  ) {
    return byHand("there is no display");
  }
  const page = withCode(address);
  const browser = installedBrowser();
  const [program, ...words] = browser === null ? opener(page) : asWindow(browser, page, dataDir);
  const child = spawn(program, words, { stdio: "ignore", detached: true });
  child.on("error", (error) => byHand(`${program} could not be started (${error.message})`));
  // A failure is an exit code (no browser, no display) or a signal (a crash).
  child.on("exit", (code, signal) => {
    if (code !== 0) byHand(`${program} ended with ${signal ?? `code ${code}`}`);
  });
  child.unref();
}

function withCode(address: string): string {
  const [place, ticket = ""] = address.split("#ticket=");
  return `${place}#ticket=${oneUseCode(ticket, Date.now())}`;
}

function asWindow(browser: string, page: string, dataDir: string): [string, ...string[]] {
  const words = [
    `--app=${page}`,
    `--user-data-dir=${join(dataDir, "browser")}`,
    "--no-first-run",
    "--window-size=1280,800",
  ];
  // Chromium does not run as root with its sandbox. A root user with a desktop is usually in a container.
  return process.getuid?.() === 0 ? [browser, ...words, "--no-sandbox"] : [browser, ...words];
}

function opener(page: string): [string, ...string[]] {
  if (process.platform === "darwin") return ["open", page];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", page];
  return ["xdg-open", page];
}

function installedBrowser(): string | null {
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (
    [...(PLACES[process.platform] ?? []), ...(process.platform === "win32" ? [] : onPath)].find(existsSync) ?? null
  );
}
