import { Resolver } from "node:dns";
import { setTimeout as pause } from "node:timers/promises";
import type { Address } from "../network-options.ts";
import { type LookupCode, LookupError } from "./lookup-error.ts";
import type { ResolvConf } from "./resolv-conf.ts";

/** RFC 8305, 3 (Resolution Delay): ms for which the first family's addresses wait for those of the other family. */
const OTHER_FAMILY = 50;

const FAMILIES = [4, 6] as const;
type Family = (typeof FAMILIES)[number];

/** Why a name has no addresses of a family: RFC 1035, 4.1.1, or no server answered. */
type Reason = "no-data" | "no-name" | "server-failure" | "refused" | "silent";

type Answer = readonly Address[] | Reason;

/** The reasons for c-ares's codes. Others count as silence. */
const REASONS: Readonly<Record<string, Reason>> = {
  ENODATA: "no-data",
  ENOTFOUND: "no-name",
  EBADNAME: "no-name",
  EFORMERR: "refused",
  ESERVFAIL: "server-failure",
};

/** Reasons after which the next server is not asked. */
const FINAL: ReadonlySet<Reason> = new Set(["no-data", "no-name", "refused"]);

const CODES: Readonly<Record<Reason, LookupCode>> = {
  "no-data": "ENOTFOUND",
  "no-name": "ENOTFOUND",
  "server-failure": "EAI_AGAIN",
  refused: "ENOTFOUND",
  silent: "EAI_AGAIN",
};

/** The names for which glibc asks a server. */
const HOST_NAME = /^[\w.][\w.-]*$/;

export interface Found {
  readonly addresses: readonly Address[];
  /** The addresses of the family that has not answered yet, empty if it has none; `null` if both have answered. */
  readonly later: Promise<readonly Address[]> | null;
}

export interface QueryOptions {
  readonly signal: AbortSignal;
  readonly port: number;
  /** The place of the server that is asked first, if the servers take turns (`rotate`). */
  readonly first: number;
}

/**
 * Asks the name servers for `name` and, by the search list, for longer names, in glibc's order (resolv.conf(5)).
 * Rejects with a `LookupError`.
 */
export async function dnsQuery(name: string, conf: ResolvConf, options: QueryOptions): Promise<Found> {
  if (!HOST_NAME.test(name)) throw new LookupError("ENOTFOUND", name);
  const turns = turnsOf(conf, options);
  const reasons: Reason[] = [];
  let isSearchOver = false;
  for (const { queryName, isSearched } of namesOf(name, conf)) {
    if (isSearched && isSearchOver) continue;
    const answer = await bothFamilies(queryName, conf.ipv6 ? FAMILIES : [4], turns, options.signal);
    if (typeof answer === "object") return answer;
    reasons.push(answer);
    // Each longer name would wait for silent servers again.
    if (isSearched && (answer === "silent" || answer === "refused")) isSearchOver = true;
    if (options.signal.aborted) break;
  }
  throw new LookupError(CODES[decisive(reasons, isQueriedFirst(name, conf))], name);
}

interface QueryName {
  readonly queryName: string;
  readonly isSearched: boolean;
}

function namesOf(name: string, { search, ndots }: ResolvConf): readonly QueryName[] {
  const asIs = { queryName: name, isSearched: false };
  if (name.endsWith(".")) return [asIs];
  const searched = search.map((domain) => ({
    queryName: domain === "" ? name : `${name}.${domain}`,
    isSearched: true,
  }));
  if (isQueriedFirst(name, { ndots })) return [asIs, ...searched];
  return search.includes("") ? searched : [...searched, asIs];
}

/** Whether the name is asked for as it is before the search list. */
function isQueriedFirst(name: string, { ndots }: Pick<ResolvConf, "ndots">): boolean {
  return name.split(".").length > ndots;
}

/** The reason that glibc reports. `isFirst`: whether the first one is that of the name as it is. */
function decisive(reasons: readonly Reason[], isFirst: boolean): Reason {
  const [first = "silent"] = reasons;
  if (isFirst) return first;
  const known = (["no-data", "server-failure"] as const).find((reason) => reasons.includes(reason));
  return known ?? reasons.at(-1) ?? first;
}

/**
 * Asks for the addresses of all families at once. Waits for all, or for `OTHER_FAMILY` after the first addresses. The
 * reason is that of IPv4, unless only IPv6 has one.
 */
async function bothFamilies(
  name: string,
  families: readonly Family[],
  turns: Turns,
  signal: AbortSignal,
): Promise<Found | Reason> {
  const answers = new Map<Family, Answer>();
  const lookups = families.map((family) =>
    oneFamily(name, family, turns, signal).then((answer) => {
      answers.set(family, answer);
      return answer;
    }),
  );
  const all = Promise.all(lookups);
  if (typeof (await Promise.race(lookups)) === "object") await Promise.race([all, pause(OTHER_FAMILY)]);
  else await all;
  const addresses = families.flatMap((family) => addressesOf(answers.get(family)));
  if (addresses.length > 0) {
    const missing = families.findIndex((family) => !answers.has(family));
    return { addresses, later: lookups[missing]?.then(addressesOf) ?? null };
  }
  const reasons = (await all).filter((answer) => typeof answer === "string");
  return reasons.find((reason) => reason !== "no-data") ?? "no-data";
}

function addressesOf(answer: Answer | undefined): readonly Address[] {
  return typeof answer === "object" ? answer : [];
}

/** Asks one server after the other until one answers. */
async function oneFamily(name: string, family: Family, turns: Turns, signal: AbortSignal): Promise<Answer> {
  let reason: Reason = "silent";
  for (let turn = 0; turn < turns.count && !signal.aborted; turn += 1) {
    const resolver = turns.resolver(turn, signal);
    const answer = await new Promise<Answer>((resolve) => {
      const done = (error: NodeJS.ErrnoException | null, addresses: readonly string[]): void =>
        resolve(
          error === null ? addresses.map((address) => ({ address, family })) : (REASONS[error.code ?? ""] ?? "silent"),
        );
      if (family === 4) resolver.resolve4(name, done);
      else resolver.resolve6(name, done);
    });
    if (typeof answer === "object" || FINAL.has(answer)) return answer;
    reason = answer;
  }
  return reason;
}

/** The attempts of one look-up: each server in turn, then all of them again. */
interface Turns {
  readonly count: number;
  /** The resolver of a turn, which both families share. `signal` cancels its queries. */
  resolver(turn: number, signal: AbortSignal): Resolver;
}

/**
 * A resolver is made for each turn, so that a look-up has ports of its own, and servers that were silent for other
 * names are asked as ever. glibc doubles the time for each later server and divides it by their number.
 */
function turnsOf({ servers, attempts, timeout, rotate }: ResolvConf, { port, first }: QueryOptions): Turns {
  const made: Resolver[] = [];
  return {
    count: servers.length * attempts,
    resolver: (turn, signal) => {
      const known = made[turn];
      if (known !== undefined) return known;
      const index = turn % servers.length;
      const seconds = Math.floor(((timeout / 1_000) * 2 ** index) / (index === 0 ? 1 : servers.length));
      const resolver = new Resolver({ timeout: Math.max(1, seconds) * 1_000, tries: 1 });
      const server = servers[(index + (rotate ? first : 0)) % servers.length] ?? "127.0.0.1";
      resolver.setServers([server.includes(":") ? `[${server}]:${port}` : `${server}:${port}`]);
      signal.addEventListener("abort", () => resolver.cancel(), { once: true });
      made[turn] = resolver;
      return resolver;
    },
  };
}
