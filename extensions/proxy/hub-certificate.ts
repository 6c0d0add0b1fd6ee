import { X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Instant, Milliseconds } from "../../src/engine/model/units.ts";
import {
  type ExportedFiles,
  exportedFiles,
  exportProblem,
  exportRoot,
  exportTime,
  publicRoots,
} from "./certificates/export.ts";
import { isTrusted } from "./certificates/trust.ts";
import type { Clock } from "./clock.ts";
import { freshNode } from "./window/child-process.ts";

/** Our choice: a store that has not answered by then is not readable. */
const TRUST_LIMIT: Milliseconds = 15_000;

/** Our choice: how old the knowledge about the exported files may be while somebody looks at it. */
const LOOK_INTERVAL: Milliseconds = 2_000;

/** Node asks the system once per process and remembers the answer, so the question needs a process of its own. */
const ASK_SYSTEM = 'process.stdout.write(JSON.stringify(require("node:tls").getCACertificates("system")))';

/** The certificate's public side as the Setup Hub shows it: where it is exported, and whether the system trusts it. */
export class HubCertificate {
  #certificate: X509Certificate;
  readonly #clock: Clock;
  #folder: string;
  #looked: { readonly at: Instant; readonly problem: string | null } | null = null;
  #trusted: boolean | null = null;
  #askedAt: Instant | null = null;
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

  get validTo(): string {
    return this.#certificate.validTo;
  }

  /** `null`: not asked yet, being asked, or not readable. */
  get trustedBySystem(): boolean | null {
    return this.#trusted;
  }

  get trustAskedAt(): Instant | null {
    return this.#askedAt;
  }

  get exportedAt(): Instant | null {
    return this.problem() === null ? (exportTime(this.#folder) as Instant | null) : null;
  }

  /** Why the exported files are not in place, as a sentence. */
  problem(): string | null {
    const now = this.#clock.now();
    if (this.#looked === null || now - this.#looked.at > LOOK_INTERVAL)
      this.#looked = { at: now, problem: exportProblem(this.#certificate, this.#folder) };
    return this.#looked.problem;
  }

  /** Writes the files into a folder that exists, which from then on is the one; `null` is success, else a sentence. */
  exportTo(given: string): string | null {
    const folder = given.trim().replace(/^~(?=$|[/\\])/, homedir());
    if (!isAbsolute(folder)) return "Enter the folder's whole path.";
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return `${folder} is no folder.`;
    const problem = exportRoot({ certificate: this.#certificate }, join(folder), publicRoots());
    if (problem !== null) return `${problem}.`;
    this.#folder = join(folder);
    this.#looked = null;
    return null;
  }

  /** Another certificate in its place, exported where the old one was: `problem` says it if that did not work. */
  renew(pem: string): void {
    this.#certificate = new X509Certificate(pem);
    this.#looked = null;
    this.#trusted = null;
    this.#askedAt = null;
    exportRoot({ certificate: this.#certificate }, this.#folder, publicRoots());
  }

  /** Asks the system anew; one question at a time. */
  askTrust(): Promise<boolean | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean | null> {
    const printed = await freshNode(ASK_SYSTEM, TRUST_LIMIT);
    this.#trusted = printed === null ? null : isTrusted(this.fingerprint, JSON.parse(printed) as string[]);
    this.#askedAt = this.#clock.now();
    return this.#trusted;
  }
}
