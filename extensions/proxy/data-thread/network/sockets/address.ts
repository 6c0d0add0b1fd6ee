import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { domainToASCII } from "node:url";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";

export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, familyOf(address));
}

/** Whether the name, or address, is always this computer: loopback or `localhost`, or below it (RFC 6761, 6.3). */
export function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}

/**
 * Whether the address cannot be reached from the public internet (docs/security.md S5). Includes IPv4 embedded in IPv6.
 */
export function isPrivate(address: string): boolean {
  return PRIVATE.check(address, familyOf(address));
}

/**
 * Normalizes a host. An IPv4 address in any spelling (2130706433, 0x7f.1) gets four decimal numbers; a name loses its
 * trailing dot.
 */
export function plainHost(host: string): string {
  const bare = host.endsWith(".") ? host.slice(0, -1) : host;
  const last = bare.slice(bare.lastIndexOf(".") + 1);
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(last) ? domainToASCII(bare) || bare : bare;
}

/**
 * Removes the prefix of an IPv4-mapped address (`::ffff:`; RFC 4291, 2.5.5.2). Returns "unknown" if there is no
 * address.
 */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return "unknown";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** A list to match addresses with. Node matches IPv4-mapped IPv6 addresses by itself. */
function blockListOf(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

const LOOPBACK = blockListOf("127.0.0.0/8", "::1/128");

/**
 * IANA's special-purpose addresses that are not globally reachable (RFC 6890), and multicast addresses. Ranges for
 * documentation are left out.
 */
const PRIVATE_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Special-purpose IPv6 addresses that are not globally reachable. Also multicast, IPv4-compatible (::/96) and
 * site-local addresses (RFC 4291, 2.5.5.1 and 2.5.7).
 */
const PRIVATE_IPV6 = [
  "::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

const PRIVATE = blockListOf(...PRIVATE_IPV4, ...PRIVATE_IPV6, ...PRIVATE_IPV4.flatMap(wrapped));

/**
 * The IPv6 networks that lead to an IPv4 network through a translator (RFC 6052, 2.1) or a 6to4 router (RFC 3056, 2).
 */
function wrapped(network: string): string[] {
  const [address = "", prefix] = network.split("/");
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [`64:ff9b::${high}:${low}/${96 + Number(prefix)}`, `2002:${high}:${low}::/${16 + Number(prefix)}`];
}

/** How long this computer's addresses are cached. Reading them takes longer than the rest of an exchange's start. */
const REMEMBERED: Milliseconds = 1_000;

const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * Addresses that a client from the network may not reach (docs/security.md S5): private ones, and all of this computer.
 */
export class InnerAddresses {
  readonly #read: typeof networkInterfaces;
  #own = new BlockList();
  #readAt: number = Number.NEGATIVE_INFINITY;

  constructor(read: typeof networkInterfaces = networkInterfaces) {
    this.#read = read;
  }

  /** Whether the address is private or belongs to this computer. */
  has(address: string, now: Instant): boolean {
    return isPrivate(address) || this.#ownAt(now).check(address, familyOf(address));
  }

  /** Whether the address leads to this computer: loopback, unspecified (RFC 1122, 3.2.1.3), or one of its own. */
  isOwn(address: string, now: Instant): boolean {
    return isLoopback(address) || UNSPECIFIED.has(address) || this.#ownAt(now).check(address, familyOf(address));
  }

  #ownAt(now: Instant): BlockList {
    if (now - this.#readAt < REMEMBERED) return this.#own;
    this.#readAt = now;
    this.#own = new BlockList();
    for (const all of Object.values(this.#read()))
      for (const { address } of all ?? []) this.#own.addAddress(address, familyOf(address));
    return this.#own;
  }
}
