import { resolve } from "node:path";
import envPaths from "env-paths";
import { openPrivateFolder } from "./private-file.ts";

export type DataFolder =
  | { readonly kind: "folder"; readonly path: string }
  /** Exit code 4; a sentence for a person. */
  | { readonly kind: "unusable"; readonly reason: string };

/** Where the system wants a user's data to be. */
export function defaultDataFolder(): string {
  return envPaths("weir", { suffix: "" }).data;
}

/** Makes or checks the folder that holds everything Weir writes (security.md, R1). */
export function openDataFolder(path: string): DataFolder {
  const whole = resolve(path);
  const problem = openPrivateFolder(whole);
  return problem === null
    ? { kind: "folder", path: whole }
    : { kind: "unusable", reason: `The data folder cannot be used: ${problem}.` };
}
