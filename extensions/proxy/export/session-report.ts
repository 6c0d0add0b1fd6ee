import { trafficOf } from "../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../src/engine/insights/links/critical-paths.ts";
import { UnitGains } from "../../../src/engine/insights/what-if/gains.ts";
import { unitsOf } from "../../../src/engine/insights/what-if/units.ts";
import { type Change, whatIfOf } from "../../../src/engine/insights/what-if/what-if.ts";
import { experimentReportOf } from "../../../src/engine/interchange/experiment-report.ts";
import { redactedFinding, redactedWhere } from "../../../src/engine/interchange/finding-redaction.ts";
import { redactedText } from "../../../src/engine/interchange/redaction.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import { failure } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { openSession } from "../storage/stored-sessions.ts";
import { baselineLatenciesOf } from "./baseline-latencies.ts";
import { findingSearchOf, linkedFactsOf } from "./linked-facts.ts";
import type { OpenedSource } from "./opened-source.ts";

/**
 * The findings of a session or file, for `npm run report`. `null` if the session was deleted meanwhile, because a
 * report must cover the whole session. `changes`: of `--what-if`.
 */
export async function reportOf(
  source: OpenedSource,
  redact: boolean,
  changes: readonly Change[] = [],
): Promise<SourceReport | null> {
  const { session, reader, settings, leftOut, leftOutCount, name } = source;
  const linked = await linkedFactsOf(session, reader, settings.chainGap);
  if (reader.isClosed) return null;
  const earlier = source.baseline.sessions.map(({ id }) => id).reverse();
  const { dataDir } = source;
  const open = (id: string) => (dataDir === null ? failure("a file has no sessions") : openSession(dataDir, id));
  const baseline = await baselineLatenciesOf(open, earlier);
  const loadedAt = (id: ExchangeId) => session.loadedAt(id);
  const traffic = trafficOf(linked.facts, linked.links);
  const units = new UnitGains(unitsOf(traffic, criticalPathsOf(linked.facts, linked), loadedAt));
  const whatIf = changes.length === 0 ? null : whatIfOf(changes, traffic, units);
  const found = findingSearchOf(linked, { source: name, baseline, loadedAt, units }).findAll().report;
  const findings = redact ? found.findings.map(redactedFinding) : found.findings;
  const where = redact ? redactedWhere(found.where) : found.where;
  const endpoints = new Set(linked.facts.map(({ endpoint }) => endpoint)).size;
  const uncounted = session.table.nextRow - session.table.firstRow - found.exchanges;
  const shown = (reason: string) => (redact ? redactedText(reason) : reason);
  const reasons = leftOut.map(({ entry, reason }) => ({ entry, reason: shown(reason) }));
  return {
    ...found,
    ...{ where, endpoints, uncounted, leftOut: reasons, leftOutCount, findings },
    ...(whatIf === null ? {} : { whatIf }),
    ...(session.experiments.length === 0
      ? {}
      : { experiments: session.experiments.map((one) => experimentReportOf(one, redact)) }),
  };
}
