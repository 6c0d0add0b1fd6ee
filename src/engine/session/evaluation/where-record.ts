import type { WhereRecord } from "../../messages/ranked-findings.ts";
import type { OperationEndpoint } from "../../model/finding.ts";
import type { Where } from "../../model/where.ts";

/** Limits of ranked-findings.ts. */
const MOST_PARTS = 10;
const MOST_LOADS = 10;
const MOST_STEPS = 50;
const LONGEST_PATH = 512;

/** Where the time went, cut to the size of a message. */
export function whereRecordOf({ waiting, parts, slowest, loads, limits }: Where): WhereRecord {
  const longest = loads.toSorted((one, other) => other.duration - one.duration || one.start - other.start);
  const listed = longest.slice(0, MOST_LOADS).sort((one, other) => one.start - other.start);
  const weir = parts.reduce((sum, { phase, time }) => (phase === "weir" ? sum + time : sum), 0);
  return Object.freeze({
    waiting,
    parts: Object.freeze(parts.slice(0, MOST_PARTS).map(cut)),
    partCount: parts.length,
    weir,
    slowest: Object.freeze(slowest.map(cut)),
    loads: Object.freeze(
      listed.map(({ path, ...load }) => ({ ...load, path: path.slice(0, MOST_STEPS).map(cut), steps: path.length })),
    ),
    limits,
  });
}

/** Cuts a long path, because a hostile path can be as long as a head. */
export function cut<One extends { readonly endpoint: OperationEndpoint | null }>(one: One): One {
  const { endpoint } = one;
  if (endpoint === null || endpoint.path.length <= LONGEST_PATH) return one;
  return { ...one, endpoint: { ...endpoint, path: `${endpoint.path.slice(0, LONGEST_PATH)}…` } };
}
