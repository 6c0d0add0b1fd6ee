import { generateKeyPairSync } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { domainToASCII } from "node:url";
import { evictOldest } from "../../../src/engine/model/evict-oldest.ts";
import type { Der } from "./der.ts";
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

/** docs/specification.md, Leaf certificates: the most hosts whose contexts are cached. */
const KEPT = 2_000;
/** docs/specification.md, Leaf certificates: how long a leaf is valid, in ms, from its back-dated start. */
const LIFE = 397 * DAY;
/** A leaf is replaced this long before it expires. */
const RENEWED_BEFORE = DAY;
/** The common name of a leaf if its host name exceeds `LONGEST_COMMON_NAME`. The SAN has the host name in any case. */
const FIXED_COMMON_NAME = "Weir";
/** The subject for invalid host names. RFC 2606 reserves ".invalid". */
const NO_HOST: HostName = Object.freeze({ text: "not-a-host-name.invalid", address: null });

interface Kept {
  readonly context: SecureContext;
  /**
   * The start of the leaf's validity, in epoch ms; 0 if the root's validity starts at the same time. If the clock shows
   * an earlier time, it was ahead when the leaf was issued, and the leaf is replaced.
   */
  readonly from: number;
  /** Epoch ms at which the leaf is replaced. */
  readonly until: number;
}

/**
 * Issues leaf certificates for intercepted hosts, all with the same key, and caches the 2,000 used last. Issuing one
 * blocks the thread for a signature and an OpenSSL context, well under a millisecond.
 */
export class LeafCertificates {
  readonly #root: Root;
  readonly #now: () => number;
  readonly #issuer: Der;
  readonly #publicKey: Der;
  readonly #extensions: readonly Der[];
  readonly #keyText: string;
  /** Leaves by host, ordered by last use. */
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

  /**
   * The context for a host name or an address, in any spelling. For an invalid host, a context that matches no name.
   */
  contextFor(name: string): SecureContext {
    const host = hostNameOf(name) ?? NO_HOST;
    const now = this.#now();
    const known = this.#kept.get(host.text);
    this.#kept.delete(host.text);
    const kept = known !== undefined && known.from <= now && now < known.until ? known : this.#newContext(host, now);
    this.#kept.set(host.text, kept);
    evictOldest(this.#kept, KEPT);
    return kept.context;
  }

  leafFor(name: string): Buffer {
    return this.#newLeaf(hostNameOf(name) ?? NO_HOST, this.#now()).leaf;
  }

  #newContext(host: HostName, now: number): Kept {
    const { leaf, start, end } = this.#newLeaf(host, now);
    const context = createSecureContext({
      key: this.#keyText,
      cert: pemOf(leaf) + this.#root.chain,
      minVersion: "TLSv1.2", // docs/security.md T4
    });
    // A leaf that starts with its root is kept even if the clock shows an earlier time: a new leaf would start at the
    // same time.
    const from = start === now - DAY ? start : 0;
    return { context, from, until: end - RENEWED_BEFORE };
  }

  #newLeaf(host: HostName, now: number): { readonly leaf: Buffer; readonly start: number; readonly end: number } {
    const { certificate, key } = this.#root;
    // The leaf's validity is within that of its root. It starts a day ago, since clients' clocks may be behind.
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

/** The subject of a leaf: an ASCII host name, or an IP address with its bytes. */
interface HostName {
  /**
   * A name in lower case and punycode, without a trailing dot; or an address in canonical form, IPv6 without brackets.
   */
  readonly text: string;
  /** The 4 or 16 bytes of an address; `null` for a name. */
  readonly address: Uint8Array | null;
}

/** RFC 1035, 2.3.4: the most octets of a name. */
const LONGEST_NAME = 253;

/** Parses a name from SNI, CONNECT or a URL; `null` if it is no valid host. */
export function hostNameOf(name: string): HostName | null {
  const bare = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
  if (bare.includes(":")) return ipv6Of(bare);
  // The URL standard's parser would read "a/b" as host "a", and would decode "%41".
  if (/[/\\?#@%]/.test(bare)) return null;
  const text = domainToASCII(bare).replace(/\.$/, "");
  if (text === "" || text.length > LONGEST_NAME) return null;
  const octets = text.split(".");
  // The URL parser has normalized every spelling of an IPv4 address to four decimal numbers.
  const isAddress = octets.length === 4 && octets.every((octet) => /^\d+$/.test(octet));
  return { text, address: isAddress ? Uint8Array.from(octets, Number) : null };
}

function ipv6Of(address: string): HostName | null {
  // A zone ("%eth0") has a meaning only on this machine and is no part of a certificate.
  const bracketed = domainToASCII(`[${address.split("%", 1)[0] ?? ""}]`);
  if (bracketed === "") return null;
  const text = bracketed.slice(1, -1);
  return { text, address: ipv6Bytes(text) };
}

/** The 16 bytes of an IPv6 address in canonical form: hexadecimal groups, with at most one "::". */
function ipv6Bytes(text: string): Uint8Array {
  const [left = "", right = ""] = text.split("::");
  const before = left === "" ? [] : left.split(":");
  const after = right === "" ? [] : right.split(":");
  const gap = new Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...gap, ...after].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
