import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { errorText } from "../storage/private-file.ts";

const KINDS = ["default", "system", "extra"] as const;

/**
 * Reads the given files (`--upstream-ca`). The returned function gives the roots for verifying servers, as PEM: Node's,
 * the system's, those of NODE_EXTRA_CA_CERTS and those of the files. Its first call takes some 50 ms; later calls
 * return the same array.
 */
export function upstreamRoots(files: readonly string[]): Result<() => readonly string[]> {
  const own: string[] = [];
  for (const file of files) {
    const found = rootsIn(file);
    if (!found.ok) return found;
    own.push(...found.value);
  }
  let roots: readonly string[] | null = null;
  return success(() => {
    roots ??= [...new Set(KINDS.flatMap((kind) => getCACertificates(kind))), ...own];
    return roots;
  });
}

function rootsIn(file: string): Result<readonly string[]> {
  try {
    const found = readFileSync(file, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (found === null) return failure(`${file} contains no certificate in PEM form.`);
    for (const pem of found) new X509Certificate(pem);
    return success(found);
  } catch (error) {
    return failure(`${file} cannot be used: ${errorText(error)}.`);
  }
}
