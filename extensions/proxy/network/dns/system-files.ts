import { existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** Files in /etc that decide how names are looked up. */
export type SystemFile = "hosts" | "resolv.conf" | "nsswitch.conf" | "gai.conf";

/** What the system says about looking up names. */
export interface SystemView {
  /** The file's present text in lower case; `null` if it cannot be read. Throws if no descriptors are left. */
  text(file: SystemFile): string | null;
  hostName(): string;
  /** Whether systemd-resolved serves the module `resolve` of nsswitch.conf. */
  hasResolved(): boolean;
}

const NO_DESCRIPTORS = /EMFILE|ENFILE/;

const RESOLVED = "/run/systemd/resolve/io.systemd.Resolve";

/**
 * Reads the files again once they change. Reads synchronously, because other reads queue for libuv's threads, which
 * bodies and files share.
 */
export class SystemFiles implements SystemView {
  readonly #folder: string;
  readonly #read = new Map<SystemFile, { readonly stats: Stats; readonly text: string }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  text(file: SystemFile): string | null {
    const path = join(this.#folder, file);
    try {
      const stats = statSync(path);
      const known = this.#read.get(file);
      if (known !== undefined && isSame(known.stats, stats)) return known.text;
      const text = readFileSync(path, "latin1").toLowerCase();
      this.#read.set(file, { stats, text });
      return text;
    } catch (error) {
      if (NO_DESCRIPTORS.test(String(error))) throw error;
      return null;
    }
  }

  hostName(): string {
    return hostname().toLowerCase();
  }

  hasResolved(): boolean {
    return existsSync(RESOLVED);
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return (
    one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.size === other.size && one.ino === other.ino
  );
}
