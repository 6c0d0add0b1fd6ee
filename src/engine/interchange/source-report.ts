import type { Report } from "../insights/findings/finding.ts";

/** The report on one source, as in the JSON output of `npm run report`. */
export interface SourceReport extends Report {
  /** The number of endpoints requested; operations count as endpoints of their own. */
  readonly endpoints: number;
  /** Exchanges that are not counted: unfinished, malformed, from a browser's cache, probes, resent ones, tunnels. */
  readonly uncounted: number;
  /** Entries of a HAR file that could not be parsed. They count in the numbering of exchanges. */
  readonly leftOutCount: number;
  /** The first 100 entries that were left out. */
  readonly leftOut: readonly { readonly entry: number; readonly reason: string }[];
}
