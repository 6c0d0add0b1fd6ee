import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connect, createServer, type DetailedPeerCertificate } from "node:tls";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { hostNameOf, LeafCertificates } from "../../../extensions/proxy/certificates/leaf-certificates.ts";
import type { Root } from "../../../extensions/proxy/certificates/root.ts";
import {
  certificateOf,
  commonName,
  DAY,
  keyIdentifier,
  pemOf,
  publicKeyInfo,
  rootExtensions,
} from "../../../extensions/proxy/certificates/x509.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";
import { madeRoot } from "./made-root.ts";

const LONG = `${"long-label.".repeat(8)}example`;

/** The requested host, and how the certificate names it. */
const HOSTS: readonly (readonly [
  asked: string,
  names: string,
  openssl: "-verify_hostname" | "-verify_ip",
  as: string,
])[] = [
  ["example.com", "DNS:example.com", "-verify_hostname", "example.com"],
  ["Bücher.Example.", "DNS:xn--bcher-kva.example", "-verify_hostname", "xn--bcher-kva.example"],
  ["192.0.2.7", "IP Address:192.0.2.7", "-verify_ip", "192.0.2.7"],
  ["[2001:db8::7]", "IP Address:2001:DB8:0:0:0:0:0:7", "-verify_ip", "2001:db8::7"],
  [LONG, `DNS:${LONG}`, "-verify_hostname", LONG],
  ["not a host", "DNS:not-a-host-name.invalid", "-verify_hostname", "not-a-host-name.invalid"],
];

/** `identifier`: the key identifier in its own certificate. */
function rsaRoot(identifier?: Buffer): Root {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const info = publicKeyInfo(publicKey);
  const name = commonName("An RSA root");
  const extensions = rootExtensions(identifier ?? keyIdentifier(info));
  const [validFrom, validTo] = [new Date(Date.now() - DAY), new Date(Date.now() + 1_000 * DAY)];
  const content = { issuer: name, subject: name, validFrom, validTo, publicKey: info, extensions };
  const raw = certificateOf(content, privateKey);
  return { certificate: new X509Certificate(raw), key: privateKey, chain: pemOf(raw) };
}

/** The certificate that a client which trusts only `root` receives from a server that responds as `name`. */
async function handshake(root: Root, name: string): Promise<DetailedPeerCertificate> {
  const leaves = new LeafCertificates(root);
  const server = createServer({ SNICallback: (_, done) => done(null, leaves.contextFor(name)) });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // A client that connects to an address sends no SNI; here it must, since the server has no default context.
  const client = connect({
    port,
    host: "127.0.0.1",
    servername: "sni.example",
    ca: root.chain,
    checkServerIdentity: () => undefined,
  });
  try {
    await once(client, "secureConnect");
    assert.ok(client.authorized);
    return client.getPeerCertificate(true);
  } finally {
    client.destroy();
    server.close();
    await once(server, "close");
  }
}

