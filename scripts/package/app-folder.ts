import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { icns } from "./icns.ts";
import { notices } from "./notices.ts";
import type { Edition, Target } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ICONS = join(ROOT, "resources", "icons");
const TEXTS = fileURLToPath(new URL("./texts", import.meta.url));

const EXECUTABLE = 0o755;

/** What a package is made of. */
export interface Ingredients {
  readonly target: Target;
  readonly edition: Edition;
  readonly version: string;
  /** The folder build/. */
  readonly app: string;
  /** The folder with the output of `neu build`. */
  readonly shell: string;
  /** Folder of the target's Node package. */
  readonly node: string;
}

/**
 * Writes the app folder, the only entry of the package, to `folder`. Returns the path of Weir's own files in that
 * folder.
 */
export function composeApp(parts: Ingredients, folder: string): string {
  const home = homeIn(parts.target, folder);
  composeExtension(parts, join(home, "extensions", "proxy"));
  // The resources are copied twice: for Neutralino, and for Weir's own server, which serves browsers.
  copyFileSync(join(parts.shell, "resources.neu"), join(home, "resources.neu"));
  cpSync(join(parts.app, "resources"), join(home, "resources"), { recursive: true });
  copyFileSync(join(ROOT, "LICENSE"), join(home, "LICENSE"));
  writeFileSync(join(home, "NOTICES.txt"), notices(parts.edition === "full" ? parts.node : null));
  const program = join(parts.shell, parts.target.built);
  switch (parts.target.system) {
    case "linux":
      composeLinux(home, program, parts.edition);
      break;
    case "mac":
      composeMac(folder, program, parts);
      break;
    case "windows":
      copyFileSync(program, join(home, "weir.exe"));
      break;
  }
  return home;
}

/**
 * Writes the engine and its Node. Instead of Node, a slim edition has a script that finds the system's Node. A slim
 * edition for Windows has neither.
 */
export function composeExtension({ target, edition, app, node }: Ingredients, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ["main.mjs", "worker.mjs", "analysis-worker.mjs"])
    copyFileSync(join(app, "extensions", "proxy", file), join(folder, file));
  const windows = target.system === "windows";
  if (edition === "full") put(join(node, target.node.executable), join(folder, windows ? "node.exe" : "node"));
  else if (!windows) put(join(TEXTS, "system-node.sh"), join(folder, "node"));
}

/**
 * Writes Neutralino's program and a script that starts it. The script passes its own folder to Neutralino. Otherwise,
 * Neutralino would derive the folder from the path by which it was started.
 */
function composeLinux(home: string, program: string, edition: Edition): void {
  put(program, join(home, "weir-window"));
  put(join(TEXTS, "launcher-linux.sh"), join(home, "weir"));
  copyFileSync(join(TEXTS, "weir.desktop"), join(home, "weir.desktop"));
  const install = readFileSync(join(TEXTS, "install-linux.txt"), "utf8");
  const needed = edition === "slim" ? "Node.js 26 or newer on PATH, and " : "";
  writeFileSync(join(home, "INSTALL.txt"), install.replace("{needed}", needed));
}

function composeMac(bundle: string, program: string, { version }: Ingredients): void {
  const contents = join(bundle, "Contents");
  mkdirSync(join(contents, "MacOS"), { recursive: true });
  put(program, join(contents, "MacOS", "weir-window"));
  put(join(TEXTS, "launcher-mac.sh"), join(contents, "MacOS", "weir"));
  const list = readFileSync(join(TEXTS, "Info.plist"), "utf8").replaceAll("{version}", version);
  writeFileSync(join(contents, "Info.plist"), list);
  writeFileSync(join(contents, "Resources", "weir.icns"), icns(ICONS));
}

function homeIn(target: Target, folder: string): string {
  return target.system === "mac" ? join(folder, "Contents", "Resources") : folder;
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, EXECUTABLE);
}
