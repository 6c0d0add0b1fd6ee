import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { type Read, readSource } from "./page-text.ts";
import { PAGES, type TypedPage, typedPage } from "./template-types.ts";

/* Checks the expressions of the templates with the compiler. `tsc -b` or `buildTypes` must have run before. */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TSC = path.join(path.dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc");
const ERROR = /^(\w+)\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm;

/** Builds the types of the views, which the templates are checked against. */
export function buildTypes(): void {
  const { status, stdout } = spawnSync(process.execPath, [TSC, "-b", "src/ui", "--pretty", "false"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the compiler failed:\n${stdout}`);
}

/** The faults in the templates, one text each: file and line, the attribute, and the compiler's message. */
export function templateProblems(read: Read = readSource): readonly string[] {
  const types = path.join(ROOT, ".types");
  fs.mkdirSync(types, { recursive: true });
  // A folder of its own, because two checks may run at the same time. The imports are relative to it.
  const folder = fs.mkdtempSync(path.join(types, "templates-"));
  try {
    const pages = new Map<string, TypedPage>();
    for (const page of ["index", "hub"] as const) {
      const typed = typedPage(page, read);
      pages.set(page, typed);
      fs.writeFileSync(path.join(folder, `${page}.ts`), typed.text);
    }
    fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
    const { status, stdout } = spawnSync(process.execPath, [TSC, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    const problems = Array.from(stdout.matchAll(ERROR), ([, page = "", line = "0", message = ""]) => {
      const place = pages.get(page)?.places[Number(line) - 1] ?? null;
      const where = place === null ? `${page}.html` : `${place.file}:${place.line}: ${place.attribute}`;
      return `src/ui/${where}: ${message}`;
    });
    if (status !== 0 && problems.length === 0) throw new Error(`the compiler failed:\n${stdout}`);
    return [...new Set(problems)];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const CONFIG = {
  extends: "../../src/ui/tsconfig.json",
  compilerOptions: {
    rootDir: "../..",
    noEmit: true,
    composite: false,
    emitDeclarationOnly: false,
    noUnusedLocals: false,
    tsBuildInfoFile: null,
  },
  // Not `include`, which would leave out the output folder of src/ui.
  files: Object.keys(PAGES).map((page) => `${page}.ts`),
  references: [{ path: "../../src/ui" }],
};

if (import.meta.main) {
  const problems = templateProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
