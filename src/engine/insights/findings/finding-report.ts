import type { Finding } from "../../model/finding.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { Where } from "../../model/where.ts";

/** A finding as its detector returns it, with all exchanges that it covers. */
export interface Draft extends Finding {
  /** All exchanges that the finding covers. Some detectors of wider kinds run later and skip these exchanges. */
  readonly covers: ReadonlySet<ExchangeId>;
}

/** A session's findings, and the totals with which they are compared. */
export interface Report {
  readonly schema: 1;
  /** The name of the session or the file. */
  readonly source: string;
  readonly exchanges: number;
  readonly clients: number;
  /** The time from the first start of an exchange to the last end. */
  readonly duration: Milliseconds;
  /** The time in which clients waited for at least one response, summed over clients. */
  readonly waiting: Milliseconds;
  /** What the waiting was spent on. */
  readonly where: Where;
  readonly findings: readonly Finding[];
}

/** The most exchanges listed with a finding. */
export const MOST_EXCHANGES = 100;

/** A report, with all exchanges that each finding covers. */
export interface CoveredReport {
  readonly report: Report;
  readonly covers: readonly ReadonlySet<ExchangeId>[];
}
