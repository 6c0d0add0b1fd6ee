import { domainToASCII } from "node:url";

/** The subject of a leaf: an ASCII host name, or an IP address with its bytes. */
export interface HostName {
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
