import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { NODE_FLAGS } from "../../extensions/proxy/process/node-flags.ts";
import { stripped } from "./strip.ts";

const MAIN = fileURLToPath(new URL("executable-main.ts", import.meta.url));

interface SingleExecutableOptions {
  /** The folder of the release, which becomes the assets. */
  readonly release: string;
  readonly version: string;
  /** The path of a Node that runs here, which becomes the program. */
  readonly node: string;
  /** An empty folder for the files of the build. */
  readonly staging: string;
}

/** Makes one executable of a release and a Node, and returns its path. Throws if Node can't. */
export async function singleExecutable(options: SingleExecutableOptions): Promise<string> {
  const { release, version, node, staging } = options;
  const files = readdirSync(release, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(release, path)).isFile())
    .toSorted();
  const assets = Object.fromEntries(files.map((path) => [path.replaceAll(sep, "/"), join(release, path)]));
  const hash = createHash("sha256");
  for (const [path, file] of Object.entries(assets)) hash.update(path).update(readFileSync(file));
  const main = join(staging, "main.cjs");
  await esbuild.build({
    entryPoints: [MAIN],
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node26",
    define: { RELEASE: JSON.stringify(`release-${version}-${hash.digest("hex").slice(0, 16)}`) },
    outfile: main,
    logLevel: "silent",
  });
  const executable = join(staging, "node");
  copyFileSync(node, executable);
  stripped(executable);
  const output = join(staging, "weir");
  const config = join(staging, "executable.json");
  const settings = { main, output, executable, disableExperimentalSEAWarning: true, execArgv: NODE_FLAGS, assets };
  writeFileSync(config, JSON.stringify(settings));
  const { status, stderr } = spawnSync(node, ["--build-sea", config], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Node.js made no single executable: ${stderr.trim()}`);
  return output;
}
