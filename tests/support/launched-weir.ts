import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtApp, type Ready } from "./running-weir.ts";
import { withFolder } from "./temporary-folder.ts";

/** The script behind `npm start`. */
export const START = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));

/** `npm start -- --json`, as npm runs it. */
export interface Launch {
  readonly process: ChildProcess;
  readonly dataDir: string;
  readonly ready: () => Promise<Ready>;
  /** Resolves with its exit code. */
  readonly exit: Promise<number | null>;
  /** Standard output so far. */
  readonly output: () => string;
  /** Resolves with standard error once it contains the words. */
  readonly complaint: (words: string) => Promise<string>;
}

/**
 * Runs without a display and with a new, otherwise empty folder as PATH; `setUp` fills it and returns more environment
 * variables.
 */
export async function withLaunch(
  words: readonly string[],
  setUp: (folder: string) => Readonly<Record<string, string>>,
  body: (launch: Launch) => Promise<void>,
  port: readonly string[] = ["--port", "0"],
): Promise<void> {
  await builtApp();
  await withFolder(async (folder) => {
    const dataDir = join(folder, "data");
    const { DISPLAY, WAYLAND_DISPLAY, ...ours } = process.env;
    const child = spawn(process.execPath, [START, "--json", ...port, "--data-dir", dataDir, ...words], {
      // If this test's process is killed, the programs it started notice that their parent has exited.
      env: { ...ours, npm_lifecycle_event: "start", PATH: folder, ...setUp(folder) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exit = once(child, "close").then(([code]) => code as number | null);
    const output = collected(child.stdout, exit);
    const complaints = collected(child.stderr, exit);
    try {
      await body({
        process: child,
        dataDir,
        ready: async () => JSON.parse((await output.holding("\n")).split("\n")[0] ?? "") as Ready,
        exit,
        output: output.text,
        complaint: complaints.holding,
      });
    } finally {
      child.kill("SIGTERM");
      await exit;
    }
  });
}

/** Collects a stream's output, and notifies those who wait for certain words. */
export function collected(stream: NodeJS.ReadableStream, end: Promise<unknown>) {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const over = end.then(() => "over");
  const holding = async (words: string): Promise<string> => {
    while (!text.includes(words))
      if ((await Promise.race([once(stream, "data"), over])) === "over") throw new Error(`it ended: ${text}`);
    return text;
  };
  return { text: () => text, holding };
}
