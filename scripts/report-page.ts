import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { VERSION } from "../extensions/proxy/version.ts";
import { REPORT_STYLE } from "../src/engine/interchange/report-html.ts";
import { noticeOf } from "./package/notices.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = path.join(ROOT, "src", "ui", "report-page");

/** The most bytes of the page. */
const MOST_BYTES = 600 * 1024;

/** The name of the page, as a file. */
export const REPORT_PAGE = "weir-report.html";

/**
 * Builds the page that makes reports of HAR files by itself: one text with its scripts and styles, which a policy
 * allows by their hashes. Throws if a part does not build or the page is too large.
 */
export async function reportPage(): Promise<string> {
  const [script, worker, style] = await Promise.all([
    bundled("page.ts"),
    bundled("worker.ts"),
    stylesOf(path.join(PAGE, "page.css")),
  ]);
  const values: Readonly<Record<string, string>> = {
    policy: policyOf(script.text, [style, REPORT_STYLE]),
    version: VERSION,
    style: `<style>${style}</style>`,
    // A block of data, which no browser runs: the script makes the worker of its text.
    worker: `<script type="text/plain" id="worker">${worker.text}</script>`,
    notices: noticesOf([...script.packages, ...worker.packages]),
    script: `<script>${script.text}</script>`,
  };
  const template = fs.readFileSync(path.join(PAGE, "page.html"), "utf8").replaceAll(/\n\s+/g, "\n");
  const html = template.replaceAll(/<!-- (\w+) -->|\{(\w+)\}/g, (_, part, name) => values[part ?? name] ?? "");
  const size = Buffer.byteLength(html);
  if (size > MOST_BYTES) throw new Error(`${REPORT_PAGE} has ${size} bytes; its budget is ${MOST_BYTES}`);
  return html;
}

/** The licences of the packages in the page, as a comment. */
function noticesOf(packages: readonly string[]): string {
  const texts = [...new Set(packages)].toSorted().map(noticeOf);
  return `<!--\nThis page contains the work of others. Their terms:\n\n${texts.join("\n\n").replaceAll("--", "- -")}\n-->`;
}

/** The worker inherits the policy of the page, and so does the report in its frame. */
function policyOf(script: string, styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${styles.map(hashOf).join(" ")}`,
    "worker-src blob:",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

interface Bundle {
  readonly text: string;
  /** The packages in it. */
  readonly packages: readonly string[];
}

/** Bundles a script so that it can stand in a page: esbuild escapes `</script` in it. */
async function bundled(file: string): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [path.join(PAGE, file)],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2023",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
  );
  return { text: outputFiles[0]?.text ?? "", packages };
}

/** Builds a style sheet with Tailwind. Throws with the tool's message if it does not build. */
export async function stylesOf(input: string): Promise<string> {
  const cli = path.join(
    path.dirname(fileURLToPath(import.meta.resolve("@tailwindcss/cli/package.json"))),
    "dist",
    "index.mjs",
  );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "weir-styles-"));
  try {
    const output = path.join(folder, "styles.css");
    const run = spawn(process.execPath, [cli, "--input", input, "--output", output, "--minify"], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    run.stderr.on("data", (text) => {
      errors += text;
    });
    const status = await new Promise((resolve) => run.once("close", resolve));
    if (status !== 0) throw new Error(`styles do not build:\n${errors}`);
    return fs.readFileSync(output, "utf8");
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
