import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { encoded, integer, objectIdentifier, octets, sequence } from "../../../extensions/proxy/certificates/der.ts";
import { loadRoot, type OpenedRoot } from "../../../extensions/proxy/certificates/root.ts";
import {
  type Content,
  certificateOf,
  commonName,
  keyIdentifier,
  leafExtensions,
  pemOf,
  publicKeyInfo,
  rootExtensions,
} from "../../../extensions/proxy/certificates/x509.ts";
import type { Result } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { refuses, rootIn } from "./made-root.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const ec = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const p384 = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function certificate(pair: Pair, changes: Partial<Content> = {}, signer = pair.privateKey): string {
  const publicKey = publicKeyInfo(pair.publicKey);
  const content: Content = {
    issuer: commonName("A company's root"),
    subject: commonName("A company's root"),
    validFrom: new Date("2026-01-01"),
    validTo: new Date("2060-01-01"),
    publicKey,
    extensions: rootExtensions(keyIdentifier(publicKey)),
    ...changes,
  };
  return pemOf(certificateOf(content, signer));
}

function keyOf(pair: Pair): string {
  return pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

async function loaded(certificateText: string, keyText: string): Promise<Result<OpenedRoot>> {
  let result: Result<OpenedRoot> | null = null;
  await withFolder(async (folder) => {
    const [certificateFile, keyFile] = [join(folder, "ca.pem"), join(folder, "ca.key")];
    await writeFile(certificateFile, certificateText);
    await writeFile(keyFile, keyText);
    await chmod(keyFile, 0o600);
    result = loadRoot(certificateFile, keyFile, NOW);
  });
  if (result === null) throw new Error("not loaded");
  return result;
}

describe("user-supplied root certificate", (test) => {
  test("given RSA and EC roots with a certificate above them, loads both certificates", async () => {
    for (const pair of [ec, p384, rsa]) {
      const above = certificate(p384);
      const { chain, certificate: own } = rootIn(await loaded(certificate(pair) + above, keyOf(pair)));
      assert.ok(own.checkPrivateKey(pair.privateKey));
      assert.is(chain.split("BEGIN CERTIFICATE").length - 1, 2);
    }
  });

  test("given a key in SEC 1 or PKCS #1 form, loads it", async () => {
    rootIn(await loaded(certificate(ec), ec.privateKey.export({ type: "sec1", format: "pem" }).toString()));
    rootIn(await loaded(certificate(rsa), rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString()));
  });

  test("given a key of another certificate, refuses it", async () => {
    refuses(await loaded(certificate(ec), keyOf(p384)), /the key belongs to another certificate/);
  });

  test("given a certificate that is not an authority, refuses it", async () => {
    const extensions = leafExtensions(Buffer.alloc(20), Buffer.alloc(20));
    refuses(await loaded(certificate(ec, { extensions }), keyOf(ec)), /not a certificate authority/);
  });

  test("given an authority that may not sign certificates, refuses it", async () => {
    const [constraints] = rootExtensions(Buffer.alloc(20));
    if (constraints === undefined) throw new Error("no constraints");
    const [, digitalSignature] = leafExtensions(Buffer.alloc(20), Buffer.alloc(20));
    if (digitalSignature === undefined) throw new Error("no usage");
    const extensions = [constraints, digitalSignature];
    refuses(await loaded(certificate(ec, { extensions }), keyOf(ec)), /may sign certificates/);
    rootIn(await loaded(certificate(ec, { extensions: [constraints] }), keyOf(ec)));
  });

  test("given a root that has expired or is not valid yet, refuses it with the date", async () => {
    refuses(
      await loaded(certificate(ec, { validTo: new Date("2026-02-01") }), keyOf(ec)),
      /it expired on 2026-02-01 00:00 UTC/,
    );
    refuses(
      await loaded(certificate(ec, { validFrom: new Date("2027-02-01") }), keyOf(ec)),
      /it is valid only from 2027-02-01 00:00 UTC/,
    );
    refuses(await loaded(certificate(ec, { validTo: NOW }), keyOf(ec)), /it expired on 2026-11-20/);
    rootIn(await loaded(certificate(ec, { validFrom: NOW }), keyOf(ec)));
  });

  test("given an RSA key of 1024 bits or an Ed25519 key, refuses it", async () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
    refuses(await loaded(certificate(weak), keyOf(weak)), /1024 bits/);
    const edwards = generateKeyPairSync("ed25519");
    refuses(await loaded(certificate(edwards, {}, ec.privateKey), keyOf(edwards)), /ed25519/);
  });

  test("given an encrypted key, no key, no certificate or no file, names the reason", async () => {
    const locked = ec.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" });
    refuses(await loaded(certificate(ec), locked.toString()), /encrypted/);
    refuses(await loaded(certificate(ec), "nothing"), /no private key/);
    refuses(await loaded("nothing", keyOf(ec)), /it contains no certificate/);
    refuses(loadRoot("/nowhere/ca.pem", "/nowhere/ca.key", NOW), /ENOENT/);
  });

  test("given an unusable key, the refusal does not quote it", async () => {
    const secret = keyOf(ec).split("\n")[1] ?? "-";
    for (const text of [keyOf(ec).replace("MIG", "MIH"), keyOf(ec).slice(0, 100), keyOf(ec)]) {
      const result = await loaded(certificate(p384), text);
      assert.not(result.ok);
      assert.not.ok(JSON.stringify(result).includes(secret.slice(8)));
    }
  });

  test("given an unknown extension, loads the root", async () => {
    const unknown = sequence(objectIdentifier("1.3.6.1.4.1.99999.1"), octets(encoded(integer(Uint8Array.of(7)))));
    const extensions = [unknown, ...rootExtensions(Buffer.alloc(20, 7))];
    rootIn(await loaded(certificate(ec, { extensions }), keyOf(ec)));
  });
});
