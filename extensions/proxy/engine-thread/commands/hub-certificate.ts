import { createHash, X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Problem } from "../../../../src/engine/model/result.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import {
  type ExportedFiles,
  exportedFiles,
  exportProblem,
  exportRoot,
  exportTime,
  isTrusted,
  publicRoots,
} from "../../certificates/export.ts";
import { freshNode } from "../../process/child-process.ts";
import type { Clock } from "../../process/clock.ts";

/** If reading the system's store takes longer, the store counts as unreadable. */
const TRUST_LIMIT: Milliseconds = 15_000;

/** How long the result of checking the exported files is cached. */
const LOOK_INTERVAL: Milliseconds = 2_000;

/** Reads the system's store in a new process, because Node reads the store only once per process. */
const ASK_SYSTEM = 'process.stdout.write(JSON.stringify(require("node:tls").getCACertificates("system")))';

/** The certificate for the Setup Hub: where it is exported, and whether the system trusts it. */
export class HubCertificate {
  #certificate: X509Certificate;
  readonly #clock: Clock;
  #folder: string;
  #looked: { readonly at: Instant; readonly problem: string | null } | null = null;
  #trusted: boolean | null = null;
  #readAt: Instant | null = null;
  #asking: Promise<boolean | null> | null = null;

  constructor(pem: string, folder: string, clock: Clock) {
    this.#certificate = new X509Certificate(pem);
    this.#folder = folder;
    this.#clock = clock;
  }

  get folder(): string {
    return this.#folder;
  }

  get files(): ExportedFiles {
    return exportedFiles(this.#folder);
  }

  get fingerprint(): string {
    return this.#certificate.fingerprint256;
  }

  /** As in `Values`. */
  get keyHash(): string {
    return createHash("sha256")
      .update(this.#certificate.publicKey.export({ type: "spki", format: "der" }))
      .digest("base64");
  }

  get validTo(): string {
    return this.#certificate.validTo;
  }

  /**
   * Whether the system trusts the certificate; `null` before the first check has ended, or if the store cannot be read.
   */
  get trustedBySystem(): boolean | null {
    return this.#trusted;
  }

  get trustReadAt(): Instant | null {
    return this.#readAt;
  }

  get exportedAt(): Instant | null {
    return this.problem() === null ? (exportTime(this.#folder) as Instant | null) : null;
  }

  /** Why the exported files are not in place, as a sentence; `null` if they are. */
  problem(): Problem | null {
    const now = this.#clock.now();
    if (this.#looked === null || now - this.#looked.at > LOOK_INTERVAL)
      this.#looked = { at: now, problem: exportProblem(this.#certificate, this.#folder) };
    return this.#looked.problem;
  }

  /** Writes the files into an existing folder and uses that folder from then on. */
  exportTo(given: string): Problem | null {
    const folder = given.trim().replace(/^~(?=$|[/\\])/, homedir());
    if (!isAbsolute(folder)) return "Enter the folder's full path.";
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return `${folder} is not a folder.`;
    const problem = exportRoot({ certificate: this.#certificate }, join(folder), publicRoots());
    if (problem !== null) return `${problem}.`;
    this.#folder = join(folder);
    this.#looked = null;
    return null;
  }

  /**
   * Replaces the certificate and exports the new one to the same folder. If the export fails, `problem` returns the
   * reason.
   */
  renew(pem: string): void {
    this.#certificate = new X509Certificate(pem);
    this.#looked = null;
    this.#trusted = null;
    this.#readAt = null;
    exportRoot({ certificate: this.#certificate }, this.#folder, publicRoots());
  }

  /** Checks the system's store again. A call during a check shares its result. */
  askTrust(): Promise<boolean | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean | null> {
    const printed = await freshNode(ASK_SYSTEM, TRUST_LIMIT);
    this.#trusted = printed === null ? null : isTrusted(this.#certificate, JSON.parse(printed) as string[]);
    this.#readAt = this.#clock.now();
    return this.#trusted;
  }
}
