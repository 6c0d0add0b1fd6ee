import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isRightNode } from "./installed-node.mjs";
import { hasNode, isStale, linkNode } from "./stale.mjs";

// A Node that is too old has no `import.meta.main`, and this file is then the main script.
if (import.meta.main !== false && isRightNode(import.meta.url)) process.exitCode = await start(process.argv.slice(2));

/**
 * Starts Weir, after a build if one is needed, and returns the exit code.
 * @param {readonly string[]} words
 */
export async function start(words) {
  const stale = isStale();
  const asksHelp = words.includes("--help") || words.includes("-h");
  const problem = stale && !asksHelp ? await built() : null;
  if (problem !== null) {
    console.error(problem);
    return 70;
  }
  if (!stale && !hasNode()) tryLink();
  // A built launcher needs a third of the memory, because Node does not load its TypeScript support.
  const asSource = words.includes("--dev") || (stale && asksHelp);
  const { launch } = await import(asSource ? "./launch.ts" : "../build/launch.mjs");
  return launch(words);
}

/** The first start of a release links Node. If the folder cannot be written, the browser is used. */
function tryLink() {
  try {
    linkNode();
  } catch {}
}

/** Builds in a separate process, so that its memory is free afterwards. Returns `null` for success, else the reason. */
async function built() {
  // Printed to stderr, because `npm start -- --json` prints exactly one line to stdout.
  console.error("Building Weir, which takes a few seconds.");
  const program = fileURLToPath(new URL("./build.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code === 0) return null;
  const missing = /^Error \[ERR_MODULE_NOT_FOUND\]: (.*)$/m.exec(printed);
  if (missing !== null)
    return `A package that Weir needs is not installed. Run npm install, then npm start again.\n${missing[1]}`;
  // For example a folder with "#" in its name, which Tailwind takes for the end of a path.
  return `Weir could not be built in ${fileURLToPath(new URL("..", import.meta.url))}: ${printed.trim()}`;
}
