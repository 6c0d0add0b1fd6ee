import { existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** Files in /etc that decide how names are looked up. */
export type SystemFile = "hosts" | "resolv.conf" | "nsswitch.conf" | "gai.conf";

export interface SystemView {
  /** The file's present text in lower case; `null` if it cannot be read. Throws if no descriptors are left. */
  text(file: SystemFile): string | null;
  hostName(): string;
  /** Whether systemd-resolved serves the module `resolve` of nsswitch.conf. */
  hasResolved(): boolean;
}

const NO_DESCRIPTORS = /EMFILE|ENFILE/;

const RESOLVED = "/run/systemd/resolve/io.systemd.Resolve";

export interface SystemReads {
  readonly statSync: (path: string) => Stats;
  readonly readFileSync: (path: string, encoding: "latin1") => string;
  readonly existsSync: (path: string) => boolean;
}

/**
 * Looks at each file at most once in a turn of the event loop, since hundreds of names may be looked up in one, and
 * reads it again once it has changed. Reads synchronously, because other reads queue for libuv's threads, which bodies
 * and files share.
 */
export class SystemFiles implements SystemView {
  readonly #folder: string;
  readonly #reads: SystemReads;
  readonly #read = new Map<SystemFile, { readonly stats: Stats; readonly text: string }>();
  readonly #found = new Map<SystemFile, string | null>();
  #isResolved: boolean | null = null;
  #isTurnKnown = false;

  constructor(folder: string, reads: SystemReads = { statSync, readFileSync, existsSync }) {
    this.#folder = folder;
    this.#reads = reads;
  }

  text(file: SystemFile): string | null {
    this.#forgetAfterTurn();
    const found = this.#found.get(file);
    if (found !== undefined) return found;
    const text = this.#present(file);
    this.#found.set(file, text);
    return text;
  }

  hostName(): string {
    return hostname().toLowerCase();
  }

  hasResolved(): boolean {
    this.#forgetAfterTurn();
    this.#isResolved ??= this.#reads.existsSync(RESOLVED);
    return this.#isResolved;
  }

  #present(file: SystemFile): string | null {
    const path = join(this.#folder, file);
    try {
      const stats = this.#reads.statSync(path);
      const known = this.#read.get(file);
      if (known !== undefined && isSame(known.stats, stats)) return known.text;
      const text = this.#reads.readFileSync(path, "latin1").toLowerCase();
      this.#read.set(file, { stats, text });
      return text;
    } catch (error) {
      if (NO_DESCRIPTORS.test(String(error))) throw error;
      return null;
    }
  }

  #forgetAfterTurn(): void {
    if (this.#isTurnKnown) return;
    this.#isTurnKnown = true;
    setImmediate(() => {
      this.#isTurnKnown = false;
      this.#isResolved = null;
      this.#found.clear();
    });
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return (
    one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.size === other.size && one.ino === other.ino
  );
}
