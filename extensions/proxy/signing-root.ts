import { hostname } from "node:os";
import type { CertificateState, Notice } from "../../src/engine/messages/status-messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import type { Arguments } from "./arguments.ts";
import { exportedFiles, exportRoot, factsOf, isExported, publicRoots } from "./certificates/export.ts";
import { loadRoot, type Root } from "./certificates/root.ts";
import { openRoot, renewRoot } from "./certificates/root-file.ts";
import { pemOf } from "./certificates/x509.ts";
import type { PublicRoot } from "./threads.ts";

interface SigningRoot {
  readonly root: Root;
  /** What is to be told of it, such as that an older one was replaced. */
  readonly notices: readonly Notice[];
}

/** The root that was given, or our own, exported to the data folder; a sentence where there is none to start with. */
export function openSigningRoot(given: Arguments["ca"], folder: string): SigningRoot | string {
  const now = new Date();
  const found = given === null ? openRoot(folder, hostname(), now) : loadRoot(given.cert, given.key, now);
  if (found.kind === "unusable") return found.reason;
  const { root, notice } = found;
  const notices: Notice[] = [];
  if (notice !== null) notices.push({ id: "root-replaced", severity: "warning", text: notice });
  const unexported = isExported(root.certificate, folder, now) ? null : exportRoot(root, folder, publicRoots());
  if (unexported !== null) notices.push({ id: "certificate-export", severity: "warning", text: unexported });
  return { root, notices };
}

/** A new root in the place of our own, exported like it; a sentence where it could not be kept. */
export function renewSigningRoot(folder: string): Root | string {
  const renewed = renewRoot(folder, hostname(), new Date());
  if (renewed.kind === "unusable") return renewed.reason;
  // What cannot be exported is told by the Setup Hub, which looks at the files.
  exportRoot(renewed.root, folder, publicRoots());
  return renewed.root;
}

/** What the engine and pages may know of it. `renewable`: it is our own, not one that was given. */
export function publicRootOf({ certificate }: Root, folder: string, renewable: boolean): PublicRoot {
  const state: CertificateState = Object.freeze({
    ...factsOf(certificate),
    ...exportedFiles(folder),
    endsAt: Date.parse(certificate.validTo) as Instant,
    renewable,
  });
  return { certificate: state, certificatePem: pemOf(certificate.raw) };
}
