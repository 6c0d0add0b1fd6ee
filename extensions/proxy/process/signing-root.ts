import { hostname } from "node:os";
import type { CertificateState, Notice } from "../../../src/engine/messages/status-messages.ts";
import { type Result, success } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { exportedFiles, exportRoot, factsOf, isExported, publicRoots } from "../certificates/export.ts";
import { loadRoot, type Root } from "../certificates/root.ts";
import { openRoot, renewRoot } from "../certificates/root-file.ts";
import { pemOf } from "../certificates/x509.ts";
import type { PublicRoot } from "../threads.ts";
import type { Arguments } from "./arguments.ts";

interface SigningRoot {
  readonly root: Root;
  /** Messages for the user, for example that an older root was replaced. */
  readonly notices: readonly Notice[];
}

/**
 * Opens the given root, or our own root, and exports its certificate to the data folder. The exit code of a failure is
 * 5.
 */
export function openSigningRoot(given: Arguments["ca"], folder: string): Result<SigningRoot> {
  const now = new Date();
  const found = given === null ? openRoot(folder, hostname(), now) : loadRoot(given.cert, given.key, now);
  if (!found.ok) return found;
  const { root, notice } = found.value;
  const notices: Notice[] = [];
  if (notice !== null) notices.push({ id: "root-replaced", severity: "warning", text: notice, advice: null });
  const unexported = isExported(root.certificate, folder, now) ? null : exportRoot(root, folder, publicRoots());
  if (unexported !== null)
    notices.push({ id: "certificate-export", severity: "warning", text: unexported, advice: null });
  return success({ root, notices });
}

/** Replaces our own root with a new one and exports it. */
export function renewSigningRoot(folder: string): Result<Root> {
  const renewed = renewRoot(folder, hostname(), new Date());
  if (!renewed.ok) return renewed;
  // The result is not needed: the Setup Hub checks the exported files and reports a failure.
  exportRoot(renewed.value.root, folder, publicRoots());
  return success(renewed.value.root);
}

/**
 * The part of a root that the engine thread and UI clients may know. `renewable`: the root is our own, not a given one.
 */
export function publicRootOf({ certificate }: Root, folder: string, renewable: boolean): PublicRoot {
  const state: CertificateState = Object.freeze({
    ...factsOf(certificate),
    ...exportedFiles(folder),
    endsAt: Date.parse(certificate.validTo) as Instant,
    renewable,
  });
  return { certificate: state, certificatePem: pemOf(certificate.raw) };
}
