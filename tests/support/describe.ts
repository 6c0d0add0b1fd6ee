import { suite } from "uvu";
import { playsLong } from "./rounds.ts";

/** Time limit of a test in ms, which uvu lacks: only for one that hangs, so that a busy machine fails none. */
const LIMIT = 300_000;

interface TestOptions {
  /** In ms, for a test of many rounds. */
  readonly limit?: number;
  /** Why this computer cannot run the test; `null` if it can. A skipped test is listed with the reason. */
  readonly skip?: string | null;
  /** Whether no smaller input shows the same: one of ten quick loops plays it (`playsLong`). */
  readonly isLong?: boolean;
}

type Test = (name: string, body: () => unknown, options?: TestOptions) => void;

const toolsRequired = process.env["WEIR_TESTS_REQUIRE_TOOLS"] === "1";

/**
 * Defines a suite. Its tests run in order, each with a time limit; a suite without tests throws. No other file imports
 * uvu's `suite`, where a forgotten `.run()` would not be noticed.
 */
export function describe(name: string, define: (test: Test) => void): void {
  const tests = suite(name);
  let count = 0;
  define((title, body, options = {}) => {
    count += 1;
    if (options.isLong === true && !playsLong(`${name}: ${title}`)) {
      process.stdout.write(`LEFT TO npm test ${name}: ${title}\n`);
      tests.skip(title, () => {});
      return;
    }
    const reason = options.skip ?? null;
    if (reason !== null && !toolsRequired) {
      process.stdout.write(`SKIPPED ${name}: ${title} (${reason})\n`);
      tests.skip(title, () => {});
      return;
    }
    tests(title, async () => {
      if (reason !== null) throw new Error(`required tool is missing: ${reason}`);
      await within(options.limit ?? LIMIT, title, body);
    });
  });
  if (count === 0) throw new Error(`suite "${name}" holds no test`);
  tests.run();
}

async function within(limit: number, title: string, body: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`"${title}" took longer than ${limit} ms`)), limit);
  });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
  } finally {
    clearTimeout(timer);
  }
}
