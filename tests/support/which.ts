import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The full path of a program on PATH, or `null`. */
export function which(program: string): string | null {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return null;
}

/** The reason to skip a test that needs these programs; `null` where all are there. */
export function needs(...programs: string[]): string | null {
  const missing = programs.filter((program) => which(program) === null);
  return missing.length === 0 ? null : `needs ${missing.join(", ")}`;
}

/** The same of one program, by name or path, whose first number in what it says of its version is to be at least that. */
export function needsVersion(program: string, least: number): string | null {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const version = /\d+/.exec(stdout ?? "")?.[0] ?? null;
  return version !== null && Number(version) >= least ? null : `needs ${program} ${least} or newer`;
}
