import { createHash } from "node:crypto";
import { fingerprintOf, type Identified } from "../../../src/engine/interchange/fingerprint.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import { type HostAliases, NO_ALIASES } from "../../../src/engine/model/host-alias.ts";
import { failure } from "../../../src/engine/model/result.ts";
import {
  type ReportWithLoads,
  reportWithLoadsOf,
  type SourceReportOptions,
  sourceReportOf,
} from "../../../src/engine/report/session-report.ts";
import { commandPause } from "../process/timeslicer.ts";
import { openSession } from "../storage/stored-sessions.ts";
import { baselineLatenciesOf } from "./baseline-latencies.ts";
import type { OpenedSource } from "./opened-source.ts";

/** What a command's report has beside the session itself. `aliases`: for the findings' fingerprints. */
export async function reportOptionsOf(
  { baseline, dataDir }: Pick<OpenedSource, "baseline" | "dataDir">,
  aliases: HostAliases = NO_ALIASES,
): Promise<Omit<SourceReportOptions, "redact">> {
  const earlier = baseline.sessions.map(({ id }) => id).reverse();
  const open = (id: string) => (dataDir === null ? failure("a file has no sessions") : openSession(dataDir, id));
  return {
    baseline: await baselineLatenciesOf(open, earlier),
    pause: commandPause(),
    fingerprint: (finding) => sha256Fingerprint(finding, aliases),
  };
}

/** The report on a session or file, for a command. `null` if the session was deleted meanwhile. */
export async function reportOf(source: OpenedSource, redact: boolean): Promise<SourceReport | null> {
  return sourceReportOf(source, { redact, ...(await reportOptionsOf(source)) });
}

/** The report of `reportOf` with secrets, and the figures of all page loads. */
export async function reportWithLoads(source: OpenedSource, aliases: HostAliases): Promise<ReportWithLoads | null> {
  return reportWithLoadsOf(source, { redact: false, ...(await reportOptionsOf(source, aliases)) });
}

/** The finding's fingerprint, with the digest of Node.js. */
export function sha256Fingerprint(finding: Identified, aliases: HostAliases): string {
  return fingerprintOf(finding, aliases, (text) => createHash("sha256").update(text).digest("hex"));
}
