import { toolFor } from "./which.ts";

/**
 * A Node.js 20 on this computer; `null` if there is none. It is not a dependency, because an npm package with it would
 * come first on the PATH of all tools.
 */
export const NODE_20 = toolFor(["node"], ["-e", "process.exit(/^v20/.test(process.version) ? 0 : 1)"]);
