import { existsSync } from "node:fs";
import { join } from "node:path";
import { TOOLS_FOLDER } from "./tool.ts";
import { toolFor } from "./which.ts";

/**
 * A Node.js 20 on this computer; `null` if there is none. It is not a dependency, because an npm package with it would
 * come first on the PATH of all tools.
 */
export const NODE_20 = toolFor(["node"], ["-e", "process.exit(/^v20/.test(process.version) ? 0 : 1)"]);

/** The installed Node.js of each major version; `null` where there is none. */
export const NODES = Object.freeze({ 20: NODE_20, 22: fromTools(22), 24: fromTools(24) });

function fromTools(major: number): string | null {
  const path = join(TOOLS_FOLDER, `node-${major}/bin/node`);
  return existsSync(path) ? path : null;
}
