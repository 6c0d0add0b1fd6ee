import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";

/** An address of this very machine's loopback. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, familyOf(address));
}

/** Not reachable from the public internet: loopback, private, link-local, unspecified (security.md, S5). */
export function isPrivate(address: string): boolean {
  return PRIVATE.check(address, familyOf(address));
}

/** A host as an address where it is one, however it is spelled (2130706433, 0x7f.1); a name without the root's dot. */
export function plainHost(host: string): string {
  const bare = host.endsWith(".") ? host.slice(0, -1) : host;
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(bare) ? domainToASCII(bare) || bare : bare;
}

/** An address as a person writes it: an IPv4 address that came in IPv6's clothes without them (RFC 4291, 2.5.5.2). */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return "unknown";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

export function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** A BlockList knows IPv4-mapped IPv6 addresses by itself. */
function blockListOf(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

const LOOPBACK = blockListOf("127.0.0.0/8", "::1/128");

/** RFC 1918, 3927, 4193, 4291, 6598, 6890. */
const PRIVATE = blockListOf(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::/128",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
);
