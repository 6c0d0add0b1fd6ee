import type { Steps } from "../../../model/steps.ts";
import type { Milliseconds } from "../../../model/units.ts";
import { groupedBy, isAwaited, type Request } from "../traffic.ts";

/** The load of a request's origin when the request began. */
export interface Load {
  /** Requests of the origin that were running, itself included. */
  readonly inFlight: (request: Request) => number;
  /** Since the origin last had anything to do; 0 while it had; `null` for the first. */
  readonly idle: (request: Request) => Milliseconds | null;
  /** Since the session's first request. */
  readonly sinceBegin: (request: Request) => Milliseconds;
}

/** Of requests to some origins: one sweep over each origin's requests, which are by start. */
export function* loadOf(requests: readonly Request[], origins: ReadonlySet<string>): Steps<Load> {
  const running = new Map<Request, number>();
  const idle = new Map<Request, Milliseconds | null>();
  for (const own of groupedBy(requests, (one) =>
    origins.has(one.origin) && isAwaited(one) ? one.origin : null,
  ).values()) {
    const ends = Float64Array.from(own, ({ end }) => end).sort();
    let [ended, begun] = [0, 0];
    let lastEnd: number | null = null;
    for (const [index, request] of own.entries()) {
      // What began at the same moment is counted for both: which of them was written down first says nothing.
      while ((own[begun]?.start ?? Number.POSITIVE_INFINITY) <= request.start) begun += 1;
      while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= request.start) ended += 1;
      running.set(request, Math.max(1, begun - ended));
      const isFirst = index === 0 || own[index - 1]?.start !== request.start;
      const before = own[index - 1];
      idle.set(request, isFirst || before === undefined ? idleSince(lastEnd, request) : (idle.get(before) ?? null));
      lastEnd = Math.max(lastEnd ?? request.end, request.end);
    }
    yield;
  }
  const begin = requests[0]?.start ?? 0;
  return {
    inFlight: (request) => running.get(request) ?? 1,
    idle: (request) => idle.get(request) ?? null,
    sinceBegin: ({ start }) => start - begin,
  };
}

function idleSince(lastEnd: number | null, { start }: Request): Milliseconds | null {
  return lastEnd === null ? null : Math.max(0, start - lastEnd);
}
