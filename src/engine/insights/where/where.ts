import type { OperationEndpoint } from "../../model/finding.ts";
import type { WaitPart, WaitPhase, Where } from "../../model/where.ts";
import { isAwaited, type Request, type Traffic } from "../findings/traffic.ts";
import { groupedBy } from "../grouped.ts";
import type { CriticalPaths } from "../links/critical-paths.ts";
import { type Microseconds, microsecondsOf, millisecondsOf } from "../microseconds.ts";
import type { UnitGains } from "../what-if/gains.ts";
import { type Held, heldTimesOf, type WaitSpan } from "./held-time.ts";
import { type Load, pageLoadsOf } from "./page-loads.ts";
import { phaseTimesOf } from "./phase-times.ts";
import { slowestRequestsOf } from "./slowest-requests.ts";
import { withStepGains } from "./step-gains.ts";

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
