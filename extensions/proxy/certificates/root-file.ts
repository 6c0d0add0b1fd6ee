import { join } from "node:path";
import { type Failure, failure, type Result, success } from "../../../src/engine/model/result.ts";
import { readPrivateFile, setAside, writePrivateFile } from "../storage/private-file.ts";
import { dateOf, newRoot, type OpenedRoot, type Root, rootOf } from "./root.ts";

/** Key and certificate in one file, so that a crash cannot separate them. The name says that the file is secret. */
export const ROOT_FILE = "weir-ca.key";

const MOST_BYTES = 1024 * 1024;

/** Opens the root certificate in this data folder; creates a new one if none is there or if it is unusable. */
export function openRoot(folder: string, machine: string, now: Date): Result<OpenedRoot> {
  const path = join(folder, ROOT_FILE);
  const file = readPrivateFile(path, MOST_BYTES);
  if (!file.ok) return unusable(file.problem);
  if (file.value === null) return renewRoot(folder, machine, now);
  const text = file.value.toString("utf8");
  // A root that is not valid yet means that the clock is wrong. The root is kept, so that clients need not trust a new
  // one.
  const root = rootOf(text, text, now, true);
  if (root.ok) return success({ root: root.value, notice: earlyNotice(root.value, now) });
  const aside = setAside(path);
  if (aside === null) return unusable(`${root.problem}, and ${path} cannot be moved out of the way`);
  const renewed = renewRoot(folder, machine, now);
  if (!renewed.ok) return renewed;
  const notice = `Weir's root certificate could not be used: ${root.problem}. Weir made a new one, which clients must trust. The old one is kept as ${aside}.`;
  return success({ ...renewed.value, notice });
}

function earlyNotice({ certificate }: Root, now: Date): string | null {
  if (new Date(certificate.validFrom) <= now) return null;
  return `Weir's root certificate is valid only from ${dateOf(certificate.validFrom)}, so this computer's clock is wrong. Set the clock; until then clients reject the certificate.`;
}

/** Creates a new root and stores it in the folder in place of the present one. `machine`: a part of the root's name. */
export function renewRoot(folder: string, machine: string, now: Date): Result<OpenedRoot> {
  const root = newRoot(machine, now);
  const key = root.key.export({ type: "pkcs8", format: "pem" }).toString();
  const problem = writePrivateFile(join(folder, ROOT_FILE), key + root.chain);
  return problem === null ? success({ root, notice: null }) : unusable(problem);
}

function unusable(reason: string): Failure {
  return failure(`Weir's root certificate cannot be used: ${reason}.`);
}
