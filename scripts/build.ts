import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { COMMANDS } from "./command-table.ts";
import { manPage } from "./man-page.ts";
import { nodeModules } from "./node-modules.ts";
import { pageText } from "./page-text.ts";
import { REPORT_PAGE, reportPage, stylesOf } from "./report-page.ts";
import { linkNode, STAMP } from "./stale.mjs";

/*
 * Creates build/, a complete app folder:
 *
 *   build/neutralino.config.json   build/resources/{index.html, main.js, chunks/, app.css, icons/}
 *   build/extensions/proxy/{node, main.mjs, worker.mjs, analysis-worker.mjs, import-worker.mjs, foreground.mjs, supervisor.mjs}
 *   build/{weir, launch, …}.mjs    the scripts of the weir command as JavaScript, which a release needs
 *   build/weir.1                   the manual page
 *   build/weir-report.html         the page that makes reports by itself
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILD = path.join(ROOT, "build");
const RESOURCES = path.join(BUILD, "resources");
const PROXY = path.join(BUILD, "extensions", "proxy");
const SCRIPTS = path.join(ROOT, "scripts");
const UI = path.join(ROOT, "src", "ui");

/** The pages; `ENTRIES` names the script of each. A page that does not exist is skipped. */
const PAGES = ["index", "hub"] as const;
const ENTRIES = { index: "main.ts", hub: "hub.ts" } as const;

/** How programs for Node are bundled. */
const BUNDLED = {
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node26",
  plugins: [nodeModules],
  outExtension: { ".js": ".mjs" },
  // Without this line, CommonJS packages in the bundle fail with "Dynamic require is not supported".
  banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
  logLevel: "silent",
} as const satisfies esbuild.BuildOptions;

/**
 * docs/specification.md, Window budgets: the most bytes of the main window's scripts and styles, gzipped, without parts
 * that are loaded later.
 */
const BUDGET_BYTES = 120 * 1024;

/** A file of the window, and its size when gzipped. */
interface Size {
  readonly file: string;
  readonly bytes: number;
  /** Whether the file is loaded only when needed. */
  readonly lazy: boolean;
}

/** Builds everything. Throws with the tool's message if a part does not build or exceeds its budget. */
export async function build(): Promise<readonly Size[]> {
  const sizes = await bundled();
  const config = path.join(ROOT, "neutralino.config.json");
  if (fs.existsSync(config)) fs.copyFileSync(config, path.join(BUILD, "neutralino.config.json"));
  fs.writeFileSync(STAMP, "");
  return sizes;
}

/** Builds all parts. Then stops esbuild's process, which takes about 100 MB and would run as long as this process. */
async function bundled(): Promise<readonly Size[]> {
  try {
    const [sizes, page] = await Promise.all([buildUi(), reportPage()]);
    fs.writeFileSync(path.join(BUILD, REPORT_PAGE), page);
    await replace(PROXY, buildExtension);
    await buildCommands();
    fs.writeFileSync(path.join(BUILD, "weir.1"), manPage());
    return sizes;
  } finally {
    await esbuild.stop();
  }
}

/** Builds pages, scripts and styles into build/resources. */
async function buildUi(): Promise<readonly Size[]> {
  return replace(RESOURCES, async (folder) => {
    const [metafile, styles] = await Promise.all([buildPages(folder), stylesOf(path.join(UI, "theme", "app.css"))]);
    fs.writeFileSync(path.join(folder, "app.css"), styles);
    const kept = path.join(ROOT, "resources");
    if (fs.existsSync(kept)) fs.cpSync(kept, folder, { recursive: true, force: true, filter: isKept });
    return sizesWithinBudget(metafile, folder);
  });
}

/**
 * Makes a folder under a temporary name, then renames it. Meanwhile, pages may be served from the old folder, and
 * another build may run.
 */
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
      // Another build may have made the folder meanwhile.
      if (!fs.existsSync(folder)) throw error;
    }
    return made;
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Bundles the scripts of each page separately. Shared parts would be extra files, which a page would load one after the
 * other.
 */
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
  const html = pageText(`${page}.html`).replace("</head>", [...links, "</head>"].join("\n"));
  // Indentation would be a third of the page's bytes.
  fs.writeFileSync(path.join(folder, `${page}.html`), html.replaceAll(/\n\s+/g, "\n"));
  return result.metafile;
}

/** Bundles the threads, `foreground.ts` and `supervisor.ts`, and links Node beside them. */
async function buildExtension(folder: string): Promise<void> {
  const source = path.join(ROOT, "extensions", "proxy");
  await esbuild.build({
    ...BUNDLED,
    entryPoints: [
      { in: path.join(source, "main.ts"), out: "main" },
      { in: path.join(source, "engine-thread/worker.ts"), out: "worker" },
      { in: path.join(source, "analysis-thread/worker.ts"), out: "analysis-worker" },
      { in: path.join(source, "import-thread/worker.ts"), out: "import-worker" },
      { in: path.join(SCRIPTS, "foreground.ts"), out: "foreground" },
      { in: path.join(SCRIPTS, "supervisor.ts"), out: "supervisor" },
    ],
    outdir: folder,
  });
  linkNode(folder);
}

/**
 * Bundles the scripts of the `weir` command: Node does not run TypeScript in node_modules, and a bundle needs less
 * memory to start.
 */
async function buildCommands(): Promise<void> {
  const named = COMMANDS.flatMap(({ script }) => script ?? []).filter((file) => file.endsWith(".ts"));
  const { metafile } = await esbuild.build({
    ...BUNDLED,
    entryPoints: [...new Set([...named, "weir.ts", "launch.ts", "demo.ts", "demo/shopper.ts"])].map((file) =>
      path.join(SCRIPTS, file),
    ),
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    // Puts the built scripts one level below the root, like scripts/, because the scripts resolve paths from their own
    // location.
    outbase: SCRIPTS,
    outdir: BUILD,
    metafile: true,
  });
  // Removes chunks of earlier builds, which have other names and would become part of a release.
  const written = new Set(Object.keys(metafile.outputs).map((name) => path.resolve(name)));
  for (const name of fs.readdirSync(path.join(BUILD, "chunks"))) {
    const file = path.join(BUILD, "chunks", name);
    if (!written.has(file)) fs.rmSync(file);
  }
}

/** Whether a file in resources/ is a source, such as an icon. All other files are the output of older builds. */
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
  const total = `${kilobytes(beforeLazyParts(sizes))} gzipped without lazy parts; the budget is ${kilobytes(BUDGET_BYTES).trim()}`;
  return [...lines, total].join("\n");
}

function beforeLazyParts(sizes: readonly Size[]): number {
  return sizes.reduce((total, { bytes, lazy }) => total + (lazy ? 0 : bytes), 0);
}

/** The script, and all scripts that it imports statically. */
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(report(await build()));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
