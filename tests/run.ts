import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Runs the tests with uvu and prints a last line `N passed, N failed, N skipped`. Arguments are parts of test paths:
 * `npm test -- engine/stats` runs only those. It is a failure if there is no test, or if a process still runs 3 s after
 * its totals, because a handle was left open.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const parts = process.argv.slice(2);
const pattern = parts.length === 0 ? "\\.test\\.ts$" : `(${parts.map(escaped).join("|")}).*\\.test\\.ts$`;
const uvu = fileURLToPath(new URL("../node_modules/uvu/bin.js", import.meta.url));
const drawnInput = new URL("support/drawn-input.ts", import.meta.url).href;
const flags = ["--no-warnings=ExperimentalWarning", "--import", drawnInput];

if (!existsSync(uvu)) {
  process.stdout.write(
    "The tests need the development packages. Run npm install --include=dev, then npm test again.\n",
  );
  process.exit(1);
}

// FORCE_COLOR overrides uvu's --no-color, and the totals are read from plain text.
const { FORCE_COLOR, ...inherited } = process.env;

const child = spawn(process.execPath, [...flags, uvu, "--no-color", "tests", pattern], {
  cwd: root,
  env: inherited,
  stdio: ["ignore", "pipe", "inherit"],
});

let output = "";
let ending: NodeJS.Timeout | null = null;
let heldOpen = false;

child.stdout.on("data", (chunk: Buffer) => {
  process.stdout.write(chunk);
  output = (output + chunk.toString("utf8")).slice(-2_000);
  if (ending !== null || !/^ {2}Skipped: +\d+$/m.test(output)) return;
  ending = setTimeout(() => {
    heldOpen = true;
    child.kill("SIGKILL");
  }, 3_000);
});

child.on("close", (code) => {
  if (ending !== null) clearTimeout(ending);
  const total = figure("Total");
  const passed = figure("Passed");
  const skipped = figure("Skipped");
  if (heldOpen) process.stdout.write("handles left open: the process was still alive 3 s after its last test\n");
  if (total === 0) process.stdout.write("no test ran\n");
  const broken = heldOpen || total === 0 || (code !== 0 && passed === total);
  const failed = Math.max(total - passed, broken ? 1 : 0);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = failed === 0 && code === 0 ? 0 : 1;
});

function figure(name: string): number {
  return Number(new RegExp(`^ {2}${name}: +(\\d+)$`, "m").exec(output)?.[1] ?? 0);
}

function escaped(part: string): string {
  return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
