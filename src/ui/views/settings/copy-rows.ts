import type { Status } from "../../../engine/messages/status-messages.ts";
import { certificateDateText } from "../../format/clock.ts";

export interface CopyRow {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

export function certificateRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "Subject", value: certificate.subject, note: "" },
    { name: "Valid from", value: certificateDateText(certificate.validFrom), note: "" },
    { name: "Valid to", value: certificateDateText(certificate.validTo), note: "" },
    { name: "SHA-256 fingerprint", value: certificate.fingerprint, note: "" },
  ]);
}

/** The paths of the certificate's files. */
export function fileRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    {
      name: "weir-ca.pem",
      value: certificate.pem,
      note: "Weir's root certificate alone, for settings that add to the trusted roots",
    },
    {
      name: "weir-ca-bundle.pem",
      value: certificate.bundle,
      note: "The system's root certificates and Weir's, for settings that replace the trusted roots",
    },
    { name: "weir-ca.cer", value: certificate.der, note: "Weir's root certificate as DER, for phones" },
  ]);
}
