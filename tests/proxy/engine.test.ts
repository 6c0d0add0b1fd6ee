import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as assert from "uvu/assert";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";

const ENGINE = new URL("../../extensions/proxy/engine.ts", import.meta.url).href;

/** Prints the name of each call that its starter gets. */
const PROGRAM = `
  import { startEngine } from ${JSON.stringify(ENGINE)};
  const tell = (name) => () => console.log(name);
  const calls = Object.fromEntries(["ready", "taken", "shown", "show"].map((name) => [name, tell(name)]));
  await startEngine({ ok: true, value: process.argv.slice(2) }, { echo: 0, ...calls });
`;

function engine(folder: string): ChildProcess {
  const program = join(folder, "program.mjs");
  writeFileSync(program, PROGRAM);
  const words = ["--standalone", "--port", "0", "--data-dir", join(folder, "data")];
  return spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "ignore"] });
}

/** The calls, in their order, until the engine ends. */
function callsOf({ stdout }: ChildProcess): AsyncIterator<string> {
  if (stdout === null) throw new Error("standard output is not read");
  return createInterface({ input: stdout })[Symbol.asyncIterator]();
}

describe("engine process", (test) => {
  test("given a second start, tells it which process has the folder, and tells the first to show its window", () =>
    withFolder(async (folder) => {
      const first = engine(folder);
      const calls = callsOf(first);
      try {
        assert.is((await calls.next()).value, "ready");
        const second = engine(folder);
        const others = callsOf(second);
        const exit = once(second, "exit");
        assert.is((await others.next()).value, "taken");
        assert.is((await others.next()).done, true);
        assert.is((await exit)[0], 0);
        assert.is((await calls.next()).value, "show");
      } finally {
        first.kill("SIGTERM");
        await once(first, "exit");
      }
    }));
});
