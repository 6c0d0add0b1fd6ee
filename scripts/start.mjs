import { isStale } from "./stale.mjs";

// Plain JavaScript on purpose: an old Node cannot even read the rest, and should say so in words.
const NEEDED = 26;

if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  console.error(
    `Weir needs Node.js ${NEEDED} or newer, and this is ${process.version}.\n` +
      "npm install brings a fitting Node along for Linux, macOS and Windows (x64, and arm64 on Linux and macOS), " +
      "but not with --omit=optional; where --ignore-scripts is set, npm rebuild puts it in its place. " +
      "Elsewhere, install Node.js yourself.",
  );
  process.exit(70);
}

const words = process.argv.slice(2);
const stale = isStale();
// Built, the launcher needs a third of the memory: Node does not load its reader of TypeScript.
const script = stale || words.includes("--dev") ? "./launch.ts" : "../build/launch.mjs";
const build = stale ? async () => (await import("./build.ts")).build() : null;
const launcher = await import(script).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error(`A package that Weir needs is not installed. Run npm install, then npm start again.\n${error.message}`);
  return null;
});
process.exitCode = launcher === null ? 70 : await launcher.launch(words, build);
