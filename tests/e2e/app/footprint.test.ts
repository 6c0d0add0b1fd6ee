import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getPriority } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { needsProc, nicenessesOf, rssOf } from "../../support/process-figures.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const PROBE = new URL("../../support/loaded-modules.ts", import.meta.url).href;

/**
 * Modules of Node's own HTTP client and command line, which `node:http` and `node:fs` load if all their exports are
 * read.
 */
const UNUSED = ["NativeModule internal/deps/undici/undici", "NativeModule internal/readline/interface"];

describe("footprint of an idle Weir", (test) => {
  test(
    "given a started Weir, loads no unused Node module in either thread",
    () =>
      withFolder(async (folder) => {
        const order = join(folder, "tell");
        const weir = await runningWeir([], join(folder, "data"), {
          NODE_OPTIONS: `--import=${PROBE}`,
          WEIR_TEST_LOADED: order,
        });
        try {
          const page = await PageClient.open(weir);
          await page.value({ view: "status" });
          await writeFile(order, "");
          for (const thread of [0, 1]) {
            const told = `${order}.${thread}`;
            while (!existsSync(told)) await new Promise((resolve) => setTimeout(resolve, 10));
            const loaded = readFileSync(told, "utf8").split("\n");
            assert.ok(loaded.includes("NativeModule fs"), `thread ${thread} told its modules`);
            assert.equal(
              UNUSED.filter((name) => loaded.includes(name)),
              [],
            );
          }
          page.close();
        } finally {
          await weir.stop();
        }
      }),
    { skip: needsProc },
  );

  test(
    "given engine work beside traffic, only the engine thread has a lower priority",
    async () => {
      const text = "traffic goes first. ".repeat(100);
      const server = createServer((_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(text)));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const weir = await runningWeir();
      try {
        const own = getPriority();
        const others = () => nicenessesOf(weir.process.pid ?? 0).filter((niceness) => niceness !== own);
        const engine = own < 5 ? [5] : [];
        assert.equal(others(), engine);
        // Names are resolved by the threads that also decode bodies.
        await new ProxiedClient({ port: weir.proxy.port, ca: "" }, origin).ask("GET", "/first");
        await weir.exportedOnce((told) => told.includes(`"decodedBodySize":${text.length},`), "--format", "json");
        assert.equal(others(), engine);
      } finally {
        await weir.stop();
        server.closeAllConnections();
        server.close();
      }
    },
    { skip: needsProc },
  );

  test(
    "given a first and a second start, prints the resident memory once Weir listens",
    () =>
      withFolder(async (folder) => {
        for (const start of ["first", "second"]) {
          const weir = await runningWeir([], join(folder, "data"));
          const rss = rssOf(weir.process.pid ?? 0);
          await weir.stop();
          process.stdout.write(`resident once it listens, ${start} start: ${(rss / 1e6).toFixed(1)} MB\n`);
          assert.ok(rss > 0);
        }
      }),
    { skip: needsProc },
  );
});
