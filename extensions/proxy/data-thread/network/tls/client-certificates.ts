import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { ClientCertificate } from "../../../../../src/engine/model/settings.ts";
import { matchesHost } from "../origin.ts";

/**
 * The user's certificate for servers that request one. A usable identity stays the same object until the setting
 * changes.
 */
export type ClientIdentity =
  | {
      readonly kind: "identity";
      /** Distinguishes the connections of different identities. */
      readonly serial: number;
      readonly options: Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase">;
    }
  | { readonly kind: "unusable"; readonly serial: number; readonly detail: string };

/** The user's client certificates. After a change of the setting, each file is read when its host is first used. */
export class ClientCertificates {
  #settings: readonly ClientCertificate[] = [];
  readonly #identities = new Map<ClientCertificate, ClientIdentity>();
  #serial = 0;

  find(settings: readonly ClientCertificate[], host: string): ClientIdentity | null {
    if (settings !== this.#settings) {
      this.#settings = settings;
      this.#identities.clear();
    }
    const chosen = settings.find((one) => matchesHost([one.host], host));
    if (chosen === undefined) return null;
    const known = this.#identities.get(chosen);
    if (known !== undefined) return known;
    this.#serial += 1;
    const identity = identityOf(chosen, this.#serial);
    // Unusable files are not cached, since a file may be repaired without a change of the setting.
    if (identity.kind === "identity") this.#identities.set(chosen, identity);
    return identity;
  }
}

function identityOf({ file, passphrase }: ClientCertificate, serial: number): ClientIdentity {
  try {
    const bytes = readFileSync(file);
    const secret = passphrase === null ? {} : { passphrase };
    const options = /\.(pfx|p12)$/i.test(file) ? { pfx: bytes, ...secret } : { cert: bytes, key: bytes, ...secret };
    createSecureContext(options);
    return { kind: "identity", serial, options };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { kind: "unusable", serial, detail: `The client certificate ${file} could not be used: ${words}.` };
  }
}
