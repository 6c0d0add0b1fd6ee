import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { build } from "./build.ts";
import { composeApp } from "./package/app-folder.ts";
import { billOfMaterials } from "./package/bill-of-materials.ts";
import { deb } from "./package/deb.ts";
import { manifests, sha256 } from "./package/manifests.ts";
import { nodeRuntime, npmPack } from "./package/node-runtime.ts";
import { composeNpmPackage } from "./package/release-folder.ts";
import { builtShell, hasShell } from "./package/shell.ts";
import { type Edition, TARGETS, type Target } from "./package/targets.ts";
import { zip } from "./package/zip.ts";
import { REPORT_PAGE } from "./report-page.ts";

/*
 * Creates in dist/, on any system, a package per target and edition:
 *
 *   weir-proxy-VERSION.tgz (for npm install)
 *   weir-VERSION-linux-x64.tar.gz   weir-VERSION-mac-arm64.tar.gz (Weir.app)   weir-VERSION-windows-x64.zip
 *   weir-VERSION-linux-x64.deb      and each …-slim
 *
 * Also creates weir-report.html (the page that makes reports by itself), SHA256SUMS, weir-VERSION.cdx.json (a software bill of materials of the npm packages) and, with --url and
 * --home, manifests for Homebrew, Scoop and winget. There is no AppImage, because the npm registry does not carry its
 * runtime.
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

/** The package for npm, which is the same for all systems. */
const NPM = "npm";

const NAMES = [NPM, ...TARGETS.map(({ name }) => name)];

const USAGE = `npm run package -- …
  --only NAME   that package alone (${NAMES.join(", ")}); repeatable. Default: npm, and each system whose program is in bin/
  --url URL     the folder from which the packages will be downloaded, for the manifests of package managers
  --home URL    the project's page, which these name too`;

/** Makes the packages. Returns the exit code: 2 for wrong usage, 1 if no package could be made. */
async function main(): Promise<number> {
  const read = optionsOf();
  if (!read.ok) {
    console.error(`${read.problem}\n${USAGE}`);
    return 2;
  }
  const options = read.value;
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const { wanted } = options;
  await build();
  mkdirSync(CACHE, { recursive: true });
  copyFileSync(join(APP, REPORT_PAGE), join(DIST, REPORT_PAGE));
  const made: string[] = [];
  if (wanted.includes(NPM)) made.push(packedForNpm());
  for (const edition of EDITIONS) {
    const staging = join(DIST, ".staging");
    const shell = builtShell(APP, BIN, edition, staging);
    for (const target of TARGETS.filter(({ name }) => wanted.includes(name))) {
      if (hasShell(BIN, target)) {
        made.push(...packed(target, edition, shell));
      } else if (edition === "full") {
        console.log(`   left out ${target.name}: there is no bin/${target.shell}`);
      }
    }
    rmSync(staging, { recursive: true, force: true });
  }
  for (const archive of made) console.log(`${megabytes(archive)} ${archive.slice(ROOT.length)}`);
  if (made.length === 0) return 1;
  writeBeside(made, options);
  return 0;
}

/** Writes the checksums, the bill of materials and the manifests. */
function writeBeside(made: readonly string[], { url, home }: Options): void {
  const sums = new Map([...made, join(DIST, REPORT_PAGE)].map((file) => [basename(file), sha256(file)] as const));
  writeFileSync(join(DIST, "SHA256SUMS"), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(""));
  const version = versionOfPackage();
  writeFileSync(join(DIST, `weir-${version}.cdx.json`), billOfMaterials());
  if (url === null || home === null)
    return console.log("   left out the manifests of package managers: they need --url and --home");
  for (const [path, text] of manifests({ version, url, home }, sums)) {
    const file = join(DIST, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`   wrote ${file.slice(ROOT.length)}`);
  }
}

function versionOfPackage(): string {
  return (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string }).version;
}

interface Options {
  readonly help: boolean;
  readonly wanted: readonly string[];
  readonly url: string | null;
  readonly home: string | null;
}

function optionsOf(): Result<Options> {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true },
        url: { type: "string" },
        home: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { url = null, home = null } = values;
    for (const [name, value] of Object.entries({ url, home }))
      if (value !== null && !/^https:\/\/[^\s"'{}]+[^\s"'{}/]$/.test(value))
        return failure(`--${name} takes an https URL without a slash at its end, not "${value}".`);
    if ((url === null) !== (home === null)) return failure("--url and --home belong together: give both or neither.");
    const wanted = values.only ?? NAMES;
    const unknown = wanted.find((name) => !NAMES.includes(name));
    return unknown === undefined
      ? success({ help: values.help, wanted, url, home })
      : failure(`--only takes ${NAMES.join(", ")}, not "${unknown}".`);
  } catch (error) {
    return failure((error as Error).message);
  }
}

/** Makes the package for npm; returns its path. */
function packedForNpm(): string {
  const staging = join(DIST, ".npm");
  rmSync(staging, { recursive: true, force: true });
  composeNpmPackage(APP, staging);
  npmPack(staging, DIST);
  rmSync(staging, { recursive: true, force: true });
  return join(DIST, `weir-proxy-${versionOfPackage()}.tgz`);
}

/** Makes the target's packages; returns their paths. */
function packed(target: Target, edition: Edition, shell: string): readonly string[] {
  const version = versionOfPackage();
  const place = join(DIST, ".app");
  rmSync(place, { recursive: true, force: true });
  const name = target.system === "mac" ? "Weir.app" : "weir";
  const node = nodeRuntime(target, CACHE);
  composeApp({ target, edition, version, app: APP, shell, node }, join(place, name));
  const base = join(DIST, `weir-${version}-${target.name}${edition === "slim" ? "-slim" : ""}`);
  const archive = target.system === "windows" ? `${base}.zip` : `${base}.tar.gz`;
  if (target.system === "windows") writeFileSync(archive, zip(join(place, name)));
  else tar(place, name, archive);
  const made = [archive];
  if (target.system === "linux") {
    writeFileSync(`${base}.deb`, deb({ target, edition, version, app: join(place, name) }));
    made.push(`${base}.deb`);
  }
  rmSync(place, { recursive: true, force: true });
  return made;
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
