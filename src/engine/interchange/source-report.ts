import type { Report } from "../insights/findings/finding.ts";

/** A report of `npm run report`, as in its JSON output. */
export interface SourceReport extends Report {
  /** Endpoints requested, operations counted separately. */
  readonly endpoints: number;
  /** Further exchanges that count in no figure: unfinished, malformed, from a browser's cache, probes, resent ones, tunnels. */
  readonly uncounted: number;
  /** Entries of a HAR file that could not be parsed; they still count in the numbering. */
  readonly leftOutCount: number;
  /** The first 100 of them. */
  readonly leftOut: readonly { readonly entry: number; readonly reason: string }[];
}
