import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { nodeModules } from "./node-modules.ts";

/*
 * Makes build/, a whole app folder:
 *
 *   build/neutralino.config.json   build/resources/{index.html, main.js, chunks/, app.css, icons/}
 *   build/extensions/proxy/{node, main.mjs, worker.mjs}
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILD = path.join(ROOT, "build");
const RESOURCES = path.join(BUILD, "resources");
const PROXY = path.join(BUILD, "extensions", "proxy");
const NODE = process.platform === "win32" ? "node.exe" : "node";
const STAMP = path.join(BUILD, ".built");
const UI = path.join(ROOT, "src", "ui");

/** Everything a build is made from; one newer than the stamp makes the build stale. */
const SOURCES = [
  "src",
  "extensions",
  "resources",
  "scripts/build.ts",
  "scripts/node-modules.ts",
  "package-lock.json",
  "neutralino.config.json",
] as const;

/** Pages and the script each starts with; a page that is not there yet is left out. */
const PAGES = ["index", "hub"] as const;
const ENTRIES = { index: "main.ts", hub: "hub.ts" } as const;

/** ui.md, Budgets: scripts and styles of the main window, gzipped, before lazy parts. */
const BUDGET_BYTES = 200 * 1024;

/** True when there is no whole build, or a source is newer than it. */
export function isStale(): boolean {
  // Node is linked by its whole path, which is another one once the folder was moved or renamed.
  if (!fs.existsSync(STAMP) || !fs.existsSync(path.join(PROXY, NODE))) return true;
  const built = fs.statSync(STAMP).mtimeMs;
  return SOURCES.some((source) => newest(path.join(ROOT, source)) > built);
}

/** A file of the window, gzipped. */
interface Size {
  readonly file: string;
  readonly bytes: number;
  /** Loaded when it is first needed. */
  readonly lazy: boolean;
}

/** Builds everything anew. Throws with the tool's own words when something does not build, or is over its budget. */
export async function build(): Promise<readonly Size[]> {
  const sizes = await bundled();
  const config = path.join(ROOT, "neutralino.config.json");
  if (fs.existsSync(config)) fs.copyFileSync(config, path.join(BUILD, "neutralino.config.json"));
  fs.writeFileSync(STAMP, "");
  return sizes;
}

/** What esbuild makes of the window and the extension; its own process, of some 100 MB, would otherwise stay for as long as Weir runs. */
async function bundled(): Promise<readonly Size[]> {
  try {
    const sizes = await buildUi();
    await replace(PROXY, buildExtension);
    return sizes;
  } finally {
    await esbuild.stop();
  }
}

/** Pages, scripts and styles, into build/resources: made aside and put in place whole, so that nobody is served a half. */
async function buildUi(): Promise<readonly Size[]> {
  return replace(RESOURCES, async (folder) => {
    const metafile = await buildPages(folder);
    buildStyles(path.join(folder, "app.css"));
    const kept = path.join(ROOT, "resources");
    if (fs.existsSync(kept)) fs.cpSync(kept, folder, { recursive: true, force: true, filter: isKept });
    return sizesWithinBudget(metafile, folder);
  });
}

