import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";

// Plain JavaScript, because a start reads this file before it knows whether a build is needed.
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILD = path.join(ROOT, "build");
const PROXY = path.join(BUILD, "extensions", "proxy");

/** The file that a build writes last. */
export const STAMP = path.join(BUILD, ".built");

const NODE = process.platform === "win32" ? "node.exe" : "node";

/** All inputs of a build. If one is newer than the stamp, the build is stale. */
const SOURCES = ["src", "extensions", "resources", "scripts", "package-lock.json", "neutralino.config.json"];

/**
 * Whether there is no complete build, or a source is newer than the build. A release contains a build and no sources.
 */
export function isStale() {
  if (!fs.existsSync(STAMP)) return true;
  if (!fs.existsSync(path.join(ROOT, "src"))) return false;
  if (!hasNode()) return true;
  const built = fs.statSync(STAMP).mtimeMs;
  return SOURCES.some((source) => newest(path.join(ROOT, source)) > built);
}

/**
 * Whether the native window can find Node. The link contains a full path, which is wrong after the folder was moved.
 */
export function hasNode() {
  return fs.existsSync(path.join(PROXY, NODE));
}

/** Links this Node beside the extension, because the native window itself starts the extension. */
export function linkNode(folder = PROXY) {
  const node = path.join(folder, NODE);
  fs.rmSync(node, { force: true });
  if (NODE.endsWith(".exe")) fs.copyFileSync(process.execPath, node);
  else fs.symlinkSync(process.execPath, node);
}

function newest(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs.readdirSync(file).reduce((latest, name) => Math.max(latest, newest(path.join(file, name))), 0);
}
