import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** All test files, as paths below the project, in order. */
export function testFiles(): readonly string[] {
  return filesBelow("tests")
    .filter((path) => path.endsWith(".test.ts"))
    .sort();
}

/** All files of a folder of the project, as paths below the project, without installed packages. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Whether the test runs beside no other: it compares measured times, which a busy machine would change, or adds a
 * network interface, at which Chromium ends all its requests (net::ERR_NETWORK_CHANGED).
 */
export function runsAlone(file: string): boolean {
  return ALONE.some((part) => file === `tests/${part}.test.ts`);
}

const ALONE = [
  "e2e/app/experiment",
  "e2e/app/figures",
  "e2e/app/first-row",
  "e2e/app/footprint",
  "e2e/app/killed",
  "e2e/app/model-calls",
  "e2e/app/page-load",
  "e2e/app/page-path",
  "e2e/app/times",
  "e2e/app/what-if",
  "e2e/native/messages",
  "e2e/targets/docker",
  "e2e/ui/performance",
  "e2e/ui/what-if",
  "live/live",
];

/**
 * Whether the test starts a program, a browser or the app: by its own imports, or by those of its support files and of
 * scripts.
 */
export function startsPrograms(file: string): boolean {
  return reaches(file, PROGRAMS);
}

/** Whether the test counts work, which turns off V8's compilers for all that its process runs (`work-done.ts`). */
export function countsWork(file: string): boolean {
  return reaches(file, COUNTERS);
}

/** A text, and whether each file that was looked at, or one that it imports, has it. */
interface Trait {
  readonly pattern: RegExp;
  readonly known: Map<string, boolean>;
}

const PROGRAMS: Trait = { pattern: /from "(?:node:child_process|playwright-core)"/, known: new Map() };
const COUNTERS: Trait = { pattern: /setFlagsFromString\(flag\)/, known: new Map() };

function reaches(file: string, trait: Trait, passed: Set<string> = new Set()): boolean {
  const known = trait.known.get(file);
  if (known !== undefined) return known;
  if (passed.has(file)) return false;
  passed.add(file);
  const text = readFileSync(join(ROOT, file), "utf8");
  const answer =
    trait.pattern.test(text.replaceAll(/^import type .*$/gm, "")) ||
    importsOf(text, dirname(file)).some((imported) => reaches(imported, trait, passed));
  trait.known.set(file, answer);
  return answer;
}

/** The files below `tests` and `scripts` that a file imports. */
function importsOf(text: string, folder: string): readonly string[] {
  return [...text.matchAll(/(?:from|import) ?\(?"(\.{1,2}\/[^"]+\.ts)"/g)]
    .map(([, path = ""]) => relative(ROOT, join(ROOT, folder, path)).replaceAll("\\", "/"))
    .filter((path) => /^(?:tests|scripts)\//.test(path) && existsSync(join(ROOT, path)));
}
