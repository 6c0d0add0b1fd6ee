import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../node_modules/@neutralinojs/neu/bin/neu.js", import.meta.url));

/** The name that `neu build` gives to Neutralino's program for Windows. */
const BUILT = "weir-win_x64.exe";

/** The program's folder in a command of the config. */
const OWN_FOLDER = /\$\{NL_PATH\}\\/g;

interface Config {
  readonly extensions: readonly { readonly commandWindows: string }[];
  readonly cli: Record<string, string>;
}

/**
 * Writes weir.exe and resources.neu to `folder`. On Windows a double click starts Neutralino's program itself, without
 * arguments, so it must find the page and the config beside it; `neu build` also gives it Weir's icon.
 */
export function composeWindowsShell(app: string, program: string, folder: string): void {
  const staging = `${folder}.neu`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(join(staging, "bin"), { recursive: true });
  cpSync(join(app, "resources"), join(staging, "resources"), { recursive: true });
  copyFileSync(program, join(staging, "bin", "neutralino-win_x64.exe"));
  writeFileSync(join(staging, "neutralino.config.json"), `${JSON.stringify(windowsConfig(app), null, 2)}\n`);
  const { status, stderr } = spawnSync(process.execPath, [CLI, "build"], { cwd: staging, encoding: "utf8" });
  const made = join(staging, "dist", "weir");
  if (status !== 0 || !existsSync(join(made, "resources.neu"))) throw new Error(`neu build failed: ${stderr}`);
  copyFileSync(join(made, "resources.neu"), join(folder, "resources.neu"));
  copyFileSync(join(made, BUILT), join(folder, "weir.exe"));
  rmSync(staging, { recursive: true, force: true });
}

/** The config for a program whose folder contains the build as build/. All else in the commands stays as it is. */
export function windowsConfig(app: string): Config {
  const config = JSON.parse(readFileSync(join(app, "neutralino.config.json"), "utf8")) as Config;
  // `neu build` must not copy the extension, because it is in build/.
  const { extensionsPath: _, ...cli } = config.cli;
  const extensions = config.extensions.map((extension) => ({
    ...extension,
    commandWindows: extension.commandWindows.replaceAll(OWN_FOLDER, "$&build\\"),
  }));
  return { ...config, extensions, cli };
}
