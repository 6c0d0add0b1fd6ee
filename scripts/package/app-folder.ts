import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { icns } from "./icns.ts";
import { composeRelease } from "./release-folder.ts";
import { composeWindowsShell } from "./shell.ts";
import type { Target } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ICONS = join(ROOT, "resources", "icons");
const TEXTS = fileURLToPath(new URL("./texts", import.meta.url));

const EXECUTABLE = 0o755;

/** What a package is made of. */
export interface Ingredients {
  readonly target: Target;
  readonly version: string;
  /** The folder build/. */
  readonly app: string;
  /** Neutralino's program for the target; `null`: Weir opens in a browser. */
  readonly window: string | null;
  /** Folder of the target's Node package. */
  readonly node: string;
}

/**
 * Writes the app folder, the only entry of the package, to `folder`: a release, its Node, Neutralino's program, and a
 * script that runs the weir command with both. Returns the path of its Node.
 */
export function composeApp(parts: Ingredients, folder: string): string {
  const { target, app, window, node } = parts;
  const home = target.system === "mac" ? join(folder, "Contents", "Resources") : folder;
  composeRelease(app, node, home);
  const program = join(home, "build", "extensions", "proxy", target.system === "windows" ? "node.exe" : "node");
  put(join(node, target.node.executable), program);
  switch (target.system) {
    case "linux":
      put(join(TEXTS, "launcher-linux.sh"), join(home, "weir"));
      if (window !== null) composeLinuxWindow(window, home);
      break;
    case "mac":
      composeMac(folder, parts);
      break;
    case "windows":
      put(join(TEXTS, "weir.cmd"), join(home, "command", "weir.cmd"));
      if (window !== null) composeWindowsShell(app, window, home);
      break;
  }
  return program;
}

function composeLinuxWindow(window: string, home: string): void {
  put(window, join(home, "weir-window"));
  copyFileSync(join(TEXTS, "weir.desktop"), join(home, "weir.desktop"));
  copyFileSync(join(TEXTS, "install-linux.txt"), join(home, "INSTALL.txt"));
}

function composeMac(bundle: string, { version, target, window }: Ingredients): void {
  const contents = join(bundle, "Contents");
  put(join(TEXTS, "launcher-mac.sh"), join(contents, "MacOS", "weir"));
  if (window !== null) put(window, join(contents, "MacOS", "weir-window"));
  const list = readFileSync(join(TEXTS, "Info.plist"), "utf8")
    .replaceAll("{version}", version)
    .replaceAll("{architecture}", target.architecture);
  writeFileSync(join(contents, "Info.plist"), list);
  writeFileSync(join(contents, "Resources", "weir.icns"), icns(ICONS));
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, EXECUTABLE);
}
