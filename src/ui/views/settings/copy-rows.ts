import type { Status } from "../../../engine/messages/status-messages.ts";
import { certificateDateText } from "../../format/clock.ts";

/** A value that can be copied. */
export interface CopyRow {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** What there is to know about the root certificate. */
export function certificateRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "Subject", value: certificate.subject, note: "" },
    { name: "Valid from", value: certificateDateText(certificate.validFrom), note: "" },
    { name: "Ends", value: certificateDateText(certificate.validTo), note: "" },
    { name: "SHA-256 fingerprint", value: certificate.fingerprint, note: "" },
  ]);
}

/** The files it lies in, by their paths. */
export function fileRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "weir-ca.pem", value: certificate.pem, note: "our root alone, for settings that add a certificate" },
    {
      name: "weir-ca-bundle.pem",
      value: certificate.bundle,
      note: "the system's roots and ours, for settings that replace the list",
    },
    { name: "weir-ca.cer", value: certificate.der, note: "our root as DER, for phones" },
  ]);
}
