import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Edition, Target } from "./targets.ts";

const CLI = fileURLToPath(new URL("../../node_modules/@neutralinojs/neu/bin/neu.js", import.meta.url));

/** The Node beside the engine, as the command in neutralino.config.json names it. */
const OWN_NODE = /^"[^"]*node\.exe"/;

interface Config {
  readonly extensions: readonly { readonly commandWindows: string }[];
  readonly cli: Record<string, string>;
}

/** Runs `neu build`. Returns the output folder: the resources as one file, and the programs of `bin`, renamed. */
export function builtShell(app: string, bin: string, edition: Edition, staging: string): string {
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  cpSync(join(app, "resources"), join(staging, "resources"), { recursive: true });
  if (existsSync(bin)) cpSync(bin, join(staging, "bin"), { recursive: true });
  const config = packagedConfig(app, edition);
  writeFileSync(join(staging, "neutralino.config.json"), `${JSON.stringify(config, null, 2)}\n`);
  const { status, stderr } = spawnSync(process.execPath, [CLI, "build"], { cwd: staging, encoding: "utf8" });
  const made = join(staging, "dist", "weir");
  if (status !== 0 || !existsSync(join(made, "resources.neu"))) throw new Error(`neu build failed: ${stderr}`);
  return made;
}

/** Whether `bin` contains Neutralino's program for the target. */
export function hasShell(bin: string, target: Target): boolean {
  return existsSync(join(bin, target.shell));
}

function packagedConfig(app: string, edition: Edition): Config {
  const config = JSON.parse(readFileSync(join(app, "neutralino.config.json"), "utf8")) as Config;
  // `neu build` must not copy the extension, because each target has another Node.
  const { extensionsPath: _, ...cli } = config.cli;
  // A slim edition has a script in place of Node. On Windows there is no script, and the command uses the Node on PATH.
  const extensions = config.extensions.map((extension) => {
    const { commandWindows } = extension;
    return edition === "full" ? extension : { ...extension, commandWindows: commandWindows.replace(OWN_NODE, "node") };
  });
  return { ...config, extensions, cli };
}
