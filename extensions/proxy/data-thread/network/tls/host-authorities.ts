import type { HostAuthority } from "../../../../../src/engine/model/settings.ts";
import { matchesHost } from "../origin.ts";

/** The certificates that the user trusts for one host's servers, besides the roots for all. */
export interface TrustedForHost {
  /** Distinguishes the connections that were verified by different certificates. */
  readonly serial: number;
  /** Each in PEM form. */
  readonly certificates: readonly string[];
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The CA files that the user added for hosts. The same object for the same host until the setting changes. */
export class HostAuthorities {
  #settings: readonly HostAuthority[] = [];
  /** By the places of the entries that name the host. */
  readonly #known = new Map<string, TrustedForHost>();
  #serial = 0;

  /** `null` if none is for this host. */
  find(settings: readonly HostAuthority[], host: string): TrustedForHost | null {
    if (settings.length === 0) return null;
    if (settings !== this.#settings) {
      this.#settings = settings;
      this.#known.clear();
    }
    const indexes = [...settings.keys()].filter((index) => matchesHost([settings[index]?.host ?? ""], host));
    if (indexes.length === 0) return null;
    const known = this.#known.get(indexes.join());
    if (known !== undefined) return known;
    this.#serial += 1;
    const certificates = indexes.flatMap((index) => settings[index]?.certificates.match(BLOCK) ?? []);
    const trusted = Object.freeze({ serial: this.#serial, certificates: Object.freeze(certificates) });
    this.#known.set(indexes.join(), trusted);
    return trusted;
  }
}
