import { toolFor } from "./which.ts";

/**
 * A Node.js 20 on this machine; `null`: none. An npm package of it would come first on every tool's PATH, so it is not
 * a dependency.
 */
export const NODE_20 = toolFor(["node"], ["-e", "process.exit(/^v20/.test(process.version) ? 0 : 1)"]);
