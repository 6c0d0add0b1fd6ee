import { join } from "node:path";
import { readPrivateFile, setAside, writePrivateFile } from "../storage/private-file.ts";
import { dateOf, newRoot, type Root, type RootResult, rootOf } from "./root.ts";

/** Key and certificate in one file, so that a crash cannot separate them. The name says that it is secret. */
export const ROOT_FILE = "weir-ca.key";

const MOST_BYTES = 1024 * 1024;

/** Opens the root certificate in this data folder; creates a new one if it is missing or unusable. */
export function openRoot(folder: string, machine: string, now: Date): RootResult {
  const path = join(folder, ROOT_FILE);
  const file = readPrivateFile(path, MOST_BYTES);
  if (file.kind === "absent") return renewRoot(folder, machine, now);
  if (file.kind === "refused") return unusable(file.reason);
  const text = file.bytes.toString("utf8");
  // A root that is not valid yet means that the clock is wrong. It is kept, so that clients need not trust a new one.
  const root = rootOf(text, text, now, true);
  if (typeof root !== "string") return { kind: "root", root, notice: earlyNotice(root, now) };
  const aside = setAside(path);
  if (aside === null) return unusable(`${root}, and ${path} cannot be moved out of the way`);
  const renewed = renewRoot(folder, machine, now);
  if (renewed.kind === "unusable") return renewed;
  const notice = `The certificate authority could not be used: ${root}. The old one is kept as ${aside}, and clients must trust the new one.`;
  return { ...renewed, notice };
}

function earlyNotice({ certificate }: Root, now: Date): string | null {
  if (new Date(certificate.validFrom) <= now) return null;
  return `Weir's root certificate is valid only from ${dateOf(certificate.validFrom)}, so this computer's clock is wrong. Set the clock; until then clients reject the certificate.`;
}

/** Creates a new root and stores it in the folder in place of the present one. `machine`: a part of the root's name. */
export function renewRoot(folder: string, machine: string, now: Date): RootResult {
  const root = newRoot(machine, now);
  const key = root.key.export({ type: "pkcs8", format: "pem" }).toString();
  const problem = writePrivateFile(join(folder, ROOT_FILE), key + root.chain);
  return problem === null ? { kind: "root", root, notice: null } : unusable(problem);
}

function unusable(reason: string): RootResult {
  return { kind: "unusable", reason: `The certificate authority cannot be used: ${reason}.` };
}
