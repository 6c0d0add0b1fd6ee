import type { Query } from "../src/engine/messages/messages.ts";
import type { Instant } from "../src/engine/model/units.ts";

/**
 * The session to query. It lasts from the start of its first exchange (`from`) to the last end of an exchange (`to`).
 */
interface Whole {
  readonly from: number;
  readonly to: number;
  /** The session's id. */
  readonly stored: string;
}

interface ViewQuery {
  readonly name: string;
  /** `round`: the number of the repetition. Each repetition varies the query. */
  query(round: number, whole: Whole): Query;
}

const RANGE = { from: 0, count: 60 };

/** One query for each view. */
export const QUERIES: readonly ViewQuery[] = [
  {
    name: "filter",
    query: (round) => ({
      view: "traffic",
      filter: `cart page=${round}`,
      sort: { column: "id", descending: true },
      range: RANGE,
    }),
  },
  {
    name: "sort",
    query: (round) => ({
      view: "traffic",
      filter: "",
      sort: { column: (["latency", "path", "size"] as const)[round % 3] ?? "size", descending: true },
      range: RANGE,
    }),
  },
  {
    name: "timeline, range",
    query: (round, whole) => ({ view: "timeline", filter: "", between: partOf(whole, round), range: RANGE }),
  },
  {
    name: "timeline, filter",
    query: (round, whole) => ({
      view: "timeline",
      filter: `users/${round} dur>50`,
      between: partOf(whole, round),
      range: RANGE,
    }),
  },
  { name: "density", query: () => ({ view: "density", filter: "", between: null, slices: 400 }) },
  {
    name: "latency",
    query: () => ({ view: "latency", filter: "", sort: { column: "p95", descending: true }, range: RANGE }),
  },
  {
    name: "slow",
    query: () => ({ view: "slow", filter: "", cause: "all", endpoint: null, group: null, range: RANGE }),
  },
  {
    name: "slow-groups",
    query: () => ({ view: "slow-groups", filter: "", cause: "all", endpoint: null, range: RANGE }),
  },
  {
    name: "payload",
    query: () => ({ view: "payload", filter: "", sort: { column: "oversized", descending: true }, range: RANGE }),
  },
  {
    name: "trends",
    query: () => ({
      view: "trends",
      filter: "",
      metric: "all",
      direction: "all",
      sort: { column: "change", descending: true },
      range: RANGE,
    }),
  },
  {
    name: "compare",
    query: (_, { stored }) => ({
      view: "compare",
      left: stored,
      right: stored,
      filter: "",
      sort: { column: "p95", descending: true },
      range: RANGE,
    }),
  },
  { name: "grouping", query: () => ({ view: "grouping" }) },
  { name: "chains", query: () => ({ view: "chains", filter: "" }) },
];

/** A time range of a twentieth of the session. Each round has another range. */
function partOf(
  { from, to }: Pick<Whole, "from" | "to">,
  round: number,
): { readonly from: Instant; readonly to: Instant } {
  const length = (to - from) / 20;
  const begin = from + (5 + round) * length;
  return { from: begin as Instant, to: (begin + length) as Instant };
}
