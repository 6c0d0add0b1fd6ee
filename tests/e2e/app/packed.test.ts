import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { VERSION } from "../../../extensions/proxy/version.ts";
import { describe } from "../../support/describe.ts";
import { answerTo } from "../../support/plain-client.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { needs } from "../../support/which.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The path of npm's program, set by npm for what it starts. */
const NPM = process.env["npm_execpath"];

describe("a release as npm packs it", (test) => {
  test(
    "needs no package beside it: it starts, records, reports, checks and stops",
    async () => {
      await builtApp();
      await withFolder(async (folder) => {
        const weir = join(unpackedIn(folder), "scripts", "weir.mjs");
        const data = join(folder, "data");
        const run = (...words: readonly string[]) => {
          const { status, stdout, stderr } = spawnSync(process.execPath, [weir, ...words], { encoding: "utf8" });
          return { status, stdout, stderr };
        };
        assert.equal(run("version"), { status: 0, stdout: `${VERSION}\n`, stderr: "" });
        const server = createServer((_, response) => setTimeout(() => response.end("late"), 20));
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const words = ["start", "--no-open", "--json", "--port", "0", "--data-dir", data];
        const child = spawn(process.execPath, [weir, ...words], { stdio: ["ignore", "pipe", "inherit"] });
        try {
          const { proxy } = JSON.parse(await firstLine(child));
          const { port } = server.address() as AddressInfo;
          for (let count = 0; count < 5; count += 1)
            assert.match(await answerTo(proxy, `http://127.0.0.1:${port}/late`), /late$/);
        } finally {
          server.close();
        }
        assert.equal(run("stop", "--data-dir", data), { status: 0, stdout: "", stderr: "" });
        if (child.exitCode === null) await once(child, "exit");
        assert.is(child.exitCode, 0);
        const report = run("report", "--data-dir", data, "--format", "json");
        assert.equal([report.status, report.stderr, JSON.parse(report.stdout).exchanges], [0, "", 5]);
        const budget = join(folder, "budget.json");
        writeFileSync(budget, JSON.stringify({ endpoints: { "/late": { p50: 1 } } }));
        const check = run("check", "--data-dir", data, "--budget", budget);
        assert.is(check.status, 1, check.stderr);
      });
    },
    { skip: NPM === undefined ? "needs npm test" : needs("tar"), limit: 120_000 },
  );
});

/** The folder of the package. `npm pack` writes the file list of package.json, without building again. */
function unpackedIn(folder: string): string {
  const words = [String(NPM), "pack", "--ignore-scripts", "--pack-destination", folder];
  const packed = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
  assert.is(packed.status, 0, packed.stderr);
  const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const unpacked = spawnSync("tar", ["-xzf", archive], { cwd: folder, encoding: "utf8" });
  assert.is(unpacked.status, 0, unpacked.stderr);
  return join(folder, "package");
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout !== null);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return String(line);
}
