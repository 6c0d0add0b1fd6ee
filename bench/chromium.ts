import { which } from "../tests/support/which.ts";

/** The browser that is measured; throws where there is none. */
export function chromiumPath(): string {
  const found = process.env["CHROMIUM"] ?? which("chromium") ?? which("google-chrome");
  if (found === null) throw new Error("needs Chromium on PATH or in $CHROMIUM");
  return found;
}

/** As tests/support/browser.ts: it asks nobody but the pages it is led to. */
export function chromiumWords(): string[] {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    ...asRoot,
  ];
}
