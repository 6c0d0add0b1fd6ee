import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { getAssetKeys, getRawAsset } from "node:sea";
import { pathToFileURL } from "node:url";
import { constants, runInThisContext, Script } from "node:vm";
import envPaths from "env-paths";
import { INTERNAL_ERROR } from "../../extensions/proxy/process/exit-codes.ts";
import { NODE_FLAGS } from "../../extensions/proxy/process/node-flags.ts";

/*
 * The main script of the single executable. A release is in it as assets, which the first start unpacks to the user's
 * cache folder. Weir starts further processes of the Node that runs it, with flags and a script's path or `--eval`: this
 * program is that Node, and takes the same arguments.
 */

/** The version and the assets' hash; the build sets it. */
declare const RELEASE: string;

/** Flags of Node with which Weir starts processes. The executable has them from its build. */
const FLAGS: readonly string[] = [...NODE_FLAGS, "--no-warnings"];

const words = process.argv.slice(2);
while (FLAGS.includes(words[0] ?? "")) words.shift();
const [first = "", script = ""] = words;

if (first === "--eval") {
  Object.assign(globalThis, { require: createRequire(process.execPath) });
  runInThisContext(script);
} else if (isAbsolute(first)) {
  run(first, words.slice(1));
} else {
  run(join(unpackedRelease(), "scripts", "weir.mjs"), words);
}

/** Runs a script of the release as Node would. Only a script of `node:vm` may import files in a single executable. */
function run(path: string, given: readonly string[]): void {
  process.argv = [process.execPath, path, ...given];
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const text = `import(${JSON.stringify(pathToFileURL(path).href)})`;
  const imported = new Script(text, { importModuleDynamically }).runInThisContext() as Promise<unknown>;
  imported.catch((error: unknown) => {
    console.error(error);
    process.exitCode = INTERNAL_ERROR;
  });
}

/** The folder of the release, which is unpacked if it is not there. */
function unpackedRelease(): string {
  const cache = envPaths("weir", { suffix: "" }).cache;
  const folder = join(cache, RELEASE);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const aside = mkdtempSync(`${folder}-`);
    try {
      for (const path of getAssetKeys()) {
        const file = join(aside, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, new Uint8Array(getRawAsset(path)));
      }
      renameSync(aside, folder);
    } catch (error) {
      // Another start may have unpacked it meanwhile.
      if (!existsSync(folder)) throw error;
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  } catch (error) {
    console.error(`Weir's files cannot be unpacked to ${folder}: ${(error as Error).message}`);
    process.exit(INTERNAL_ERROR);
  }
  return folder;
}
