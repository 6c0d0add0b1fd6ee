import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { build } from "./build.ts";
import { composeApp } from "./package/app-folder.ts";
import { billOfMaterials } from "./package/bill-of-materials.ts";
import { SUMS, sha256, sumsOf } from "./package/checksums.ts";
import { deb } from "./package/deb.ts";
import { singleExecutable } from "./package/executable.ts";
import { manifests } from "./package/manifests.ts";
import { nodeRuntime, npmPack } from "./package/node-runtime.ts";
import { composeNpmPackage, composeRelease } from "./package/release-folder.ts";
import { stripped } from "./package/strip.ts";
import { entriesOf, tarArchive } from "./package/tar-archive.ts";
import { TARGETS, type Target } from "./package/targets.ts";
import { xz } from "./package/xz.ts";
import { zip } from "./package/zip.ts";
import { REPORT_PAGE } from "./report-page.ts";

/*
 * Creates in dist/, on any system, a package for npm and one for each system:
 *
 *   weir-proxy-VERSION.tgz (for npm install)
 *   weir-VERSION-linux-x64.tar.xz   weir-VERSION-mac-arm64.tar.xz (Weir.app)   weir-VERSION-windows-x64.zip
 *   weir-VERSION-linux-x64.deb
 *   with --executable, on Linux: weir-VERSION-linux-x64.xz (one program for this system, without a native window)
 *
 * Also creates weir-report.html (the page that makes reports by itself), weir-VERSION.cdx.json (a software bill of
 * materials of the npm packages), with --url and --home manifests for Homebrew, Scoop and winget, and SHA256SUMS of all
 * of these. There is no AppImage, because the npm registry does not carry its runtime.
 *
 * Neutralino's programs come from bin/ (`npx neu update` downloads them). A system whose program is missing is reported
 * and skipped, except with --no-window.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const APP = join(ROOT, "build");
const BIN = join(ROOT, "bin");
const DIST = join(ROOT, "dist");
const CACHE = join(DIST, ".cache");

/** The package for npm, which is the same for all systems. */
const NPM = "npm";

const NAMES = [NPM, ...TARGETS.map(({ name }) => name)];

const USAGE = `npm run package -- …
  --only NAME   that package alone (${NAMES.join(", ")}); repeatable. Default: npm, and each system whose program is in bin/
  --executable  also one program for this Linux, compressed: all files in one, without a native window's program
  --no-window   without Neutralino's program: Weir opens in a browser
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
  for (const target of TARGETS.filter(({ name }) => wanted.includes(name))) {
    const window = options.noWindow ? null : join(BIN, target.window);
    if (window === null || existsSync(window)) made.push(...packed(target, window));
    else console.log(`   left out ${target.name}: there is no bin/${target.window}`);
  }
  if (options.executable) made.push(await packedExecutable());
  for (const archive of made) console.log(`${megabytes(archive)} ${archive.slice(ROOT.length)}`);
  if (made.length === 0) return 1;
  writeBeside(made, options);
  return 0;
}

/** Writes the bill of materials, the manifests, and the checksums of these and of the packages. */
function writeBeside(made: readonly string[], { url, home }: Options): void {
  const version = versionOfPackage();
  writeFileSync(join(DIST, `weir-${version}.cdx.json`), billOfMaterials());
  if (url === null || home === null)
    console.log("   left out the manifests of package managers: they need --url and --home");
  else {
    const sums = new Map(made.map((file) => [basename(file), sha256(file)] as const));
    for (const [path, text] of manifests({ version, url, home }, sums)) {
      const file = join(DIST, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`   wrote ${file.slice(ROOT.length)}`);
    }
  }
  writeFileSync(join(DIST, SUMS), sumsOf(DIST));
}

function versionOfPackage(): string {
  return (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string }).version;
}

interface Options {
  readonly help: boolean;
  readonly wanted: readonly string[];
  readonly noWindow: boolean;
  readonly executable: boolean;
  readonly url: string | null;
  readonly home: string | null;
}

function optionsOf(): Result<Options> {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true },
        "no-window": { type: "boolean", default: false },
        executable: { type: "boolean", default: false },
        url: { type: "string" },
        home: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { url = null, home = null, "no-window": noWindow, executable } = values;
    if (executable && process.platform !== "linux") return failure("--executable works on Linux alone.");
    for (const [name, value] of Object.entries({ url, home }))
      if (value !== null && !/^https:\/\/[^\s"'{}]+[^\s"'{}/]$/.test(value))
        return failure(`--${name} takes an https URL without a slash at its end, not "${value}".`);
    if ((url === null) !== (home === null)) return failure("--url and --home belong together: give both or neither.");
    const wanted = values.only ?? NAMES;
    const unknown = wanted.find((name) => !NAMES.includes(name));
    return unknown === undefined
      ? success({ help: values.help, wanted, noWindow, executable, url, home })
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

/** Makes one executable for this system; returns its path. */
async function packedExecutable(): Promise<string> {
  const [release, staging] = [join(DIST, ".release"), join(DIST, ".executable")];
  for (const folder of [release, staging]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(staging);
  const version = versionOfPackage();
  const target = TARGETS.find(({ name }) => name === `linux-${process.arch}`);
  if (target === undefined) throw new Error(`there is no Node.js for ${process.arch}`);
  const runtime = nodeRuntime(target, CACHE);
  composeRelease(APP, runtime, release);
  const node = join(runtime, target.node.executable);
  const program = await singleExecutable({ release, version, node, staging });
  const packed = join(DIST, `weir-${version}-linux-${process.arch}.xz`);
  writeFileSync(packed, xz(readFileSync(program)));
  for (const folder of [release, staging]) rmSync(folder, { recursive: true, force: true });
  return packed;
}

/** Makes the target's packages; returns their paths. `window`: Neutralino's program, or `null` for none. */
function packed(target: Target, window: string | null): readonly string[] {
  const version = versionOfPackage();
  const place = join(DIST, ".app");
  rmSync(place, { recursive: true, force: true });
  const name = target.system === "mac" ? "Weir.app" : "weir";
  const app = join(place, name);
  const node = composeApp({ target, version, app: APP, window, node: nodeRuntime(target, CACHE) }, app);
  // A changed program does not start on Apple silicon, and loses its signature on Windows.
  if (target.system === "linux") stripped(node);
  const base = join(DIST, `weir-${version}-${target.name}${window === null ? "-no-window" : ""}`);
  const archive = `${base}.${target.system === "windows" ? "zip" : "tar.xz"}`;
  writeFileSync(archive, target.system === "windows" ? zip(app) : xz(tarArchive(entriesOf(app, name))));
  const made = [archive];
  if (target.system === "linux") {
    writeFileSync(`${base}.deb`, deb({ target, version, app, hasWindow: window !== null }));
    made.push(`${base}.deb`);
  }
  rmSync(place, { recursive: true, force: true });
  return made;
}

function megabytes(file: string): string {
  return `${(statSync(file).size / 1024 / 1024).toFixed(1).padStart(8)} MB`;
}

process.exitCode = await main().catch((error: Error) => {
  console.error(`No package could be made: ${error.message}`);
  return 1;
});
