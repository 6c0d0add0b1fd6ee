import type { OperationEndpoint } from "../../model/finding.ts";
import type { Gain } from "../../model/load-gain.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { PageLoad, WaitPart, WaitPhase, Where } from "../../model/where.ts";
import { isAwaited, type Request, type Traffic } from "../findings/traffic.ts";
import { groupedBy } from "../grouped.ts";
import type { CriticalPaths } from "../links/critical-paths.ts";
import { type Microseconds, microsecondsOf, millisecondsOf } from "../microseconds.ts";
import type { UnitGains } from "../what-if/unit-gains.ts";
import { type Load, pageLoadsOf } from "./page-loads.ts";
import { phaseTimesOf } from "./phase-times.ts";
import { slowestRequestsOf } from "./slowest-requests.ts";
import { type LoadRun, loadRunsOf } from "./step-runs.ts";

export interface WhereOptions {
  readonly paths: CriticalPaths;
  readonly limits: readonly string[];
  readonly loads: readonly Load[];
  /** `null`: what steps save is not calculated. */
  readonly units: UnitGains | null;
}

/** What the clients' waiting was spent on. */
export function whereOf(traffic: Traffic, { paths, limits, loads: all, units }: WhereOptions): Where {
  const { waiting, parts } = partsOf(traffic);
  const slowest = slowestRequestsOf(traffic);
  const longest = pageLoadsOf(all, traffic, paths);
  const loads = units === null ? longest : withStepGains(longest, units);
  return Object.freeze({ waiting, parts, slowest, loads, limits: Object.freeze([...limits]) });
}

interface Sum {
  readonly endpoint: OperationEndpoint;
  readonly phase: WaitPhase;
  time: Microseconds;
  requests: number;
}

/** The waiting, and its parts by endpoint and phase. */
function partsOf({ requests }: Traffic): Pick<Where, "waiting" | "parts"> {
  const sums = new Map<string, Map<WaitPhase, Sum>>();
  let waiting: Microseconds = 0;
  for (const own of groupedBy(requests, clientOf).values()) {
    const spans: RequestSpan[] = [];
    for (const request of own) {
      spans.push(spanOf(request));
    }
    for (const held of heldTimesOf(spans)) {
      waiting += held.to - held.from;
      addTo(sums, held);
    }
  }
  const all = [...sums.values()].flatMap((byPhase) => [...byPhase.values()]);
  const parts = all.sort((one, other) => other.time - one.time).map((sum) => partOf(sum, waiting));
  return { waiting: millisecondsOf(waiting), parts: Object.freeze(parts) };
}

function clientOf(request: Request): string | null {
  return isAwaited(request) ? request.client : null;
}

interface RequestSpan extends WaitSpan {
  readonly request: Request;
}

function spanOf(request: Request): RequestSpan {
  const { id, start, end } = request;
  return { request, id, start: microsecondsOf(start), end: microsecondsOf(end) };
}

function addTo(sums: Map<string, Map<WaitPhase, Sum>>, { by, from, to }: Held<RequestSpan>): void {
  const { endpointKey, facts } = by.request;
  const byPhase = sums.get(endpointKey) ?? new Map<WaitPhase, Sum>();
  sums.set(endpointKey, byPhase);
  for (const [phase, time] of phaseTimesOf(facts.exchange, from, to)) {
    const sum = byPhase.get(phase) ?? { endpoint: facts.endpoint, phase, time: 0, requests: 0 };
    byPhase.set(phase, sum);
    sum.time += time;
    sum.requests += 1;
  }
}

function partOf({ endpoint, phase, time, requests }: Sum, waiting: Microseconds): WaitPart {
  return Object.freeze({ endpoint, phase, time: millisecondsOf(time), share: time / waiting, requests });
}

/** The time span of a request for which a client waited. */
export interface WaitSpan {
  readonly id: ExchangeId;
  readonly start: Microseconds;
  readonly end: Microseconds;
}

/** A part of a client's waiting, and the request that held it. */
interface Held<One> {
  readonly by: One;
  readonly from: Microseconds;
  readonly to: Microseconds;
}

/**
 * Gives each moment in which a client waited to one of its requests, the latest moment first. Goes back from the end of
 * each busy stretch: the request that ends last holds the time back to its start, then the one in flight there that
 * ends last. Ties: the later start, then the higher id (docs/specification.md, Where the time went).
 *
 *     a ├──────┤              a holds until b starts
 *     b    ├───┼────────┤     b holds all of its time
 *     c        ├────┤         c holds nothing
 *
 * `own`: the spans of one client, by start, then id. The parts do not overlap, and add up to the union of the spans.
 */
export function heldTimesOf<One extends WaitSpan>(own: readonly One[]): readonly Held<One>[] {
  const held: Held<One>[] = [];
  const latest = latestEndsOf(own);
  let until = Number.POSITIVE_INFINITY;
  for (let last = own.length - 1; last >= 0; last -= 1) {
    if ((own[last] as One).start >= until) continue;
    // Of the spans that begin before `until`, this one ends last.
    const by = latest[last] as One;
    const to = Math.min(by.end, until);
    until = by.start;
    if (to > by.start) held.push({ by, from: by.start, to });
  }
  return held;
}

/** For each span, the one that ends last among it and the spans before it; of equal ends, the last one. */
function latestEndsOf<One extends WaitSpan>(own: readonly One[]): readonly One[] {
  const latest: One[] = [];
  let known: One | null = null;
  for (const span of own) {
    if (known === null || span.end >= known.end) known = span;
    latest.push(known);
  }
  return latest;
}

/** The most requests that are calculated again for the steps of all loads. */
const MOST_WORK = 2_000_000;

/**
 * The loads, with what each step and each run saves if it took no time: the longest load first, until `MOST_WORK` is
 * done.
 */
export function withStepGains(loads: readonly PageLoad[], units: UnitGains): readonly PageLoad[] {
  let left = MOST_WORK;
  const gained = new Map<PageLoad, PageLoad>();
  for (const load of loads.toSorted((one, other) => other.duration - one.duration)) {
    const gainWithout = (steps: LoadRun["steps"]): Gain | null => {
      const unit = units.unitOf(steps[0].exchange);
      left -= unit?.exchanges.length ?? 0;
      if (unit === null || left < 0 || steps.some(({ exchange }) => units.unitOf(exchange) !== unit)) return null;
      const ids = new Set(steps.map(({ exchange }) => exchange));
      return units.gainOf(unit, ({ id }) => (ids.has(id) ? 0 : null));
    };
    const path = loadRunsOf(load.path).flatMap(({ steps }) =>
      steps.map((step, index) => {
        const ifGone = gainWithout([step]);
        const ifRunGone = index === 0 && steps.length > 1 ? gainWithout(steps) : null;
        return Object.freeze({
          ...step,
          ...(ifGone === null ? {} : { ifGone }),
          ...(ifRunGone === null ? {} : { ifRunGone }),
        });
      }),
    );
    gained.set(load, Object.freeze({ ...load, path: Object.freeze(path) }));
  }
  return Object.freeze(loads.map((load) => gained.get(load) ?? load));
}
