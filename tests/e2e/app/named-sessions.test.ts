import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { addSession, PLENTY } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { clientOf } from "../../support/served-window.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

const execute = promisify(execFile);

/** Runs `weir` with a data folder. */
async function weir(dataDir: string, ...words: readonly string[]) {
  const run = execute(process.execPath, [WEIR, ...words, "--data-dir", dataDir]);
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
  );
}

describe("weir sessions new and rename", (test) => {
  test("given a running Weir, begins a session with a name, which report and compare take; renames the current one", async () => {
    const server = createServer((_, response) => response.end("done"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const running = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`]);
    try {
      const client = clientOf(running, "server.test");
      for (const name of ["before", "after: 漢"]) {
        const { code, stdout } = await weir(running.dataDir, "sessions", "new", name);
        assert.equal([code, stdout], [0, `New session "${name}": it begins with the next request.\n`]);
        for (let count = 0; count < 6; count += 1) await client.ask("GET", "/orders");
      }
      // The latest session is on disk at most a second after its first request.
      await running.exportedOnce((text) => JSON.parse(text || "[]").length === 6, "--format", "json");
      const { stdout } = await weir(running.dataDir, "compare", "before", "after: 漢", "--format", "json");
      const { before, now, endpoints } = JSON.parse(stdout);
      assert.equal([before.label, now.label], ["before", "after: 漢"]);
      // A busy computer makes single times uncertain; those are left out of the samples.
      const [{ samples, uncertain }] = endpoints;
      assert.equal([samples.before + uncertain.before, samples.now + uncertain.now], [6, 6]);
      assert.is((await weir(running.dataDir, "sessions", "rename", "current", "later")).code, 0);
      assert.match((await weir(running.dataDir, "sessions")).stdout, /^\S+ .* {2}current .* {2}later\n.* {2}before\n$/);
      assert.is((await weir(running.dataDir, "report", "--session", "later")).code, 0);
    } finally {
      await running.stop();
      server.closeAllConnections();
      server.close();
    }
  });

  test("given no running Weir, new says so and rename works; a name that is no name, or two sessions of one, are refused", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = [addSession(store, 1, 0), addSession(store, 3, 5_000)];
      const none = await weir(folder, "sessions", "new", "x");
      assert.equal([none.code, none.stderr], [4, `No Weir runs with the data folder ${folder}. Start Weir first: weir start.\n`]); // biome-ignore format: one line
      for (const id of ids) assert.is((await weir(folder, "sessions", "rename", id, "twin")).code, 0);
      const twins = await weir(folder, "report", "--session", "twin");
      assert.is(twins.code, 4);
      for (const id of ids) assert.match(twins.stderr, id);
      assert.is((await weir(folder, "sessions", "rename", "last", "mine")).code, 0);
      assert.match(
        (await weir(folder, "sessions")).stdout,
        new RegExp(`^${ids[1]} .* {2}mine\\n${ids[0]} .* {2}twin\\n$`),
      );
      for (const [words, code] of [
        [["new", "a\u001b[31m"], 2],
        [["new", "x".repeat(201)], 2],
        [["new"], 2],
        [["rename", "mine"], 2],
        [["remove", "mine"], 2],
        [["rename", "last", "current"], 2],
        [["rename", "absent", "name"], 4],
      ] as const)
        assert.is((await weir(folder, "sessions", ...words)).code, code, words.join(" "));
    }));
});
