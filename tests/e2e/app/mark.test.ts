import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

const execute = promisify(execFile);

/** Runs `weir mark` and returns its exit code and what it prints. */
async function marked(dataDir: string, ...words: readonly string[]) {
  const run = execute(process.execPath, [WEIR, "mark", "--data-dir", dataDir, ...words]);
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
  );
}

describe("weir mark", (test) => {
  test(
    "given no Weir that runs, paused recording or a wrong word, says so and ends with its exit code",
    () =>
      withFolder(async (folder) => {
        const without = await marked(folder, "A");
        assert.is(without.code, 4);
        assert.match(without.stderr, /No Weir runs .* Start Weir first/);
        const weir = await runningWeir([]);
        try {
          for (const words of [[], ["C"], ["a"], ["A", "B"], ["A", "A"], [""]]) {
            const { code, stdout, stderr } = await marked(weir.dataDir, ...words);
            assert.equal([code, stdout], [2, ""], words.join());
            assert.match(stderr, /weir mark takes A or B/);
          }
          const page = await PageClient.open(weir);
          await page.command({ type: "set-recording", on: false });
          const paused = await marked(weir.dataDir, "A");
          assert.is(paused.code, 2);
          assert.match(paused.stderr, /Recording is paused/);
          await page.command({ type: "set-recording", on: true });
          const { code, stdout, stderr } = await marked(weir.dataDir, "B");
          assert.equal([code, stderr], [0, ""]);
          assert.is(stdout, "Marked B from now on: requests that start from here count to B.\n");
          page.close();
        } finally {
          await weir.stop();
        }
      }),
    { limit: 120_000 },
  );
});
