import { domainToASCII } from "node:url";

/** The subject of a leaf: an ASCII name, or an address with its bytes. */
export interface HostName {
  /** Lower-case, punycode, no trailing dot; an address in its canonical form, IPv6 without brackets. */
  readonly text: string;
  /** 4 or 16 bytes; `null` for a name. */
  readonly address: Uint8Array | null;
}

/** RFC 1035, 2.3.4: maximum octets of a name. */
const LONGEST_NAME = 253;

/** Parses a name from SNI, CONNECT or a URL; `null` if it is not a valid host. */
export function hostNameOf(name: string): HostName | null {
  const bare = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
  if (bare.includes(":")) return ipv6Of(bare);
  // The URL standard's host parser would read "a/b" as the host "a", and decode "%41".
  if (/[/\\?#@%]/.test(bare)) return null;
  const text = domainToASCII(bare).replace(/\.$/, "");
  if (text === "" || text.length > LONGEST_NAME) return null;
  const octets = text.split(".");
  // The URL parser has normalized every spelling of an IPv4 address to four decimal numbers.
  const isAddress = octets.length === 4 && octets.every((octet) => /^\d+$/.test(octet));
  return { text, address: isAddress ? Uint8Array.from(octets, Number) : null };
}

function ipv6Of(address: string): HostName | null {
  // A zone ("%eth0") is local to this machine and not part of a certificate.
  const bracketed = domainToASCII(`[${address.split("%", 1)[0] ?? ""}]`);
  if (bracketed === "") return null;
  const text = bracketed.slice(1, -1);
  return { text, address: ipv6Bytes(text) };
}

/** Expects the canonical form: hexadecimal groups, at most one "::". */
function ipv6Bytes(text: string): Uint8Array {
  const [left = "", right = ""] = text.split("::");
  const before = left === "" ? [] : left.split(":");
  const after = right === "" ? [] : right.split(":");
  const gap = new Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...gap, ...after].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
