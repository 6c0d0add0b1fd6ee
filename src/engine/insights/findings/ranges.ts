import type { Repeat } from "../../model/repeat.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";
import { groupedBy } from "../grouped.ts";
import { burstsIn } from "./bursts.ts";
import { sumOf } from "./numbers.ts";
import { responseField } from "./request.ts";
import { counted, inBytes, templateOf } from "./text.ts";
import { isAwaited, type Request, type Traffic } from "./traffic.ts";
import { lengthOf, unionOf, waitingOf } from "./waiting.ts";

/** Parts of a resource with a longer pause than this between them belong to different fetches. */
const SOON: Milliseconds = 10_000;

/** Resources that one client fetched in parts (RFC 9110, 14), as one repeat for each endpoint. */
export function rangesOf({ endpoints }: Traffic): readonly Repeat[] {
  const repeats: Repeat[] = [];
  for (const own of endpoints.values()) {
    const parts = own.filter(isPartOfGet);
    if (parts.length < 2) continue;
    const runs = [...groupedBy(parts, keyOf).values()].flatMap((same) => burstsIn(same, SOON));
    const long = runs.filter(({ length }) => length >= 2);
    if (long.length > 0) repeats.push(repeatOf(long));
  }
  return repeats;
}

function isPartOfGet(request: Request): boolean {
  return request.status === 206 && request.facts.exchange.method === "GET" && isAwaited(request);
}

function keyOf({ route, facts }: Request): string {
  return `${route}\n${facts.exchange.target}`;
}
function repeatOf(runs: readonly (readonly Request[])[]): Repeat {
  const parts = runs.flat().sort((left, right) => left.start - right.start || left.id - right.id);
  const { endpoint } = (parts[0] as Request).facts;
  const bytes = runs
    .map(receivedAgain)
    .reduce((sum, again) => (sum === null || again === null ? null : sum + again), 0);
  const again = bytes === null || bytes === 0 ? "" : `; ${inBytes(bytes)} were received more than once`;
  return Object.freeze({
    kind: "ranges",
    template: templateOf(endpoint),
    exchanges: Object.freeze(parts.map(({ id }) => id)),
    time: waitingOf(runs.flatMap((run) => run.slice(1).map(waitFor))),
    isUpTo: true,
    bytes,
    summary: `was fetched in ${counted(parts.length, "part")}${again}.`,
  });
}

/**
 * The span in which the client waited for the server to respond. A single request for the whole resource would wait
 * only once.
 */
function waitFor({ client, start, end, facts }: Request) {
  return { client, start, end: facts.exchange.instants.responseStart ?? end };
}

/** The bytes received more than once; `null` if a part does not say which bytes it contains. */
function receivedAgain(run: readonly Request[]): Bytes | null {
  const ranges = run.map(rangeOf);
  if (ranges.includes(null)) return null;
  const known = ranges.filter((range) => range !== null);
  return sumOf(known, lengthOf) - unionOf(known);
}

/** The bytes of a part (RFC 9110, 14.4), as a half-open range. */
function rangeOf(request: Request): { readonly start: Bytes; readonly end: Bytes } | null {
  const [, first, last] = /^bytes (\d{1,15})-(\d{1,15})\//.exec(responseField(request, "content-range") ?? "") ?? [];
  return first === undefined || last === undefined ? null : { start: Number(first), end: Number(last) + 1 };
}
