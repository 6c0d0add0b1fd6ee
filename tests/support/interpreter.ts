import { spawnSync } from "node:child_process";

/**
 * The first of these programs that runs the code without error, else `null`. A machine may have several interpreters,
 * and the one that is first on PATH need not be the one with the libraries.
 */
export function interpreterFor(programs: readonly string[], flag: string, code: string): string | null {
  return (
    programs.find((program) => spawnSync(program, [flag, code], { timeout: 10_000, stdio: "ignore" }).status === 0) ??
    null
  );
}

/** The machine's own Node.js, where it is of that line: an npm package of it would put itself first on every tool's PATH. */
export const NODE_20 = interpreterFor(
  ["/usr/bin/node", "/usr/local/bin/node"],
  "-e",
  "process.exit(/^v20/.test(process.version) ? 0 : 1)",
);
