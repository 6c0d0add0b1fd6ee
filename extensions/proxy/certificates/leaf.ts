import { generateKeyPairSync } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { forgetOldest } from "../../../src/engine/model/forget-oldest.ts";
import type { Der } from "./der.ts";
import { type HostName, hostNameOf } from "./host-name.ts";
import type { Root } from "./root.ts";
import {
  certificateOf,
  commonName,
  DAY,
  keyIdentifier,
  keyIdentifierOf,
  LONGEST_COMMON_NAME,
  leafExtensions,
  pemOf,
  publicKeyInfo,
  subjectAltName,
  subjectOf,
} from "./x509.ts";

/** wire.md, 3: how many hosts' contexts are kept. */
const KEPT = 2_000;
/** wire.md, 4; from its back-dated start. */
const LIFE = 397 * DAY;
/** Our choice: a leaf that ends sooner than this is made anew. */
const RENEWED_BEFORE = DAY;
/** A name too long to be a common name stands in the SAN alone. */
const FIXED_COMMON_NAME = "Weir";
/** Stands for whatever is no host name; RFC 2606: nobody can be called so. */
const NO_HOST: HostName = Object.freeze({ text: "not-a-host-name.invalid", address: null });

interface Kept {
  readonly context: SecureContext;
  /** Epoch ms. Before it the leaf is not valid, and one made anew would be: a clock that was ahead has been put right. */
  readonly from: number;
  /** Epoch ms. */
  readonly until: number;
}

/**
 * Makes the certificates under which Weir answers for a host, with one key for all of them, and keeps the latest 2,000.
 * It blocks for as long as one signature and one OpenSSL context take: well under a millisecond.
 */
export class LeafMint {
  readonly #root: Root;
  readonly #now: () => number;
  readonly #issuer: Der;
  readonly #publicKey: Der;
  readonly #extensions: readonly Der[];
  readonly #keyText: string;
  /** In the order of last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(root: Root, options: { readonly now?: () => number } = {}) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    this.#root = root;
    this.#now = options.now ?? Date.now;
    this.#issuer = subjectOf(root.certificate);
    this.#publicKey = publicKeyInfo(publicKey);
    const rootIdentifier =
      keyIdentifierOf(root.certificate) ?? keyIdentifier(publicKeyInfo(root.certificate.publicKey));
    this.#extensions = leafExtensions(keyIdentifier(this.#publicKey), rootIdentifier);
    this.#keyText = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  }

  /** The context for a host name or address, however it was written; what is no host at all gets one that fits nothing. */
  contextFor(name: string): SecureContext {
    const host = hostNameOf(name) ?? NO_HOST;
    const now = this.#now();
    const known = this.#kept.get(host.text);
    this.#kept.delete(host.text);
    const kept = known !== undefined && known.from <= now && now < known.until ? known : this.#made(host, now);
    this.#kept.set(host.text, kept);
    forgetOldest(this.#kept, KEPT);
    return kept.context;
  }

  /** The DER of a new leaf. */
  leafFor(name: string): Buffer {
    return this.#minted(hostNameOf(name) ?? NO_HOST, this.#now()).leaf;
  }

  #made(host: HostName, now: number): Kept {
    const { leaf, start, end } = this.#minted(host, now);
    const context = createSecureContext({
      key: this.#keyText,
      cert: pemOf(leaf) + this.#root.chain,
      minVersion: "TLSv1.2", // security.md, T4
    });
    // None begins before the root.
    const from = start === now - DAY ? start : 0;
    return { context, from, until: end - RENEWED_BEFORE };
  }

  #minted(host: HostName, now: number): { readonly leaf: Buffer; readonly start: number; readonly end: number } {
    const { certificate, key } = this.#root;
    // Never before or beyond the root's own life. Clients' clocks may be behind, so it begins a day ago.
    const start = Math.max(now - DAY, Date.parse(certificate.validFrom));
    const end = Math.min(start + LIFE, Date.parse(certificate.validTo));
    const leaf = certificateOf(
      {
        issuer: this.#issuer,
        subject: commonName(host.text.length <= LONGEST_COMMON_NAME ? host.text : FIXED_COMMON_NAME),
        validFrom: new Date(start),
        validTo: new Date(end),
        publicKey: this.#publicKey,
        extensions: [...this.#extensions, subjectAltName(host.address ?? host.text)],
      },
      key,
    );
    return { leaf, start, end };
  }
}