describe("leaf certificates", (test) => {
  test("given a name or an address, issues a leaf for exactly that", () =>
    withFolder((folder) => {
      const root = madeRoot(folder);
      const leaves = new LeafCertificates(root);
      for (const [asked, names] of HOSTS) {
        const leaf = new X509Certificate(leaves.leafFor(asked));
        assert.is(leaf.subjectAltName, names);
        assert.ok(leaf.subject.length > "CN=".length);
        assert.not(leaf.ca);
        assert.equal(leaf.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
        assert.ok(leaf.checkIssued(root.certificate));
        assert.ok(leaf.verify(root.certificate.publicKey));
      }
    }));

  for (const kind of ["EC", "RSA"]) {
    test(
      `given an ${kind} root, openssl's strict verification accepts leaves for every kind of name`,
      () =>
        withFolder(async (folder) => {
          const root = kind === "EC" ? madeRoot(folder) : rsaRoot();
          const leaves = new LeafCertificates(root);
          const [rootFile, leafFile] = [join(folder, "root.pem"), join(folder, "leaf.pem")];
          await writeFile(rootFile, root.chain);
          for (const [asked, , option, as] of HOSTS) {
            await writeFile(leafFile, pemOf(leaves.leafFor(asked)));
            const words = [
              "openssl",
              "verify",
              "-x509_strict",
              "-purpose",
              "sslserver",
              "-CAfile",
              rootFile,
              option,
              as,
              leafFile,
            ];
            assert.match((await runTool(words, folder)).output, /: OK/, asked);
          }
        }),
      { skip: needs("openssl") },
    );
  }

  test(
    "given a root and a leaf, their extensions are critical where RFC 5280 requires it",
    () =>
      withFolder(async (folder) => {
        const root = madeRoot(folder);
        const leafFile = join(folder, "leaf.pem");
        await writeFile(leafFile, pemOf(new LeafCertificates(root).leafFor("example.com")));
        const rootFile = join(folder, "root.pem");
        await writeFile(rootFile, root.chain);
        const shown = async (file: string) =>
          (await runTool(["openssl", "x509", "-in", file, "-noout", "-text"], folder)).output;
        const [ofRoot, ofLeaf] = [await shown(rootFile), await shown(leafFile)];
        assert.match(ofRoot, /Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
        assert.match(ofRoot, /Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
        assert.match(ofRoot, /Subject Key Identifier/);
        assert.not.match(ofRoot, /Extended Key Usage/);
        assert.match(ofLeaf, /Basic Constraints: critical\s+CA:FALSE/);
        assert.match(ofLeaf, /Key Usage: critical\s+Digital Signature\n/);
        assert.match(ofLeaf, /Extended Key Usage:\s+TLS Web Server Authentication\n/);
        assert.match(ofLeaf, /Authority Key Identifier/);
        assert.match(ofLeaf, /Signature Algorithm: ecdsa-with-SHA256/);
      }),
    { skip: needs("openssl") },
  );

  test("given 500 leaves, each serial number is positive, 16 bytes long and unique", () =>
    withFolder((folder) => {
      const leaves = new LeafCertificates(madeRoot(folder));
      const serials = new Set<string>();
      for (let count = 0; count < 500; count += 1) {
        const { serialNumber } = new X509Certificate(leaves.leafFor("example.com"));
        assert.match(serialNumber, /^[4-7][0-9A-F]{31}$/);
        serials.add(serialNumber);
      }
      assert.is(serials.size, 500);
    }));

  test("given any host name or address, issues a leaf that matches it", () =>
    withFolder((folder) => {
      const leaves = new LeafCertificates(madeRoot(folder));
      fc.assert(
        fc.property(fc.domain(), (name) => {
          assert.is(new X509Certificate(leaves.leafFor(name)).checkHost(name), name.toLowerCase());
        }),
      );
      fc.assert(
        fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
          assert.ok(new X509Certificate(leaves.leafFor(address)).checkIP(address) !== undefined, address);
        }),
      );
      fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => leaves.leafFor(text).length > 0));
    }));

  test("given any leaf, limits its validity to 397 days and to its root's end", () =>
    withFolder((folder) => {
      const now = new Date("2026-11-20T12:00:00Z");
      const root = madeRoot(folder, now);
      const young = new X509Certificate(new LeafCertificates(root, { now: () => now.getTime() }).leafFor("a.example"));
      assert.is(Date.parse(young.validFrom), now.getTime() - DAY);
      assert.is(Date.parse(young.validTo) - Date.parse(young.validFrom), 397 * DAY);
      const late = Date.parse(root.certificate.validTo) - 10 * DAY;
      const old = new X509Certificate(new LeafCertificates(root, { now: () => late }).leafFor("a.example"));
      assert.is(old.validTo, root.certificate.validTo);
    }));

  test("given a host, caches its context and replaces it before the leaf expires", () =>
    withFolder((folder) => {
      let now = Date.now();
      const leaves = new LeafCertificates(madeRoot(folder), { now: () => now });
      const first = leaves.contextFor("example.com");
      assert.is(leaves.contextFor("EXAMPLE.com."), first);
      now += 394 * DAY;
      assert.is(leaves.contextFor("example.com"), first);
      now += 2 * DAY;
      assert.is.not(leaves.contextFor("example.com"), first);
    }));

  test("given a leaf issued while the clock was ahead, replaces it once when the clock is corrected", () =>
    withFolder((folder) => {
      const root = madeRoot(folder);
      const ahead = Date.now() + 30 * DAY;
      const early = Date.parse(root.certificate.validFrom) - DAY;
      for (const [back, isAnew] of [
        [ahead - DAY / 2, false],
        [ahead - 3 * DAY, true],
        [early, true],
      ] as const) {
        let now = ahead;
        const leaves = new LeafCertificates(root, { now: () => now });
        const first = leaves.contextFor("example.com");
        now = back;
        const second = leaves.contextFor("example.com");
        assert.is(second !== first, isAnew);
        assert.is(leaves.contextFor("example.com"), second);
      }
    }));

  test("given more than 2,000 hosts, evicts the least recently used one", () =>
    withFolder((folder) => {
      const leaves = new LeafCertificates(madeRoot(folder));
      const used = leaves.contextFor("used.example");
      const unused = leaves.contextFor("unused.example");
      for (let count = 0; count < 1_998; count += 1) leaves.contextFor(`host-${count}.example`);
      assert.is(leaves.contextFor("used.example"), used);
      leaves.contextFor("one-more.example");
      assert.is(leaves.contextFor("used.example"), used);
      assert.is.not(leaves.contextFor("unused.example"), unused);
    }));

  test("given a root with its own kind of key identifier, its leaves refer to the same identifier", async () => {
    for (const identifier of [Buffer.alloc(20, 7), Buffer.alloc(32, 9)]) {
      const root = rsaRoot(identifier);
      const seen = await handshake(root, "a.example");
      assert.ok(new X509Certificate(seen.raw).checkIssued(root.certificate));
      assert.ok(seen.raw.includes(identifier));
    }
  });

  test("given a client that trusts the root, it accepts leaves for names and addresses and receives the root", async () => {
    await withFolder(async (folder) => {
      for (const root of [madeRoot(folder), rsaRoot()]) {
        for (const [asked, names] of HOSTS) {
          const seen = await handshake(root, asked);
          assert.is(seen.subjectaltname, names);
          assert.is(seen.issuerCertificate.fingerprint256, root.certificate.fingerprint256);
        }
      }
    });
  });
});

