import { generateKeyPairSync } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { evictOldest } from "../../../src/engine/model/evict-oldest.ts";
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

/** docs/specification.md, Leaf certificates: number of hosts whose contexts are cached. */
const KEPT = 2_000;
/** docs/specification.md, Leaf certificates: ms of validity, counted from the back-dated start. */
const LIFE = 397 * DAY;
/** Default; not from a specification. A leaf that expires sooner than this is replaced. */
const RENEWED_BEFORE = DAY;
/** The common name of leaves whose host name is too long for one; the SAN contains it. */
const FIXED_COMMON_NAME = "Weir";
/** Used for invalid host names; RFC 2606 reserves ".invalid". */
const NO_HOST: HostName = Object.freeze({ text: "not-a-host-name.invalid", address: null });

interface Kept {
  readonly context: SecureContext;
  /**
   * Epoch ms at which the leaf becomes valid. If the clock shows less, it was ahead and has been corrected, so the leaf
   * is replaced.
   */
  readonly from: number;
  /** Epoch ms. */
  readonly until: number;
}

/**
 * Issues the leaf certificates of intercepted hosts, with one key for all, and caches the latest 2,000. Blocks for one
 * signature and one OpenSSL context: well under a millisecond.
 */
export class LeafMint {
  readonly #root: Root;
  readonly #now: () => number;
  readonly #issuer: Der;
  readonly #publicKey: Der;
  readonly #extensions: readonly Der[];
  readonly #keyText: string;
  /** Ordered by last use. */
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

  /** The context for a host name or address in any spelling; an invalid host gets one that matches nothing. */
  contextFor(name: string): SecureContext {
    const host = hostNameOf(name) ?? NO_HOST;
    const now = this.#now();
    const known = this.#kept.get(host.text);
    this.#kept.delete(host.text);
    const kept = known !== undefined && known.from <= now && now < known.until ? known : this.#made(host, now);
    this.#kept.set(host.text, kept);
    evictOldest(this.#kept, KEPT);
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
      minVersion: "TLSv1.2", // docs/security.md T4
    });
    // A leaf never starts before the root.
    const from = start === now - DAY ? start : 0;
    return { context, from, until: end - RENEWED_BEFORE };
  }

  #minted(host: HostName, now: number): { readonly leaf: Buffer; readonly start: number; readonly end: number } {
    const { certificate, key } = this.#root;
    // Within the root's own validity. Starts a day ago, since clients' clocks may be behind.
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
