import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import envPaths from "env-paths";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The program that downloads Neutralino; a development dependency. */
const NEU = join(ROOT, "node_modules", "@neutralinojs", "neu", "bin", "neu.js");

/** Time limit of the download in ms. */
const LIMIT = 60_000;

/** A day in ms. After a failed download, no start tries again within this time. */
const PATIENCE = 24 * 60 * 60 * 1000;

/** A smaller file is an error page or incomplete; the smallest known Neutralino has 1.9 MB. */
const LEAST_SIZE = 1_000_000;

/**
 * The initial bytes of an executable: ELF, Mach-O (64 bits, 32 bits, or several architectures in one file) and Windows.
 */
const MAGIC = ["7f454c46", "cffaedfe", "cefaedfe", "cafebabe", "4d5a"];

type NativeBinary = { readonly path: string } | { readonly path: null; readonly reason: string };

/**
 * Neutralino's program for this computer: from $WEIR_NEUTRALINO, from `bin/`, from the user's cache, or from one
 * attempt to download.
 */
export async function nativeBinary(say: (line: string) => void): Promise<NativeBinary> {
  const chosen = process.env["WEIR_NEUTRALINO"];
  if (chosen !== undefined) {
    return isWhole(chosen) ? { path: chosen } : { path: null, reason: `WEIR_NEUTRALINO names no program: ${chosen}` };
  }
  if (
    process.platform === "linux" &&
    process.env["DISPLAY"] === undefined &&
    process.env["WAYLAND_DISPLAY"] === undefined
  ) {
    return { path: null, reason: "there is no display for a native window." };
  }
  const name = binaryName();
  const version = binaryVersion();
  const cache = join(envPaths("weir", { suffix: "" }).cache, `neutralino-${version}`);
  const inTree = join(ROOT, "bin", name);
  const found = [inTree, join(cache, name)].find(isWhole);
  if (found !== undefined) return { path: found };

  const failure = join(cache, "download-failed");
  if (existsSync(failure) && Date.now() - statSync(failure).mtimeMs < PATIENCE) {
    return {
      path: null,
      reason: `a download of the native window's program failed less than a day ago. To try again now, delete "${failure}".`,
    };
  }
  if (!existsSync(NEU)) return { path: null, reason: "this release contains no program for a native window." };
  say(`Downloading the native window's program (Neutralino ${version}). Only the first start needs this.`);
  mkdirSync(cache, { recursive: true });
  await update();
  const path = join(cache, name);
  if (!isWhole(inTree)) {
    writeFileSync(failure, "");
    return { path: null, reason: `the native window's program (Neutralino ${version}) could not be downloaded.` };
  }
  copyFileSync(inTree, path);
  chmodSync(path, 0o755);
  writeFileSync(`${path}.sha256`, `${createHash("sha256").update(readFileSync(path)).digest("hex")}\n`);
  // Deletes bin/, because `neu update` unpacks the programs for all systems there.
  rmSync(dirname(inTree), { recursive: true, force: true });
  return { path };
}

/**
 * Runs `neu update`. Its exit code is ignored: without a network neu exits with an uncaught error, and the caller
 * checks the file.
 */
async function update(): Promise<void> {
  const child = spawn(process.execPath, [NEU, "update"], { cwd: ROOT, stdio: "ignore", timeout: LIMIT });
  await once(child, "close");
  rmSync(join(ROOT, ".tmp"), { recursive: true, force: true });
}

function isWhole(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size < LEAST_SIZE) return false;
  const start = readFileSync(path).subarray(0, 4).toString("hex");
  return MAGIC.some((magic) => start.startsWith(magic));
}

function binaryName(): string {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  if (process.platform === "win32") return "neutralino-win_x64.exe";
  return `neutralino-${process.platform === "darwin" ? "mac" : "linux"}_${arch}`;
}

function binaryVersion(): string {
  const config: unknown = JSON.parse(readFileSync(join(ROOT, "neutralino.config.json"), "utf8"));
  return (config as { readonly cli: { readonly binaryVersion: string } }).cli.binaryVersion;
}