const NAMES: readonly (readonly [asked: string, text: string])[] = [
  ["example.com", "example.com"],
  ["Example.COM.", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["under_score.example", "under_score.example"],
  [`${"a".repeat(60)}.example`, `${"a".repeat(60)}.example`],
];

const ADDRESSES: readonly (readonly [asked: string, text: string, bytes: readonly number[]])[] = [
  ["127.0.0.1", "127.0.0.1", [127, 0, 0, 1]],
  ["::1", "::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ["[::1]", "::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ["::", "::", new Array<number>(16).fill(0)],
  ["2001:DB8:0:0::10", "2001:db8::10", [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10]],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ["::ffff:10.0.0.1", "::ffff:a00:1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1]],
  ["fe80::1%eth0", "fe80::1", [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
];

const NONE = [
  "",
  ".",
  "a b",
  "a/b",
  "a?b",
  "x@y",
  "a%41.b",
  "1:2",
  ":::",
  "[",
  "a\0b",
  `${"a.".repeat(130)}a`,
  "300.1.1.1",
];

describe("host names of leaf certificates", (test) => {
  test("given a name, returns it as lower-case ASCII without a trailing dot", () => {
    for (const [asked, text] of NAMES) assert.equal(hostNameOf(asked), { text, address: null }, asked);
  });

  test("given an address in any notation, returns its bytes and one text for all notations", () => {
    for (const [asked, text, bytes] of ADDRESSES) {
      assert.equal(hostNameOf(asked), { text, address: Uint8Array.from(bytes) }, asked);
    }
  });

  test("given text that cannot be a host, returns null", () => {
    for (const asked of NONE) assert.is(hostNameOf(asked), null, JSON.stringify(asked));
  });
});
