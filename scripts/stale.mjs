import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";

// Plain JavaScript: a start reads it before it knows whether anything is to be built.
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILD = path.join(ROOT, "build");

/** Written last by a build. */
export const STAMP = path.join(BUILD, ".built");

/** Node's file name in a build. */
export const NODE = process.platform === "win32" ? "node.exe" : "node";

/** All inputs of a build; one newer than the stamp makes the build stale. */
const SOURCES = ["src", "extensions", "resources", "scripts", "package-lock.json", "neutralino.config.json"];

/** Whether there is no complete build, or a source is newer than it. */
export function isStale() {
  // Node is linked by its full path, which breaks when the folder is moved or renamed.
  if (!fs.existsSync(STAMP) || !fs.existsSync(path.join(BUILD, "extensions", "proxy", NODE))) return true;
  const built = fs.statSync(STAMP).mtimeMs;
  return SOURCES.some((source) => newest(path.join(ROOT, source)) > built);
}

function newest(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs.readdirSync(file).reduce((latest, name) => Math.max(latest, newest(path.join(file, name))), 0);
}
