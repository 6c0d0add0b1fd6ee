import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toolEnvironment } from "./tool.ts";

/** A key and a certificate for a host as PEM, and the root that makes the certificate valid in all other respects. */
export interface MadeCertificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

/** A certificate that Weir would never make, with the given options for its key and the given digest. */
export function opensslCertificate(
  folder: string,
  host: string,
  { key = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], digest = "-sha256", selfSigned = false },
): MadeCertificate {
  const path = (name: string): string => join(folder, name);
  const openssl = (...words: readonly string[]): void => {
    execFileSync("openssl", [...words], { stdio: "ignore", cwd: folder, env: toolEnvironment(folder) });
  };
  const fresh = ["-newkey", ...key, "-nodes", "-days", "2"];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const text = (name: string): string => readFileSync(path(name), "utf8");
  if (selfSigned) {
    openssl("req", "-x509", ...fresh, digest, "-keyout", "key.pem", "-out", "cert.pem", ...names);
    return { key: text("key.pem"), cert: text("cert.pem"), ca: text("cert.pem") };
  }
  const root = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  openssl("req", "-x509", ...root, "-keyout", "ca-key.pem", "-out", "ca.pem", "-subj", "/CN=A test's root");
  openssl("req", "-new", ...fresh.slice(0, -2), "-keyout", "key.pem", "-out", "request.pem", ...names);
  const signed = ["-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-copy_extensions", "copy", "-days", "2"];
  openssl("x509", "-req", "-in", "request.pem", ...signed, digest, "-out", "cert.pem");
  return { key: text("key.pem"), cert: text("cert.pem"), ca: text("ca.pem") };
}

/** The certificate in the folder and its key, as PFX. */
export function pfxOf(folder: string, file: string, passphrase: string): void {
  const words = [
    "pkcs12",
    "-export",
    "-in",
    "cert.pem",
    "-inkey",
    "key.pem",
    "-out",
    file,
    "-passout",
    `pass:${passphrase}`,
  ];
  execFileSync("openssl", words, { stdio: "ignore", cwd: folder, env: toolEnvironment(folder) });
}
