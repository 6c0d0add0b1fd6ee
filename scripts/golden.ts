import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Form, Target, Values, Variant } from "../src/engine/hub/target.ts";
import { TARGETS } from "../src/engine/hub/targets/index.ts";
import { forPowerShell } from "./completion.ts";
import { documentTexts } from "./schemas.ts";

/** The folder with the hub's expected texts: a file for each variant, version and shell. */
export const GOLDEN_FOLDER = fileURLToPath(new URL("../tests/golden/snippets/", import.meta.url));

/** The expected completion script of PowerShell, which no test runs. */
export const COMPLETION_FOLDER = fileURLToPath(new URL("../tests/golden/completion/", import.meta.url));

const DOCS = fileURLToPath(new URL("../docs/", import.meta.url));

/** Values that every shell and language must quote: paths with a space and an apostrophe, and a URL with a query. */
const VALUES: Values = Object.freeze({
  host: "127.0.0.1",
  port: 8686,
  lan: "192.168.1.20",
  ca: "/home/ada/Ada's files/weir-ca.pem",
  bundle: "/home/ada/Ada's files/weir-ca-bundle.pem",
  der: "/home/ada/Ada's files/weir-ca.cer",
  keyHash: "XWJ5fW8cJx0qnU0BHCIqBF8vJPzjWW0xqPAz0Wc5bCo=",
  url: "https://example.com/anything?a=1&b=2",
  reverse: 9001,
  transparent: 8443,
});

const EXTENSIONS: Readonly<Record<string, string>> = {
  sh: "sh",
  fish: "fish",
  powershell: "ps1",
  cmd: "cmd",
  python: "py",
  javascript: "js",
  ruby: "rb",
  go: "go",
  rust: "rs",
  java: "java",
  php: "php",
  csharp: "cs",
  json: "json",
  text: "txt",
};

/** The expected snippets, by their path in `GOLDEN_FOLDER`. */
export function goldenTexts(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const target of TARGETS) {
    for (const variant of target.variants) {
      for (const form of variant.forms) {
        put(texts, goldenName(target, variant, form), form.text(VALUES));
        if (form.undo !== null) put(texts, goldenName(target, variant, form, ".undo"), form.undo(VALUES));
      }
    }
  }
  return texts;
}

/** The expected completion scripts, by their path in `COMPLETION_FOLDER`. */
export function completionTexts(): ReadonlyMap<string, string> {
  return new Map([["weir.ps1", forPowerShell()]]);
}

/** The paths of the existing files in `GOLDEN_FOLDER`. */
export function goldenFiles(): readonly string[] {
  if (!existsSync(GOLDEN_FOLDER)) return [];
  return readdirSync(GOLDEN_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(GOLDEN_FOLDER, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

function goldenName(target: Target, variant: Variant, { shell, version }: Form, suffix = ""): string {
  const words = [variant.id];
  if (version !== null) words.push(version.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"));
  const extension = EXTENSIONS[shell ?? variant.language];
  if (extension === undefined) throw new Error(`no file extension for ${variant.language}`);
  return `${target.slug}/${words.join(".")}${suffix}.${extension}`;
}

function put(texts: Map<string, string>, name: string, text: string): void {
  if (texts.has(name)) throw new Error(`two snippets are called ${name}`);
  texts.set(name, text.endsWith("\n") ? text : `${text}\n`);
}

function rewrite(): void {
  const texts = goldenTexts();
  for (const name of goldenFiles()) if (!texts.has(name)) rmSync(join(GOLDEN_FOLDER, name));
  const documents = documentTexts();
  const scripts = completionTexts();
  const changed = rewritten(GOLDEN_FOLDER, texts) + rewritten(DOCS, documents) + rewritten(COMPLETION_FOLDER, scripts);
  process.stdout.write(`${texts.size + documents.size + scripts.size} generated files, ${changed} rewritten\n`);
}

/** Writes the files whose texts have changed, and returns their number. */
function rewritten(folder: string, texts: ReadonlyMap<string, string>): number {
  let changed = 0;
  for (const [name, text] of texts) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    changed += 1;
  }
  return changed;
}

if (import.meta.main) rewrite();
