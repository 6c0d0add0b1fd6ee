import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Target } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Time limit of a download in ms. A package has up to 45 MB. */
const LIMIT = 300_000;

/** A folder with the pinned Node for the target: as installed, or as downloaded once from the npm registry. */
export function nodeRuntime(target: Target, cache: string): string {
  const { package: name, executable } = target.node;
  const installed = join(ROOT, "node_modules", name);
  if (existsSync(join(installed, executable))) return installed;
  const fetched = join(cache, `${name}-${pinnedVersion(name)}`);
  if (!existsSync(join(fetched, executable))) fetchPackage(name, fetched);
  return fetched;
}

function fetchPackage(name: string, folder: string): void {
  const aside = `${folder}.part`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  // `npm install` would only install packages for this computer's system.
  npmPack(`${name}@${pinnedVersion(name)}`, aside);
  const archive = readdirSync(aside).find((file) => file.endsWith(".tgz"));
  if (archive === undefined) throw new Error(`npm pack left no archive of ${name}`);
  run(["tar"], ["-xzf", join(aside, archive), "-C", aside, "--strip-components=1"]);
  rmSync(join(aside, archive));
  renameSync(aside, folder);
}

function pinnedVersion(name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const version = (manifest as { optionalDependencies: Record<string, string> }).optionalDependencies[name];
  if (version === undefined) throw new Error(`package.json pins no ${name}`);
  return version;
}

/** Packs a package, given as a folder or by its name and version, as `npm pack` does, into the folder `destination`. */
export function npmPack(wanted: string, destination: string): void {
  run(npm(), ["pack", wanted, "--pack-destination", destination]);
}

/**
 * The command that runs npm: the npm that runs this script, or `npm`. On Windows, `npm` is a batch file, which cannot
 * be started without a shell.
 */
export function npm(): readonly [string, ...string[]] {
  const script = process.env["npm_execpath"];
  return script === undefined ? ["npm"] : [process.execPath, script];
}

function run([program, ...first]: readonly [string, ...string[]], words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, [...first, ...words], { encoding: "utf8", timeout: LIMIT });
  if (status !== 0) throw new Error(`${program} ${words[0]} failed: ${error?.message ?? stderr}`);
}
