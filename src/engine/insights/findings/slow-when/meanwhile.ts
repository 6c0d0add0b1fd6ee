import { medianOf } from "../../../stats/percentile.ts";
import type { Request } from "../traffic.ts";
import { TIERS } from "./column.ts";
import { type Difference, type Durations, LEAST_EFFECT, LEAST_SLOW } from "./durations.ts";
import type { Load } from "./load.ts";
import type { Partner } from "./partners.ts";
import type { Split, Splits } from "./split.ts";

/** The least number of a partner's periods with slow requests: one import may coincide with anything. */
const LEAST_PERIODS = 3;

/** The least share of these periods in which most of the requests are slow. */
const SLOW_PERIODS = 0.66;

/** The least share of the excess that overlaps with the partner, in the median. */
const COVERED = 0.8;

/** Without other requests in flight to compare with, a partner must take this many times the usual duration. */
const LONG = 3;

/** Two partners that explain as much as each other by this factor cannot be told apart. */
const AS_GOOD_FROM = 0.85;

/**
 * The split by whether another endpoint of the origin was in flight when a request began (`while:METHOD PATH`), and how
 * many endpoints were tried. Only the endpoint that makes the difference is named: not one of many that are in flight
 * whenever the origin is busy.
 */
export function meanwhileSplits(durations: Durations, load: Load): Splits {
  const [first] = durations.requests;
  const partners = first === undefined ? [] : load.partners(first);
  const causes: Split[] = [];
  let tried = 0;
  for (const partner of partners) {
    if (partner.key === first?.endpointKey) continue;
    const isIn = (request: Request) => partner.periodAt(request) !== null;
    const members = membersOf(durations, isIn);
    const count = members.reduce((sum, one) => sum + one, 0);
    if (count < LEAST_SLOW || members.length - count < LEAST_SLOW) continue;
    tried += 1;
    const split = splitOf(partner, isIn, durations.test(members));
    if (split === null || !isCause(partner, durations, load)) continue;
    // Those that it caught before they would usually have ended are slow for the same reason.
    const usual = medianOf(
      durations.requests.flatMap((request, index) =>
        split.carries(request) ? [] : [durations.values[index] as number],
      ),
    );
    const isCaught = (request: Request) => partner.isCaught(request, usual);
    const wide = splitOf(partner, isCaught, durations.test(membersOf(durations, isCaught)));
    causes.push(wide !== null && wide.explained > split.explained ? wide : split);
  }
  causes.sort((one, other) => other.explained - one.explained);
  const [best, second] = causes;
  const isClear = best !== undefined && (second === undefined || second.explained < AS_GOOD_FROM * best.explained);
  return { splits: isClear ? [best] : [], tried };
}

function membersOf({ requests }: Durations, carries: Split["carries"]): Uint8Array {
  return Uint8Array.from(requests.map((request) => Number(carries(request))));
}

function splitOf({ name }: Partner, carries: Split["carries"], result: Difference | null): Split | null {
  const attribute = { name: `while:${name}`, value: "in flight" };
  return result && { ...result, attribute, tier: TIERS.meanwhile, carries, isNegative: false, isRange: false };
}

/** Whether the partner itself goes with the slow requests, and accounts for the time that they take longer. */
function isCause(partner: Partner, { requests, values }: Durations, load: Load): boolean {
  const inside = new Map<number, number[]>();
  const [members, others, busy]: [number[], number[], number[]] = [[], [], []];
  for (const [index, request] of requests.entries()) {
    const value = values[index] as number;
    const period = partner.periodAt(request);
    if (period === null) {
      others.push(value);
      if (load.inFlight(request) > 1) busy.push(value);
    } else {
      members.push(value);
      inside.set(period, [...(inside.get(period) ?? []), value]);
    }
  }
  const [median, usual] = [medianOf(members), medianOf(others)];
  const isSpecific =
    busy.length >= LEAST_SLOW ? median >= LEAST_EFFECT * medianOf(busy) : partner.usual >= LONG * usual;
  if (!isSpecific) return false;
  const cut = Math.sqrt(Math.max(0.1, median) * Math.max(0.1, usual));
  const periods = [...inside.values()];
  const slowPeriods = periods.filter((own) => medianOf(own) > cut).length;
  if (slowPeriods < LEAST_PERIODS || slowPeriods < SLOW_PERIODS * periods.length) return false;
  const covered: number[] = [];
  for (const [index, request] of requests.entries()) {
    const period = partner.periodAt(request);
    const value = values[index] as number;
    if (period !== null && value > cut) covered.push(partner.overlap(period, request) / (value - usual));
  }
  return covered.length >= LEAST_SLOW && medianOf(covered) >= COVERED;
}
