import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { countsWork, runsAlone, startsPrograms, testFiles } from "./support/test-files.ts";

/*
 * Runs the tests with uvu and prints a last line `N passed, N failed, N skipped`. Arguments are parts of test paths:
 * `npm test -- engine/stats` runs only those; `--unit` leaves out the tests that start programs, and plays a part of the rounds (`support/rounds.ts`). Those that start none
 * are shared out over several processes, those that count work have one of their own; then those that do; last, one by
 * one, those that run alone.
 */

/** How long a process may print nothing before its file counts as hanging, and how long it may live after its tests. */
const LONGEST_SILENCE = 360_000;
const LONGEST_END = 20_000;
/** Files whose processor time the whole run prints. */
const COSTLIEST = 40;
/** Quick loops that play all long tests together, one of them each. */
const LOOPS = 10;

const SHARD = fileURLToPath(new URL("support/shard.ts", import.meta.url));
const PREPARED = [
  "--no-warnings=ExperimentalWarning",
  // Hundreds of files share a heap: with V8's own limits it is collected again and again while it grows.
  "--min-semi-space-size=16",
  "--initial-old-space-size=1000",
  "--import",
  new URL("support/drawn-input.ts", import.meta.url).href,
];

/** What a process tells between its output: the file that it begins, and the figures of the file that it ended. */
export type ShardMessage =
  | { readonly kind: "begun"; readonly file: string }
  | {
      readonly kind: "ended";
      readonly total: number;
      readonly passed: number;
      readonly skipped: number;
      /** The processor time that the file took, with its first import of others, in ms. */
      readonly processor: number;
    };

/** Stands before and after each message in the output (ASCII, record separator). */
export const MARK = "\u001e";

let [total, passed, skipped, broken] = [0, 0, 0, 0];
/** Of each file that ended: its name, and its processor time in ms. */
const costs: [file: string, processor: number][] = [];

/** Runs the files one after another. A file that hangs, or ends its process, fails; the rest runs in a new process. */
async function runInTurn(files: readonly string[]): Promise<void> {
  for (let left = files; left.length > 0; left = left.slice(await runUntilBroken(left)));
}

/** Resolves with the number of files that have ended or failed. The output of each file is printed as a whole. */
function runUntilBroken(files: readonly string[]): Promise<number> {
  const { FORCE_COLOR, ...env } = process.env;
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  const child = spawn(process.execPath, [...PREPARED, SHARD, ...files], { env: { ...env, NO_COLOR: "1" }, stdio });
  const watch = new Watch(child);
  let [ended, text, output, file] = [0, "", "", files[0] ?? ""];
  const onMessage = (message: ShardMessage): void => {
    if (message.kind === "begun") {
      file = message.file;
      return;
    }
    ended += 1;
    costs.push([file, message.processor]);
    total += message.total;
    passed += message.passed;
    skipped += message.skipped;
    process.stdout.write(output);
    output = "";
  };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const pieces = (text + chunk).split(MARK);
    // Pieces alternate: output, message, output. The last one may still grow, and a last message is not whole.
    const isInMessage = pieces.length % 2 === 0;
    text = isInMessage ? `${MARK}${pieces.pop()}` : "";
    for (const [index, piece] of pieces.entries()) {
      if (index % 2 === 0) output += piece;
      else onMessage(JSON.parse(piece) as ShardMessage);
    }
    watch.restart(ended === files.length ? LONGEST_END : LONGEST_SILENCE);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      watch.stop();
      const isWhole = ended === files.length;
      const hasCrashed = code !== 0 && !watch.hasKilled;
      if (!isWhole) output += `\n   FAIL  ${file} ${watch.hasKilled ? "hung" : "ended its process"}\n`;
      else if (watch.hasKilled)
        output += `handles left open: the process was still alive ${LONGEST_END / 1000} s after its last test\n`;
      else if (hasCrashed) output += `\n   FAIL  ${file} ended its process after its last test\n`;
      if (!isWhole || watch.hasKilled || hasCrashed) broken += 1;
      process.stdout.write(output);
      resolve(isWhole ? ended : ended + 1);
    });
  });
}

/** Ends a process that does nothing for too long. */
class Watch {
  readonly #child: ChildProcess;
  #timer: NodeJS.Timeout | undefined;
  hasKilled = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.restart(LONGEST_SILENCE);
  }

  restart(limit: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.hasKilled = true;
      this.#child.kill("SIGKILL");
    }, limit);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Every n-th file to each of n processes, since neighbours take about the same time. */
function sharedOut(files: readonly string[], processes: number): readonly (readonly string[])[] {
  return Array.from({ length: processes }, (_, first) => files.filter((__, index) => index % processes === first));
}

/** Builds the app if it is stale: two processes must not build at the same time. */
async function buildOnce(): Promise<void> {
  const { isStale } = await import("../scripts/stale.mjs");
  if (!isStale()) return;
  const { build } = await import("../scripts/build.ts");
  await build();
}

function inSeconds(duration: number): string {
  return (duration / 1000).toFixed(1);
}

/** The number of a quick loop, from 0: by the seed, or by chance. */
function loopOf(seed: string | undefined): number {
  return seed === undefined ? randomInt(LOOPS) : Math.abs(Number(seed)) % LOOPS;
}

async function main(words: readonly string[]): Promise<void> {
  const isQuick = words.includes("--unit");
  if (isQuick) process.env["WEIR_TESTS_LOOP"] = String(loopOf(process.env["WEIR_TESTS_SEED"]));
  else delete process.env["WEIR_TESTS_LOOP"];
  if (!existsSync(fileURLToPath(new URL("../node_modules/uvu/run/index.mjs", import.meta.url)))) {
    process.stdout.write(
      "The tests need the development packages. Run npm install --include=dev, then npm test again.\n",
    );
    process.exitCode = 1;
    return;
  }
  const parts = words.filter((word) => word !== "--unit");
  const files = testFiles().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  const units = files.filter((file) => !startsPrograms(file));
  const shares = sharedOut(
    units.filter((file) => !countsWork(file)),
    Math.max(2, availableParallelism()),
  );
  await Promise.all([...shares, units.filter(countsWork)].map(runInTurn));
  if (!isQuick) {
    const programs = files.filter((file) => startsPrograms(file));
    const others = programs.filter((file) => !runsAlone(file));
    if (programs.length > 0) await buildOnce();
    await Promise.all(sharedOut(others, 2).map(runInTurn));
    await runInTurn(programs.filter(runsAlone));
  }
  if (total === 0) process.stdout.write("no test ran\n");
  const costliest = costs.toSorted(([, one], [, other]) => other - one).slice(0, parts.length === 0 ? COSTLIEST : 0);
  for (const [file, processor] of costliest) process.stdout.write(`${inSeconds(processor).padStart(5)} s  ${file}\n`);
  const sum = costs.reduce((all, [, processor]) => all + processor, 0);
  process.stdout.write(`${inSeconds(sum)} s of processor time, without programs that were started\n`);
  const failed = total - passed + broken + (total === 0 && broken === 0 ? 1 : 0);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

// The processes import this file for its types and its mark alone.
if (import.meta.main) await main(process.argv.slice(2));
