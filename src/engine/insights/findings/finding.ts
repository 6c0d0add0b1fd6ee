import type { Finding } from "../../model/finding.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";

/** A finding before the gate, with all of its exchanges. */
export interface Draft extends Finding {
  /** All exchanges that the finding covers. Detectors that run later, for wider kinds, skip these. */
  readonly covers: ReadonlySet<ExchangeId>;
}

/** A session's findings, and the totals with which they are compared. */
export interface Report {
  readonly schema: 1;
  /** The name of the session or the file. */
  readonly source: string;
  readonly exchanges: number;
  readonly clients: number;
  /** Time from the first start to the last end. */
  readonly duration: Milliseconds;
  /** The time in which clients waited for at least one response, summed over clients. */
  readonly waiting: Milliseconds;
  readonly findings: readonly Finding[];
}

/** Default; not from a specification: the most exchanges listed with a finding. */
export const MOST_EXCHANGES = 100;

/** A report, with all exchanges that each finding covers. */
export interface CoveredReport {
  readonly report: Report;
  readonly covers: readonly ReadonlySet<ExchangeId>[];
}
