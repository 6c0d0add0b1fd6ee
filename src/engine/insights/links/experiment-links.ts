import type { Link } from "../../model/link.ts";
import type { ExchangeId, Instant } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { PERSONS_GAP } from "./busy-times.ts";
import { evidenceOf } from "./link-evidence.ts";
import type { FoundLinks } from "./link-finder.ts";

/** What an experiment found out about the requests to two endpoints. */
export interface KnownOrder {
  /** The endpoints, as `keyOf` names them: of the target, whose responses were held, and of a later request. */
  readonly from: string;
  readonly to: string;
  /** The client whose requests were held; `null`: all. */
  readonly client: string | null;
  /** Whether the start of `to` moves with the end of `from`. */
  readonly follows: boolean;
  /** Such as "each ms costs 0.97 ms, 0.84 to 1.10, 30 loads". */
  readonly figures: string;
}

/**
 * The links of a session with what experiments found: a request that follows the target has a proven link from the
 * client's latest response of the target, and order links to requests that do not follow it are refuted. `known`: the
 * first one that is about two exchanges counts.
 */
export function withExperiments(
  found: FoundLinks,
  facts: readonly ExchangeFacts[],
  known: readonly KnownOrder[],
  keyOf: (facts: ExchangeFacts) => string,
): FoundLinks {
  if (known.length === 0) return found;
  const endpoints = new Map(facts.map((one) => [one.exchange.id, { key: keyOf(one), client: one.exchange.client }]));
  const orderOf = ({ from, to }: Pick<Link, "from" | "to">) => {
    const later = endpoints.get(to);
    return later === undefined ? null : orderIn(known, endpoints.get(from)?.key ?? "", later.key, later.client);
  };
  const proven = new Set(found.links.filter(({ kind }) => kind === "proven").map(({ from, to }) => `${from} ${to}`));
  const added = linksOf(facts, known, keyOf).filter(({ from, to }) => !proven.has(`${from} ${to}`));
  const waits = new Set(added.map(({ to }) => to));
  const isRefuted = (link: Link) => link.kind === "sequential" && orderOf(link)?.follows === false;
  const isOutdone = ({ kind, to }: Link) => kind === "sequential" && waits.has(to);
  const links = [...found.links.filter((link) => !isRefuted(link) && !isOutdone(link)), ...added];
  links.sort((one, other) => one.to - other.to || one.from - other.from);
  const refuted = found.links.filter(isRefuted).map((link): Link => {
    const figures = orderOf(link)?.figures ?? "";
    return { ...link, evidence: evidenceOf("refuted by experiment", null, figures) };
  });
  const orders = found.orders.filter((link) => !isRefuted(link));
  return { ...found, links, refuted: [...found.refuted, ...refuted], orders };
}

function orderIn(known: readonly KnownOrder[], from: string, to: string, client: string): KnownOrder | null {
  const isAbout = (one: KnownOrder) =>
    one.from === from && one.to === to && (one.client === null || one.client === client);
  return known.find(isAbout) ?? null;
}

interface Response {
  readonly id: ExchangeId;
  readonly end: Instant;
}

/** The links that experiments prove. */
function linksOf(
  facts: readonly ExchangeFacts[],
  known: readonly KnownOrder[],
  keyOf: (facts: ExchangeFacts) => string,
): readonly Link[] {
  const proven = known.filter(({ follows }) => follows);
  const targets = new Set(proven.map(({ from }) => from));
  /** The responses of the last seconds, by client and target. */
  const recent = new Map<string, readonly Response[]>();
  const links: Link[] = [];
  const byStart = facts.toSorted((one, other) => one.exchange.instants.startTime - other.exchange.instants.startTime);
  for (const one of byStart) {
    const { id, client, instants, endTime } = one.exchange;
    const start = instants.startTime;
    const key = keyOf(one);
    for (const order of proven) {
      const { from, to, figures } = order;
      if (to !== key || orderIn(known, from, to, client) !== order) continue;
      const before = latestBefore(start, recent.get(`${client}\n${from}`) ?? []);
      if (before === null) continue;
      const evidence = evidenceOf("experiment", null, figures);
      links.push({ from: before.id, to: id, kind: "proven", basis: "experiment", gap: start - before.end, evidence });
    }
    const end = instants.responseEnd ?? endTime;
    if (!targets.has(key) || end === null) continue;
    const user = `${client}\n${key}`;
    const own = recent.get(user) ?? [];
    recent.set(user, [...own.filter((other) => start - other.end < PERSONS_GAP), { id, end }]);
  }
  return links;
}

/** The response that ended last before the instant, if that is less than a person's pause ago. */
function latestBefore(start: Instant, responses: readonly Response[]): Response | null {
  let latest: Response | null = null;
  for (const response of responses) {
    const gap = start - response.end;
    // docs/specification.md, Dependency chain: a request may start up to 1 ms before the end.
    if (gap < -1 || gap >= PERSONS_GAP) continue;
    if (latest === null || response.end > latest.end) latest = response;
  }
  return latest;
}
