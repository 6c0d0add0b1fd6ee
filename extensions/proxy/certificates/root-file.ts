import { join } from "node:path";
import { readPrivateFile, setAside, writePrivateFile } from "../storage/private-file.ts";
import { dateOf, newRoot, type Root, type RootResult, rootOf } from "./root.ts";

/** Key and certificate in one file, so that no crash can part them. Its name says that it is not to be given away. */
export const ROOT_FILE = "weir-ca.key";

const MOST_BYTES = 1024 * 1024;

/** The root of this data folder: the one that is there, or a new one where there is none or none that can be used. */
export function openRoot(folder: string, machine: string, now: Date): RootResult {
  const path = join(folder, ROOT_FILE);
  const file = readPrivateFile(path, MOST_BYTES);
  if (file.kind === "absent") return renewRoot(folder, machine, now);
  if (file.kind === "refused") return unusable(file.reason);
  const text = file.bytes.toString("utf8");
  // One of ours that begins only later tells that the clock is wrong for now: no reason to have all clients trust another.
  const root = rootOf(text, text, now, true);
  if (typeof root !== "string") return { kind: "root", root, notice: earlyNotice(root, now) };
  const aside = setAside(path);
  if (aside === null) return unusable(`${root}, and ${path} cannot be moved out of the way`);
  const renewed = renewRoot(folder, machine, now);
  if (renewed.kind === "unusable") return renewed;
  const notice = `The certificate authority could not be used: ${root}. It is kept as ${aside}, and clients must trust the new one.`;
  return { ...renewed, notice };
}

function earlyNotice({ certificate }: Root, now: Date): string | null {
  if (new Date(certificate.validFrom) <= now) return null;
  return `Weir's root certificate begins only on ${dateOf(certificate.validFrom)}, so this computer's clock is wrong: until it is set, clients refuse the certificate.`;
}

/** Makes a new root and keeps it in the folder, in the place of the one that is there. `machine` is shown in its name. */
export function renewRoot(folder: string, machine: string, now: Date): RootResult {
  const root = newRoot(machine, now);
  const key = root.key.export({ type: "pkcs8", format: "pem" }).toString();
  const problem = writePrivateFile(join(folder, ROOT_FILE), key + root.chain);
  return problem === null ? { kind: "root", root, notice: null } : unusable(problem);
}

function unusable(reason: string): RootResult {
  return { kind: "unusable", reason: `The certificate authority cannot be used: ${reason}.` };
}
