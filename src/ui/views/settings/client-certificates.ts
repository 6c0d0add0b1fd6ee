import type { ClientCertificate } from "../../../engine/model/settings.ts";

/** One client certificate as the list shows it. */
export interface CertificateEntry {
  /** Its place in the setting. */
  readonly key: number;
  readonly host: string;
  readonly file: string;
  /** Whether it has a passphrase, in words. */
  readonly note: string;
  /** As the engine sent it, and as it is sent back. */
  readonly certificate: ClientCertificate;
}

export function certificateEntries(certificates: readonly ClientCertificate[]): readonly CertificateEntry[] {
  return Object.freeze(
    certificates.map((certificate, key) => {
      const { host, file, passphrase } = certificate;
      return Object.freeze({ key, host, file, note: passphrase === null ? "" : "with a passphrase", certificate });
    }),
  );
}
