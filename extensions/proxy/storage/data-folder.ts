import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { isOpenToOthers, namesIn, openPrivateFolder } from "./private-file.ts";

/** Some of them lie in every folder that Weir has used. */
const OWN_NAMES = ["lock.sqlite", "settings.json", "sessions", "weir-ca.key"];

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
  const problem = isOthersToo(whole)
    ? `${whole} holds other files and is not private, and Weir would make it so. Give it a folder of its own, such as ${join(whole, "weir")}`
    : openPrivateFolder(whole);
  return problem === null
    ? { kind: "folder", path: whole }
    : { kind: "unusable", reason: `The data folder cannot be used: ${problem}.` };
}

/** `--data-dir /tmp`, say: whoever else uses it would be shut out. */
function isOthersToo(path: string): boolean {
  const names = namesIn(path);
  return names.length > 0 && !OWN_NAMES.some((name) => names.includes(name)) && isOpenToOthers(path);
}
