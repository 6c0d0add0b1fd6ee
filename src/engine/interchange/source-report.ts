import type { Report } from "../insights/findings/finding-report.ts";
import type { WhatIf } from "../insights/what-if/endpoint-changes.ts";
import type { ExperimentReport } from "./experiment-report.ts";

/** The report on one source, as in the JSON output of `npm run report`. */
export interface SourceReport extends Report {
  /** What the changes of `--what-if` together would save; absent without them. */
  readonly whatIf?: WhatIf;
  /** What the session's experiments found, the latest first; absent without any. */
  readonly experiments?: readonly ExperimentReport[];
  /** The number of endpoints requested; operations count as endpoints of their own. */
  readonly endpoints: number;
  /**
   * The number of exchanges that do not count: unfinished and malformed ones, probes, resent and mocked ones, tunnels,
   * and those from a browser's cache.
   */
  readonly uncounted: number;
  /**
   * The number of entries of a HAR file that could not be parsed. Exchanges are numbered by their place in the file, so
   * each such entry takes a number, too.
   */
  readonly leftOutCount: number;
  /** The first 100 entries that were left out. */
  readonly leftOut: readonly { readonly entry: number; readonly reason: string }[];
}
