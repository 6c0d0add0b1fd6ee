import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { clientOf } from "../../support/served-window.ts";
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

/** The walks of a client in each turn, and how long the service takes as A and as B, ms. */
const WALKS = 7;
const TAKES = { A: 20, B: 150 };

describe("weir mark", (test) => {
  test("given a service that is slower as B, and two turns of each, says that its walks and its endpoint are slower", async () => {
    let takes = TAKES.A;
    const server = createServer(({ url }, response) => {
      setTimeout(() => response.end("done"), url === "/prices" ? takes : 5);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`]);
    try {
      const client = clientOf(weir, "server.test");
      for (const mark of ["A", "B", "A", "B"] as const) {
        takes = TAKES[mark];
        assert.is((await marked(weir.dataDir, mark)).code, 0);
        for (let walk = 0; walk < WALKS; walk += 1)
          for (const path of ["/list", "/prices"]) await client.ask("GET", path);
      }
      const page = await PageClient.open(weir);
      // A client that was held up between two requests has a walk less.
      const { mark, changes } = await page.value({ view: "marked-changes" }, (value) => {
        const [change] = value.changes ?? [];
        return change?.turns === 4 && change.verdict === "slower";
      });
      page.close();
      assert.is(mark, "B");
      const [change, ...more] = changes ?? [];
      assert.equal([more, change?.path, change?.unit, change?.turns], [[], "/list", "walk", 4]);
      assert.match(change?.texts[0] ?? "", /^B is slower: \d+ ms more, \d+ ms to \d+ ms\. \d+ walks of A, \d+ of B\.$/);
      assert.ok((change?.counts.A ?? 99) <= 2 * WALKS && (change?.counts.B ?? 99) <= 2 * WALKS);
      // Noise may also change the other endpoint, though never as much.
      const [largest] = change?.endpoints ?? [];
      assert.equal([largest?.path, largest?.verdict], ["/prices", "slower"]);
    } finally {
      await weir.stop();
      server.closeAllConnections();
      server.close();
    }
  });

  test("given no Weir that runs, paused recording or a wrong word, says so and ends with its exit code", () =>
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
    }));
});
