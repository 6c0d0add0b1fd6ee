import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { exportedFiles } from "../extensions/proxy/certificates/export.ts";
import { BAD_USAGE, CA_UNUSABLE, DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { codeOf, errorText } from "../extensions/proxy/storage/private-file.ts";
import { complain, emptyAmong, writeText } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";

/** Prints where the root certificate is and how a client can trust it. Reads one file and changes nothing. */
export async function main({ values }: ParsedFor<"certificate">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  const { pem, bundle, der } = exportedFiles(folder);
  let bytes: Buffer;
  try {
    bytes = readFileSync(pem);
  } catch (error) {
    const sentence =
      codeOf(error) === "ENOENT"
        ? `There is no certificate at ${pem} yet. Weir makes the certificate when it starts: weir start.`
        : `${pem} cannot be read: ${errorText(error)}.`;
    return complain(DATA_FOLDER_UNUSABLE, sentence);
  }
  const root = parsed(bytes);
  if (root === null)
    return complain(CA_UNUSABLE, `${pem} holds no certificate. Weir writes the file again when it starts.`);
  const text = [
    `Root alone     ${pem}`,
    `Bundle         ${bundle}`,
    `For phones     ${der}`,
    `SHA-256        ${root.fingerprint256}`,
    `Valid until    ${root.validToDate.toISOString().slice(0, 10)}`,
    "",
    "Weir changes no trust store. Trust the certificate where you need it:",
    "1. For one terminal: evaluate the lines that weir env prints.",
    "2. Settings that add to the trusted roots (NODE_EXTRA_CA_CERTS, most import dialogs) take the root alone.",
    "3. Settings that replace the trusted roots (curl --cacert, REQUESTS_CA_BUNDLE, SSL_CERT_FILE) take the bundle:",
    "   the system's roots and Weir's.",
    "4. Phones that use the proxy find the certificate at http://weir.test/.",
    "Compare the fingerprint wherever you import the certificate. The Setup Hub has the steps for each client.",
  ];
  return (await writeText([`${text.join("\n")}\n`], null)) ?? 0;
}

function parsed(bytes: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
}
