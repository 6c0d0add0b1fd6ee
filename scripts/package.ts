import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { composeApp } from "./package/app-folder.ts";
import { nodeRuntime } from "./package/node-runtime.ts";
import { builtShell, hasShell } from "./package/shell.ts";
import { type Edition, TARGETS, type Target } from "./package/targets.ts";
import { zip } from "./package/zip.ts";

/*
 * Creates in dist/, on any system, a package per target and edition:
 *
 *   weir-VERSION-linux-x64.tar.gz   weir-VERSION-mac-arm64.tar.gz (Weir.app)   weir-VERSION-windows-x64.zip
 *   and each …-slim
 *
 * Neutralino's programs come from bin/ (`npx neu update` downloads them). A target whose program is missing is reported
 * and skipped.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const APP = join(ROOT, "build");
const BIN = join(ROOT, "bin");
const DIST = join(ROOT, "dist");
const CACHE = join(DIST, ".cache");

const EDITIONS: readonly Edition[] = ["full", "slim"];

const NAMES = TARGETS.map(({ name }) => name);

const USAGE = `npm run package -- …
  --only NAME   that platform alone (${NAMES.join(", ")}); repeatable. Default: each whose program lies in bin/`;

/** Returns the exit code: 2 for wrong usage, 1 if no package could be made. */
async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === "string") {
    console.error(`${options}\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const { wanted } = options;
  await build();
  mkdirSync(CACHE, { recursive: true });
  let made = 0;
  for (const edition of EDITIONS) {
    const staging = join(DIST, ".staging");
    const shell = builtShell(APP, BIN, edition, staging);
    for (const target of TARGETS.filter(({ name }) => wanted.includes(name))) {
      if (hasShell(BIN, target)) {
        const archive = packed(target, edition, shell);
        console.log(`${megabytes(archive)} ${archive.slice(ROOT.length)}`);
        made += 1;
      } else if (edition === "full") {
        console.log(`   left out ${target.name}: there is no bin/${target.shell}`);
      }
    }
    rmSync(staging, { recursive: true, force: true });
  }
  return made > 0 ? 0 : 1;
}

function optionsOf(): { readonly help: boolean; readonly wanted: readonly string[] } | string {
  try {
    const { values } = parseArgs({
      options: { only: { type: "string", multiple: true }, help: { type: "boolean", short: "h", default: false } },
    });
    const wanted = values.only ?? NAMES;
    const unknown = wanted.find((name) => !NAMES.includes(name));
    return unknown === undefined
      ? { help: values.help, wanted }
      : `--only takes ${NAMES.join(", ")}, not "${unknown}".`;
  } catch (error) {
    return (error as Error).message;
  }
}

function packed(target: Target, edition: Edition, shell: string): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  const place = join(DIST, ".app");
  rmSync(place, { recursive: true, force: true });
  const name = target.system === "mac" ? "Weir.app" : "weir";
  const node = nodeRuntime(target, CACHE);
  composeApp({ target, edition, version, app: APP, shell, node }, join(place, name));
  const base = join(DIST, `weir-${version}-${target.name}${edition === "slim" ? "-slim" : ""}`);
  const archive = target.system === "windows" ? `${base}.zip` : `${base}.tar.gz`;
  if (target.system === "windows") writeFileSync(archive, zip(join(place, name)));
  else tar(place, name, archive);
  rmSync(place, { recursive: true, force: true });
  return archive;
}

function tar(folder: string, entry: string, archive: string): void {
  const { status, stderr, error } = spawnSync("tar", ["-czf", archive, "-C", folder, entry], { encoding: "utf8" });
  if (status !== 0) throw new Error(`tar failed: ${error?.message ?? stderr}`);
}

function megabytes(file: string): string {
  return `${(statSync(file).size / 1024 / 1024).toFixed(1).padStart(8)} MB`;
}

process.exitCode = await main().catch((error: Error) => {
  console.error(`No package could be made: ${error.message}`);
  return 1;
});
