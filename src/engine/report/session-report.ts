import type { ContentReader } from "../capture/content-reader.ts";
import type { Baseline } from "../insights/findings/draft.ts";
import { LinkedTraffic } from "../insights/linked-traffic.ts";
import { type EndpointChange, whatIfOf } from "../insights/what-if/endpoint-changes.ts";
import { type LoadFigures, loadFiguresOf } from "../insights/where/load-figures.ts";
import { experimentReportOf } from "../interchange/experiment-report.ts";
import { redactedFinding, redactedWhere } from "../interchange/finding-redaction.ts";
import { redactedText } from "../interchange/redaction.ts";
import type { SourceReport } from "../interchange/source-report.ts";
import type { LeftOut } from "../messages/session-messages.ts";
import type { Finding } from "../model/finding.ts";
import type { ExportSource } from "./export-source.ts";
import { findingSearchOf, linkedFactsOf } from "./linked-facts.ts";
import type { Between } from "./linked-session.ts";

/** A session or file of which a report is made. */
export interface ReportSource extends ExportSource {
  /** The file's path as given, or the session's id. */
  readonly name: string;
  readonly reader: ContentReader;
  /** The first 100 entries of a HAR file that could not be read, and the number of all of them. */
  readonly leftOut: readonly LeftOut[];
  readonly leftOutCount: number;
}

export interface SourceReportOptions {
  readonly redact: boolean;
  /** The changes of `--what-if`. */
  readonly changes?: readonly EndpointChange[];
  /** Latencies of earlier sessions by endpoint; absent for a file. */
  readonly baseline?: ReadonlyMap<string, Baseline>;
  /** Lets other work run. */
  readonly pause?: Between;
  /** Gives each finding its fingerprint, by which a check knows it. */
  readonly fingerprint?: (finding: Finding) => string;
}

/** A report, and the figures of all page loads. */
export interface ReportWithLoads {
  readonly report: SourceReport;
  readonly loads: readonly LoadFigures[];
  /** Searches again for what the session holds, as `FindingSearch.ungated`. */
  readonly ungated: () => readonly Finding[];
}

/**
 * The findings of a session or file. `null` if the session was deleted meanwhile, because a report must cover the whole
 * session.
 */
export async function sourceReportOf(source: ReportSource, options: SourceReportOptions): Promise<SourceReport | null> {
  return (await reportWithLoadsOf(source, options))?.report ?? null;
}

/** The report of `sourceReportOf`, with the figures of all page loads. */
export async function reportWithLoadsOf(
  source: ReportSource,
  { redact, changes = [], baseline = new Map(), pause, fingerprint }: SourceReportOptions,
): Promise<ReportWithLoads | null> {
  const { session, reader, settings, leftOut, leftOutCount, name } = source;
  const linked = await linkedFactsOf(session, reader, settings.chainGap, pause);
  if (reader.isClosed) return null;
  const known = new LinkedTraffic(linked.facts, linked, (id) => session.loadedAt(id));
  const whatIf = changes.length === 0 ? null : whatIfOf(changes, known.traffic, known.units);
  const search = findingSearchOf(known, { source: name, baseline });
  const found = search.findAll().report;
  const shownFinding = (finding: Finding): Finding => ({
    ...(redact ? redactedFinding(finding) : finding),
    ...(fingerprint === undefined ? {} : { fingerprint: fingerprint(finding) }),
  });
  const findings = found.findings.map(shownFinding);
  const where = redact ? redactedWhere(found.where) : found.where;
  const endpoints = new Set(linked.facts.map(({ endpoint }) => endpoint)).size;
  const uncounted = session.table.nextRow - session.table.firstRow - found.exchanges;
  const shown = (reason: string) => (redact ? redactedText(reason) : reason);
  const reasons = leftOut.map(({ entry, reason }) => ({ entry, reason: shown(reason) }));
  const report = {
    ...found,
    where,
    endpoints,
    uncounted,
    leftOut: reasons,
    leftOutCount,
    findings,
    ...(whatIf === null ? {} : { whatIf }),
    ...(session.experiments.length === 0
      ? {}
      : { experiments: session.experiments.map((one) => experimentReportOf(one, redact)) }),
  };
  return { report, loads: loadFiguresOf(known.loads), ungated: () => search.ungated().map(shownFinding) };
}
