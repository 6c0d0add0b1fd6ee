import type { Milliseconds } from "../../../model/units.ts";
import { groupedBy } from "../../grouped.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { type Partner, partnersIn } from "./partners.ts";

/** How busy a request's origin was when the request began. */
export interface Load {
  /** The number of the origin's running requests, including this one. */
  readonly inFlight: (request: Request) => number;
  /** Time since the origin's last request ended; 0 if one was running; `null` for the first request. */
  readonly idle: (request: Request) => Milliseconds | null;
  /** Time since the session's first request. */
  readonly sinceBegin: (request: Request) => Milliseconds;
  /** The busiest endpoints of the request's origin, its own among them. */
  readonly partners: (request: Request) => readonly Partner[];
}

/** The load at the start of each request to these origins, computed in one pass per origin. `requests`: by start. */
export function loadOf(requests: readonly Request[], origins: ReadonlySet<string>): Load {
  const inFlight = new Map<Request, number>();
  const idleTimes = new Map<Request, Milliseconds | null>();
  const partners = new Map<string, readonly Partner[]>();
  for (const own of groupedBy(requests, (one) =>
    origins.has(one.origin) && isAwaited(one) ? one.origin : null,
  ).values()) {
    partners.set(own[0]?.origin ?? "", partnersIn(own));
    const ends = Float64Array.from(own.map(({ end }) => end)).sort();
    let [ended, begun] = [0, 0];
    let lastEnd: number | null = null;
    let idle: Milliseconds | null = null;
    for (let index = 0; index < own.length; index += 1) {
      const request = own[index] as Request;
      // Requests that start at the same instant count as running for each other, since their order has no meaning.
      while ((own[begun]?.start ?? Number.POSITIVE_INFINITY) <= request.start) begun += 1;
      while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= request.start) ended += 1;
      if (own[index - 1]?.start !== request.start) idle = idleSince(lastEnd, request);
      inFlight.set(request, Math.max(1, begun - ended));
      idleTimes.set(request, idle);
      lastEnd = Math.max(lastEnd ?? request.end, request.end);
    }
  }
  const begin = requests[0]?.start ?? 0;
  return {
    inFlight: (request) => inFlight.get(request) ?? 1,
    idle: (request) => idleTimes.get(request) ?? null,
    sinceBegin: ({ start }) => start - begin,
    partners: ({ origin }) => partners.get(origin) ?? [],
  };
}

function idleSince(lastEnd: number | null, { start }: Request): Milliseconds | null {
  return lastEnd === null ? null : Math.max(0, start - lastEnd);
}
