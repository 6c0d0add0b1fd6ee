import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { isOpenToOthers, namesIn, openPrivateFolder } from "./private-file.ts";

/** Every folder that Weir has used contains at least one of these. */
const OWN_NAMES = ["lock.sqlite", "settings.json", "sessions", "weir-ca.key"];

/** The system's folder for user data. */
export function defaultDataFolder(): string {
  return envPaths("weir", { suffix: "" }).data;
}

/** Creates or checks the folder that holds everything Weir writes (docs/security.md R1). Returns its absolute path. */
export function openDataFolder(path: string): Result<string> {
  const whole = resolve(path);
  const problem = isOthersToo(whole)
    ? `${whole} is not private and holds other files: Weir would lock other users out of this folder. Give Weir a folder of its own, such as ${join(whole, "weir")}`
    : openPrivateFolder(whole);
  return problem === null ? success(whole) : failure(`The data folder cannot be used: ${problem}.`);
}

/**
 * Whether a folder, such as /tmp, is open to other users and has files but none of Weir's. Making such a folder private
 * would lock other users out.
 */
function isOthersToo(path: string): boolean {
  const names = namesIn(path);
  return names.length > 0 && !OWN_NAMES.some((name) => names.includes(name)) && isOpenToOthers(path);
}
