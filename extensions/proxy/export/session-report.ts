import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import { failure } from "../../../src/engine/model/result.ts";
import { type SourceReportOptions, sourceReportOf } from "../../../src/engine/report/session-report.ts";
import { commandPause } from "../process/timeslicer.ts";
import { openSession } from "../storage/stored-sessions.ts";
import { baselineLatenciesOf } from "./baseline-latencies.ts";
import type { OpenedSource } from "./opened-source.ts";

/** The latencies of earlier sessions with which a report compares, and the pause of a command. */
export async function comparisonOf({
  baseline,
  dataDir,
}: OpenedSource): Promise<Pick<SourceReportOptions, "baseline" | "pause">> {
  const earlier = baseline.sessions.map(({ id }) => id).reverse();
  const open = (id: string) => (dataDir === null ? failure("a file has no sessions") : openSession(dataDir, id));
  return { baseline: await baselineLatenciesOf(open, earlier), pause: commandPause() };
}

/** The report on a session or file, for a command. `null` if the session was deleted meanwhile. */
export async function reportOf(source: OpenedSource, redact: boolean): Promise<SourceReport | null> {
  return sourceReportOf(source, { redact, ...(await comparisonOf(source)) });
}