/** A folder of the build, made aside and put in place whole: pages are read from it meanwhile, and two may build at once. */
async function replace<Made>(folder: string, make: (aside: string) => Promise<Made>): Promise<Made> {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const aside = fs.mkdtempSync(`${folder}-`);
  try {
    const made = await make(aside);
    fs.chmodSync(aside, 0o755);
    fs.rmSync(folder, { recursive: true, force: true });
    try {
      fs.renameSync(aside, folder);
    } catch (error) {
      // Who builds the same beside us may have been quicker, at this very moment.
      if (!fs.existsSync(folder)) throw error;
    }
    return made;
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** Each page's scripts by themselves: shared parts would be files of their own, which a page waits for one after the other. */
async function buildPages(folder: string): Promise<esbuild.Metafile> {
  const pages = PAGES.filter((page) => fs.existsSync(path.join(UI, `${page}.html`)));
  const built = await Promise.all(pages.map((page) => buildPage(page, folder)));
  return {
    inputs: Object.assign({}, ...built.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...built.map(({ outputs }) => outputs)),
  };
}

async function buildPage(page: (typeof PAGES)[number], folder: string): Promise<esbuild.Metafile> {
  const result = await esbuild.build({
    entryPoints: [path.join(UI, ENTRIES[page])],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2023",
    outdir: folder,
    chunkNames: "chunks/[name]-[hash]",
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
  });
  const entry = path.join(folder, ENTRIES[page].replace(/ts$/, "js"));
  const parts = [...importedBy(entry, result.metafile)].filter((file) => file !== entry);
  const links = parts.map(
    (file) => `<link rel="modulepreload" href="${path.relative(folder, file).replaceAll("\\", "/")}" />`,
  );
  const html = joined(path.join(UI, `${page}.html`)).replace("</head>", [...links, "</head>"].join("\n"));
  // A third of the page would be its indentation.
  fs.writeFileSync(path.join(folder, `${page}.html`), html.replaceAll(/\n\s+/g, "\n"));
  return result.metafile;
}

/** The engine's two threads as bundles, beside the Node that runs them. */
async function buildExtension(folder: string): Promise<void> {
  const source = path.join(ROOT, "extensions", "proxy");
  await esbuild.build({
    entryPoints: [path.join(source, "main.ts"), path.join(source, "worker.ts")],
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node26",
    plugins: [nodeModules],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // Without it CommonJS packages in the bundle end with "Dynamic require is not supported".
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
    logLevel: "silent",
  });
  const node = path.join(folder, NODE);
  if (NODE.endsWith(".exe")) fs.copyFileSync(process.execPath, node);
  else fs.symlinkSync(process.execPath, node);
}

function buildStyles(output: string): void {
  const cli = path.join(
    path.dirname(fileURLToPath(import.meta.resolve("@tailwindcss/cli/package.json"))),
    "dist",
    "index.mjs",
  );
  const run = spawnSync(
    process.execPath,
    [cli, "--input", path.join(UI, "theme", "app.css"), "--output", output, "--minify"],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (run.status !== 0) throw new Error(`styles do not build:\n${run.stderr}`);
}

/** A page with each `<!-- include path -->` (from src/ui) replaced by that file, to any depth. A missing one throws. */
function joined(file: string): string {
  return fs
    .readFileSync(file, "utf8")
    .replace(/^([ \t]*)<!-- include (\S+) -->/gm, (_, indent: string, partial: string) =>
      joined(path.join(UI, partial))
        .trimEnd()
        .replace(/^(?=.)/gm, indent),
    );
}

/** What stands in resources/ by hand: icons, not what older builds left there. */
function isKept(file: string): boolean {
  return !/\.(html|js|css)$/.test(file);
}

function sizesWithinBudget(metafile: esbuild.Metafile, folder: string): readonly Size[] {
  const first = importedBy(path.join(folder, "main.js"), metafile);
  const styles = path.join(folder, "app.css");
  const files = [...Object.keys(metafile.outputs).map((name) => path.resolve(name)), styles];
  const sizes = files.map((file) => ({
    file: path.relative(folder, file),
    bytes: gzipSync(fs.readFileSync(file)).length,
    lazy: file !== styles && !first.has(file),
  }));
  if (beforeLazyParts(sizes) > BUDGET_BYTES)
    throw new Error(`the main window's scripts and styles are over their budget\n${report(sizes)}`);
  return sizes;
}

function report(sizes: readonly Size[]): string {
  const lines = sizes.map(({ file, bytes, lazy }) => `${kilobytes(bytes)} ${file}${lazy ? " (lazy)" : ""}`);
  const total = `${kilobytes(beforeLazyParts(sizes))} gzipped before lazy parts, of ${kilobytes(BUDGET_BYTES).trim()}`;
  return [...lines, total].join("\n");
}

function beforeLazyParts(sizes: readonly Size[]): number {
  return sizes.reduce((total, { bytes, lazy }) => total + (lazy ? 0 : bytes), 0);
}

/** The script and all that it needs before it can run. */
function importedBy(entry: string, metafile: esbuild.Metafile): ReadonlySet<string> {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([name, output]) => [path.resolve(name), output] as const),
  );
  const needed = new Set([entry]);
  for (const name of needed) {
    for (const used of outputs.get(name)?.imports ?? []) {
      if (used.kind === "import-statement") needed.add(path.resolve(used.path));
    }
  }
  return needed;
}

function kilobytes(size: number): string {
  return `${(size / 1024).toFixed(1).padStart(7)} KB`;
}

function newest(file: string): number {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs.readdirSync(file).reduce((latest, name) => Math.max(latest, newest(path.join(file, name))), 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(report(await build()));
