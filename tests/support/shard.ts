import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { MARK, type ShardMessage } from "../run.ts";
import { countsWork, startsPrograms } from "./test-files.ts";

/* One process of `tests/run.ts`: runs the test files that its arguments name, and tells the figures of each. */

interface Uvu {
  UVU_DEFER: number;
  UVU_QUEUE: unknown[][];
}

const files = process.argv.slice(2);

// Coverage is exact only for what was compiled in its process.
if (process.env["NODE_V8_COVERAGE"] === undefined && !files.some(countsWork)) {
  const cache = fileURLToPath(new URL("../../node_modules/.cache/weir-tests", import.meta.url));
  enableCompileCache(cache);
  // Threads inherit the cache from the environment; so would programs, which are tested as they start without it.
  if (!files.some(startsPrograms)) process.env["NODE_COMPILE_CACHE"] = cache;
}

const uvu = globalThis as unknown as Uvu;
uvu.UVU_DEFER = 1;
const { exec: runAll } = (await import("uvu")) as unknown as { exec: () => Promise<void> };

const tell = (message: ShardMessage): void => {
  process.stdout.write(`${MARK}${JSON.stringify(message)}${MARK}`);
};

/** uvu prints its totals; they are read from what it prints, since it returns nothing. */
async function figuresOf(
  run: () => Promise<void>,
): Promise<Pick<Extract<ShardMessage, { kind: "ended" }>, "total" | "passed" | "skipped">> {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  let totals = "";
  stdout.write = ((text: string) => {
    const isTotal = /^\n {2}(?:Total|Passed|Skipped|Duration): /.test(text);
    if (isTotal) totals += text;
    return isTotal || write(text);
  }) as typeof stdout.write;
  try {
    await run();
  } finally {
    stdout.write = write;
    // uvu sets it where a test failed; from here on it says whether the process itself broke.
    process.exitCode = 0;
  }
  const figure = (name: string) => Number(new RegExp(`^ {2}${name}: +(\\d+)$`, "m").exec(totals)?.[1] ?? 0);
  return { total: figure("Total"), passed: figure("Passed"), skipped: figure("Skipped") };
}

for (const file of files) {
  tell({ kind: "begun", file });
  const before = process.cpuUsage();
  uvu.UVU_QUEUE.length = 0;
  uvu.UVU_QUEUE.push([file.replace(/^tests\//, "")]);
  await import(new URL(`../../${file}`, import.meta.url).href);
  const figures = await figuresOf(runAll);
  const { user, system } = process.cpuUsage(before);
  tell({ kind: "ended", ...figures, processor: (user + system) / 1_000 });
}

if (files.some(startsPrograms)) await (await import("./browser.ts")).endKeptBrowser();

// Names the handles that keep the process alive.
setTimeout(() => console.log(`still open: ${process.getActiveResourcesInfo().join(", ")}`), 10_000).unref();
