import type { Milliseconds } from "../../model/units.ts";
import { medianOf } from "../../stats/percentile.ts";
import { groupedBy } from "../grouped.ts";
import { ONE_FLIGHT } from "./delayed-bodies.ts";
import { linesOf, type MeasuredLine, SLOW_LINE, sizeOf } from "./measured-line.ts";
import { isLargeByNature } from "./request.ts";
import { FEW_BELOW, heldEnough, SLOW_ALONE } from "./slow-few.ts";
import { isAwaited, type Request, type Traffic } from "./traffic.ts";
import type { Span } from "./waiting.ts";

/** docs/specification.md, slow-transfer. A delayed acknowledgement takes 40 ms. */
const LEAST_SHARE_OF_LATENCY = 0.5;
const LEAST_MEDIAN: Milliseconds = 30;

/** A body comes late if the client received less than this share of its usual rate meanwhile. */
const LATE_BELOW = 0.25;

/** A body with a smaller share of what the client received meanwhile waited for other bodies. */
const LEAST_SHARE_OF_LINE = 0.1;

/**
 * Why an endpoint's transfers take long. `late`: the server sends the body late or slowly. `line`: all bodies of the
 * client come slowly. `large`: the client received at its usual rate, much of it this body. `busy`: other bodies took
 * the line. `download`: a file as long as it is.
 */
export type TransferCause = "late" | "line" | "large" | "busy" | "download";

/** The long transfers of an endpoint. */
export interface LongTransfers {
  readonly cause: TransferCause;
  readonly requests: readonly Request[];
  /** Whether the client received other bodies to compare with. */
  readonly isCompared: boolean;
}

/** The endpoints whose transfers take most of their latency and much of the waiting, by `endpointKey`. */
export function longTransfersOf(traffic: Traffic): ReadonlyMap<string, LongTransfers> {
  const bound = traffic.requests.filter((one) => isAwaited(one) && one.latency !== null);
  const candidates = new Map<string, readonly Request[]>();
  for (const [key, own] of groupedBy(bound, ({ endpointKey }) => endpointKey)) {
    const long = longIn(own);
    if (heldEnough(long.map(transferSpanOf), traffic)) candidates.set(key, long);
  }
  if (candidates.size === 0) return new Map();
  const lines = linesOf(traffic);
  const found = new Map<string, LongTransfers>();
  for (const [key, requests] of candidates) {
    found.set(key, { requests, ...causeOf(requests, lines) });
  }
  return found;
}

function longIn(own: readonly Request[]): readonly Request[] {
  const long = own.filter(isTransferBound);
  if (own.length < FEW_BELOW) return long.filter(({ transfer, uncertainty }) => transfer - uncertainty >= SLOW_ALONE);
  const [transfer, latency] = [medianOf(own.map((one) => one.transfer)), medianOf(own.map((one) => one.latency ?? 0))];
  return transfer >= LEAST_MEDIAN && transfer >= LEAST_SHARE_OF_LATENCY * latency ? long : [];
}

/** Whether the transfer takes at least half of the request's time, without its wait for a connection. */
export function isTransferBound({ transfer, start, end, facts }: Request): boolean {
  return transfer >= LEAST_SHARE_OF_LATENCY * (end - start - (facts.queued ?? 0));
}

function causeOf(
  requests: readonly Request[],
  lines: ReadonlyMap<string, MeasuredLine>,
): { readonly cause: TransferCause; readonly isCompared: boolean } {
  let [time, received, own, others, isSlow] = [0, 0, 0, 0, true];
  for (const request of requests) {
    const line = lines.get(request.client);
    const usual = line?.usualBeside(request.endpointKey) ?? null;
    time += request.transfer;
    own += sizeOf(request);
    received += line?.during(request) ?? sizeOf(request);
    others += usual === null ? 0 : usual * request.transfer;
    isSlow &&= line !== undefined && line.slowRate() !== null;
  }
  if (isSlow) return { cause: "line", isCompared: true };
  const size = medianOf(requests.map(sizeOf));
  const isNatural = requests.every(isLargeByNature);
  if (others > 0) {
    if (received < LATE_BELOW * others) return { cause: "late", isCompared: true };
    if (isNatural) return { cause: "download", isCompared: true };
    return { cause: own >= LEAST_SHARE_OF_LINE * received && size > ONE_FLIGHT ? "large" : "busy", isCompared: true };
  }
  if (size <= ONE_FLIGHT) return { cause: "late", isCompared: false };
  if (isNatural) return { cause: "download", isCompared: false };
  // Without other bodies to compare with, a body comes late below the rate of a slow line.
  return { cause: received < SLOW_LINE * time ? "late" : "large", isCompared: false };
}

export function transferSpanOf({ client, end, transfer }: Request): Span {
  return { client, start: end - transfer, end };
}
