/** A value with a button that copies it. */
export interface CopyRow {
  readonly name: string;
  readonly value: string;
  /** "" if there is nothing to add. */
  readonly note: string;
}

/** The exported files of the certificate, from their paths. */
export function exportedFiles(pem: string, bundle: string, der: string): readonly CopyRow[] {
  return Object.freeze([
    {
      name: "weir-ca.pem",
      value: pem,
      note: "Weir's root certificate alone, for settings that add to the trusted roots.",
    },
    {
      name: "weir-ca-bundle.pem",
      value: bundle,
      note: "The system's root certificates and Weir's, for settings that replace the trusted roots.",
    },
    { name: "weir-ca.cer", value: der, note: "Weir's root certificate as DER, for phones." },
  ]);
}
