import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { VERSION } from "../../../extensions/proxy/version.ts";
import { npm, npmPack } from "../../../scripts/package/node-runtime.ts";
import { composeNpmPackage } from "../../../scripts/package/release-folder.ts";
import { describe } from "../../support/describe.ts";
import { answerTo } from "../../support/plain-client.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const BUILD = fileURLToPath(new URL("../../../build", import.meta.url));

/** The most bytes of an installed package without Node. */
const MOST_BYTES = 10 * 1024 * 1024;

describe("npm package", (test) => {
  test(
    "given npm install without optional packages, is small, starts, records, reports, checks and stops",
    async () => {
      await builtApp();
      await withFolder(async (folder) => {
        const place = installedIn(folder);
        assert.ok(sizeOf(place) < MOST_BYTES, `${sizeOf(place)} bytes`);
        const packages = readdirSync(join(place, "node_modules")).filter((name) => !name.startsWith("."));
        assert.equal(packages, ["weir-proxy"], "its Node is its only dependency");
        const weir = join(place, "node_modules", "weir-proxy", "scripts", "weir.mjs");
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
    { skip: process.env["npm_execpath"] === undefined ? "needs npm test" : null },
  );
});

/** The folder in which `npm install` has installed the package. No registry is asked. */
function installedIn(folder: string): string {
  const staging = join(folder, "staging");
  composeNpmPackage(BUILD, staging);
  const { optionalDependencies } = JSON.parse(readFileSync(join(staging, "package.json"), "utf8"));
  assert.ok(Object.keys(optionalDependencies).every((name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name)));
  npmPack(staging, folder);
  const place = join(folder, "place");
  mkdirSync(place);
  const [program, ...first] = npm();
  const archive = join(folder, `weir-proxy-${VERSION}.tgz`);
  const words = [...first, "install", "--offline", "--omit=optional", "--no-audit", "--no-fund", archive];
  const installed = spawnSync(program, words, { cwd: place, encoding: "utf8" });
  assert.is(installed.status, 0, installed.stderr);
  return place;
}

/** The size of all files below a folder, in bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (total, path) => total + lstatSync(join(folder, path)).size,
    0,
  );
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout !== null);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return String(line);
}
