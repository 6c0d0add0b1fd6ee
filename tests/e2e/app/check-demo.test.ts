import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

/** Runs `weir` to its end. Returns its exit code and what it printed. */
async function ran(words: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn(process.execPath, [WEIR, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text };
}

describe("weir check of a running recording", (test) => {
  test("given a running demo, a budget without N+1 requests fails and a budget of wide limits passes", async () => {
    await builtApp();
    await withFolder(async (folder) => {
      const dataDir = join(folder, "data");
      const strict = join(folder, "strict.json");
      const lenient = join(folder, "lenient.json");
      writeFileSync(strict, JSON.stringify({ findings: { no: ["n-plus-one"] } }));
      writeFileSync(lenient, JSON.stringify({ endpoints: { "GET /v1/*": { p95: 60_000 } } }));
      const demo = spawn(
        process.execPath,
        [WEIR, "demo", "--no-open", "--json", "--port", "0", "--data-dir", dataDir],
        { stdio: ["ignore", "pipe", "ignore"] },
      );
      const ended = once(demo, "close");
      try {
        await once(demo.stdout, "data");
        let judged = await ran(["check", "--budget", strict, "--data-dir", dataDir]);
        // Each judgement takes a process of its own; the demo needs some seconds to make its mistakes.
        while (judged.code !== 1) judged = await ran(["check", "--budget", strict, "--data-dir", dataDir]);
        assert.match(judged.text, /N\+1 requests|n-plus-one/);
        assert.is((await ran(["check", "--budget", lenient, "--data-dir", dataDir])).code, 0);
      } finally {
        demo.kill("SIGTERM");
        await ended;
      }
    });
  });
});
