import { createSocket } from "node:dgram";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import type { Address } from "../network-options.ts";

/** The most addresses that are sorted; later ones keep their order behind them. */
const MOST_SORTED = 16;

/** Any port: connecting a UDP socket sends nothing. */
const PORT = 9;

/** The eight 16-bit groups of an IPv6 address (RFC 4291, 2.2); those of an IPv4 address are IPv4-mapped. */
type Groups = readonly number[];

/** A row of the policy table (RFC 6724, 2.1), with glibc's values, which are those of RFC 3484. */
interface Policy {
  readonly prefix: Groups;
  readonly length: number;
  readonly label: number;
  readonly precedence: number;
}

/** The row for all other addresses. */
const OTHERS: Policy = { prefix: groupsOf("::"), length: 0, label: 1, precedence: 40 };

const POLICIES: readonly Policy[] = [
  { prefix: groupsOf("::1"), length: 128, label: 0, precedence: 50 },
  { prefix: groupsOf("0.0.0.0"), length: 96, label: 4, precedence: 10 },
  { prefix: groupsOf("::"), length: 96, label: 3, precedence: 20 },
  { prefix: groupsOf("2001::"), length: 32, label: 7, precedence: 40 },
  { prefix: groupsOf("2002::"), length: 16, label: 2, precedence: 30 },
  { prefix: groupsOf("fec0::"), length: 10, label: 5, precedence: 40 },
  { prefix: groupsOf("fc00::"), length: 7, label: 6, precedence: 40 },
];

/** What decides the place of an address. */
interface Candidate {
  readonly address: Address;
  readonly groups: Groups;
  /** The address from which this computer would send to it; `null` if there is no route. */
  readonly source: Groups | null;
  /** Rule 9: the length of the prefix shared with the source; 0 for IPv4 outside the source's network. */
  readonly shared: number;
}

/**
 * The addresses in the order in which getaddrinfo returns them: RFC 6724, 6, without the rules 3, 4 and 7, which need
 * facts that only the kernel has. `sourceOf`: the address from which this computer would send to an address; `null` if
 * there is no route.
 */
export async function inSystemOrder(
  addresses: readonly Address[],
  sourceOf: (address: Address) => Promise<string | null> = sourceFor,
): Promise<readonly Address[]> {
  if (addresses.length < 2) return addresses;
  const candidates = await Promise.all(
    addresses.slice(0, MOST_SORTED).map((address) => candidateOf(address, sourceOf)),
  );
  const sorted = candidates.toSorted(compare).map(({ address }) => address);
  return [...sorted, ...addresses.slice(MOST_SORTED)];
}

async function candidateOf(address: Address, sourceOf: typeof sourceFor): Promise<Candidate> {
  const from = await sourceOf(address);
  const groups = groupsOf(address.address);
  if (from === null) return { address, groups, source: null, shared: 0 };
  const source = groupsOf(from);
  const length = sharedLength(groups, source);
  return { address, groups, source, shared: address.family === 6 || length >= 96 + networkLength(from) ? length : 0 };
}

function sourceFor({ address, family }: Address): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(family === 4 ? "udp4" : "udp6");
    const end = (source: string | null): void => {
      socket.removeAllListeners("error");
      socket.on("error", () => {});
      socket.close();
      resolve(source);
    };
    socket.once("error", () => end(null));
    socket.connect(PORT, address, () => end(socket.address().address));
  });
}

/** Negative if `one` comes first. The rules have the numbers of RFC 6724, 6; rule 10 keeps the order. */
function compare(one: Candidate, other: Candidate): number {
  // Rule 1
  if (one.source === null || other.source === null) return Number(one.source === null) - Number(other.source === null);
  const policy = policyOf(one.groups);
  const otherPolicy = policyOf(other.groups);
  const differences = [
    // Rule 2
    Number(scopeOf(other.groups) === scopeOf(other.source)) - Number(scopeOf(one.groups) === scopeOf(one.source)),
    // Rule 5
    Number(otherPolicy.label === policyOf(other.source).label) - Number(policy.label === policyOf(one.source).label),
    // Rule 6
    otherPolicy.precedence - policy.precedence,
    // Rule 8
    scopeOf(one.groups) - scopeOf(other.groups),
    // Rule 9
    one.address.family === other.address.family ? other.shared - one.shared : 0,
  ];
  return differences.find((difference) => difference !== 0) ?? 0;
}

function policyOf(groups: Groups): Policy {
  return POLICIES.find(({ prefix, length }) => sharedLength(prefix, groups) >= length) ?? OTHERS;
}

/** RFC 6724, 3.1 and 3.2: 2 for link-local and loopback, 5 for site-local, 14 for global addresses. */
function scopeOf(groups: Groups): number {
  const [first = 0] = groups;
  const isMapped = sharedLength(groups, groupsOf("0.0.0.0")) >= 96;
  const [high = 0] = groups.slice(6);
  if (isMapped) return high === 0xa9fe || high >> 8 === 127 ? 2 : 14;
  if (first >> 8 === 0xff) return first & 0xf;
  if (first >> 6 === 0xfe80 >> 6 || sharedLength(groups, groupsOf("::1")) === 128) return 2;
  return first >> 6 === 0xfec0 >> 6 ? 5 : 14;
}

/** The length of the network's prefix of an IPv4 address of this computer; 32 if it is none. */
function networkLength(address: string): number {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const cidr = all.find((own) => own.address === address)?.cidr ?? null;
  return cidr === null ? 32 : Number(cidr.slice(cidr.indexOf("/") + 1));
}

/** The number of leading bits that are equal. */
function sharedLength(one: Groups, other: Groups): number {
  const at = one.findIndex((group, index) => group !== other[index]);
  return at < 0 ? 128 : at * 16 + Math.clz32((one[at] ?? 0) ^ (other[at] ?? 0)) - 16;
}

function groupsOf(address: string): Groups {
  const [plain = ""] = (isIPv4(address) ? `::ffff:${address}` : address).split("%");
  const [, rest = "", ...numbers] = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = numbers.map(Number);
  const whole = rest === "" ? plain : `${rest}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const [left = [], right = []] = whole.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
