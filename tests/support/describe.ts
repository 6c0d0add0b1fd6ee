import { suite } from "uvu";

/** Default time limit of a test; uvu has none. */
const LIMIT = 60_000;

interface TestOptions {
  /** Milliseconds. */
  readonly limit?: number;
  /** Why this machine cannot run the test; `null` if it can. A skipped test is listed with its reason. */
  readonly skip?: string | null;
}

type Test = (name: string, body: () => unknown, options?: TestOptions) => void;

const toolsRequired = process.env["WEIR_TESTS_REQUIRE_TOOLS"] === "1";

/**
 * One suite: its tests run in order, each raced against a limit. A suite without a test is a mistake and throws.
 * `describe` is the only importer of uvu's `suite`: a forgotten `.run()` there passes silently.
 */
export function describe(name: string, define: (test: Test) => void): void {
  const tests = suite(name);
  let count = 0;
  define((title, body, options = {}) => {
    count += 1;
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
