import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import * as assert from "uvu/assert";
import {
  exportedFiles,
  exportRoot,
  factsOf,
  isExported,
  isTrusted,
  publicRoots,
} from "../../../extensions/proxy/certificates/export.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { madeRoot } from "./made-root.ts";

const EXPORT = new URL("../../../extensions/proxy/certificates/export.ts", import.meta.url).href;
const OTHERS = rootCertificates.slice(0, 3);

function prints(pems: readonly string[]): string[] {
  return pems.map((pem) => new X509Certificate(pem).fingerprint256);
}

/** The fingerprints of the public roots in a process with these variables. */
function publicRootsWith(variables: Readonly<Record<string, string>>): string[] {
  const script = `import(${JSON.stringify(EXPORT)}).then((its) => console.log(JSON.stringify(its.publicRoots())))`;
  const env = { ...process.env, ...variables };
  const { stdout } = spawnSync(process.execPath, ["--eval", script], { env, encoding: "utf8" });
  return prints(JSON.parse(stdout) as string[]);
}

describe("certificate export files", (test) => {
  test("given a root, writes it as PEM, as DER and in a bundle after the system's roots", () =>
    withFolder(async (folder) => {
      const root = madeRoot(folder);
      assert.is(exportRoot(root, folder, OTHERS), null);
      const files = exportedFiles(folder);
      assert.is(new X509Certificate(await readFile(files.pem)).fingerprint256, root.certificate.fingerprint256);
      assert.ok((await readFile(files.der)).equals(root.certificate.raw));
      const bundle = (await readFile(files.bundle, "utf8")).split(/(?<=-----END CERTIFICATE-----\n)/);
      assert.equal(
        bundle.map((pem) => new X509Certificate(pem).fingerprint256),
        [...OTHERS.map((pem) => new X509Certificate(pem).fingerprint256), root.certificate.fingerprint256],
      );
    }));

  test("given the exported files, none contains the private key", () =>
    withFolder(async (folder) => {
      const root = madeRoot(folder);
      exportRoot(root, folder, OTHERS);
      const key = root.key.export({ type: "pkcs8", format: "der" });
      for (const path of Object.values(exportedFiles(folder))) {
        const bytes = await readFile(path);
        assert.not.ok(
          bytes.includes("PRIVATE") || bytes.includes(key) || bytes.includes(key.toString("base64").slice(0, 60)),
        );
      }
    }));

  test("given a file with the same content, leaves it alone; given another content, replaces it", () =>
    withFolder(async (folder) => {
      const root = madeRoot(folder);
      exportRoot(root, folder, OTHERS);
      const { pem } = exportedFiles(folder);
      const { ino } = await stat(pem);
      exportRoot(root, folder, OTHERS);
      assert.is((await stat(pem)).ino, ino);
      await writeFile(pem, "something else");
      exportRoot(root, folder, OTHERS);
      assert.match(await readFile(pem, "utf8"), /^-----BEGIN CERTIFICATE-----\n/);
    }));

  test("given exported files, counts them as current for one day and only for the same root", () =>
    withFolder(async (folder) => {
      const root = madeRoot(folder);
      const now = new Date();
      const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
      assert.not(isExported(root.certificate, folder, now), "nothing is there yet");
      exportRoot(root, folder, OTHERS);
      assert.ok(isExported(root.certificate, folder, later(23)));
      assert.not(isExported(root.certificate, folder, later(25)), "the system's roots may have changed");
      assert.not(isExported(root.certificate, folder, later(-25)), "the clock was set back");
      assert.not(isExported(madeRoot(folder).certificate, folder, now), "another root");
      const { bundle } = exportedFiles(folder);
      await utimes(bundle, later(-30), later(-30));
      exportRoot(root, folder, OTHERS);
      assert.ok(isExported(root.certificate, folder, now), "made anew, although it says the same");
    }));

  test("given a missing folder, returns a sentence", () =>
    withFolder((folder) => {
      assert.match(exportRoot(madeRoot(folder), join(folder, "no"), OTHERS) ?? "", /cannot be written: .*ENOENT/);
    }));

  test("given a certificate, its facts have subject, issuer, end and fingerprint", () =>
    withFolder((folder) => {
      const { certificate } = madeRoot(folder, new Date("2026-11-20T12:00:00Z"));
      const facts = factsOf(certificate);
      assert.match(facts.subject, /^CN=Weir Root CA/);
      assert.is(facts.issuer, facts.subject);
      assert.is(facts.validTo, "Nov 20 12:00:00 2031 GMT");
      assert.match(facts.fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    }));

  test("given this machine, finds more than 10 public roots", () => {
    assert.ok(publicRoots().length > 10);
  });

  const skip = process.platform === "linux" ? null : "needs Linux, where a variable names the system's roots";

  test(
    "given Weir's own bundle as the system's list, leaves out Weir's roots and duplicates",
    () =>
      withFolder(async (folder) => {
        exportRoot(madeRoot(folder), folder, [...OTHERS, ...OTHERS, madeRoot(folder).chain]);
        const { bundle } = exportedFiles(folder);
        assert.equal(publicRootsWith({ SSL_CERT_FILE: bundle, SSL_CERT_DIR: folder }), prints(OTHERS));
      }),
    { skip },
  );

  test(
    "given a system without roots, and our roots in NODE_EXTRA_CA_CERTS, leaves ours out of Node's",
    () =>
      withFolder(async (folder) => {
        const [none, extra] = [join(folder, "none.pem"), join(folder, "extra.pem")];
        await writeFile(none, "");
        await writeFile(extra, madeRoot(folder).chain + madeRoot(folder).chain);
        const found = publicRootsWith({ SSL_CERT_FILE: none, SSL_CERT_DIR: folder, NODE_EXTRA_CA_CERTS: extra });
        assert.equal(found.toSorted(), prints(rootCertificates).toSorted());
      }),
    { skip },
  );

  test("given the system's list, trusts exactly a root that it contains, whatever its line breaks", () =>
    withFolder((folder) => {
      const { certificate, chain } = madeRoot(folder);
      assert.not(isTrusted(certificate, OTHERS));
      assert.not(isTrusted(certificate, ["", "garbage", "-----BEGIN CERTIFICATE-----"]));
      assert.ok(isTrusted(certificate, [...OTHERS, chain]));
      assert.ok(isTrusted(certificate, [chain.replaceAll("\n", "\r\n")]));
    }));
});
