import type { PageReport } from "../interchange/report-html.ts";
import { unwrap } from "../model/result.ts";
import { latencyRows } from "../session/lists/endpoint-lists.ts";
import type { Session } from "../session/session.ts";
import { histogramOf } from "../stats/histogram.ts";
import { type ReportSource, type SourceReportOptions, sourceReportOf } from "./session-report.ts";

/** A report as `weir report` prints it, and the endpoints. `null` if the session was deleted meanwhile. */
export async function pageReportOf(source: ReportSource, options: SourceReportOptions): Promise<PageReport | null> {
  const report = await sourceReportOf(source, options);
  if (report === null) return null;
  return {
    report,
    endpoints: endpointsOf(source.session),
    named: source.named ?? null,
  };
}

/** The rows of the latency table, the highest p95 first. */
function endpointsOf(session: Session): PageReport["endpoints"] {
  const rows = latencyRows(
    session,
    [],
    { column: "p95", descending: true },
    { from: 0, count: Number.MAX_SAFE_INTEGER },
  );
  return unwrap(rows).records.map((row) => {
    const tally = session.tally(row.endpoint);
    return { ...row, histogram: tally === null ? [] : histogramOf(tally.latencies) };
  });
}
