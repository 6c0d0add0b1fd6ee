import type { ClientCertificate } from "../../../engine/model/settings.ts";

export interface CertificateEntry {
  /** The certificate's index in the setting. */
  readonly key: number;
  readonly host: string;
  readonly file: string;
  /** Whether the certificate has a passphrase, as text. */
  readonly note: string;
  /** The certificate as the engine sent it, to be sent back unchanged. */
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
