import { modelSamplesOf } from "../../src/engine/insights/models/model-samples.ts";
import type { Finding, FindingKind } from "../../src/engine/model/finding.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import { NO_WAITING } from "../../src/engine/model/where.ts";
import { FoundFindings } from "../../src/engine/session/evaluation/found-findings.ts";
import { sortedIdsOf } from "../../src/engine/session/evaluation/sorted-ids.ts";

/** A finding of this kind with these exchanges. */
export function findingOf(kind: FindingKind, ids: readonly number[]): Finding {
  return {
    kind,
    attribute: null,
    endpoint: { method: "GET", origin: "https://api.test", path: `/${kind}`, operation: null },
    origin: null,
    client: null,
    count: ids.length,
    time: 100,
    bytes: null,
    confidence: "certain",
    exchanges: ids.slice(0, 100).map((id) => id as ExchangeId),
    summary: "One.",
    advice: "Mend it.",
    evidence: [],
    basis: "Measured.",
  };
}

/** The result of a search: one finding of each kind, and the exchanges that it covers. */
export function foundOf(covers: Iterable<readonly [FindingKind, readonly number[]]>): FoundFindings {
  const found = [...covers].map(([kind, ids]) => ({ kind, ids: ids.map((id) => id as ExchangeId) }));
  const findings = found.map(({ kind, ids }) => findingOf(kind, ids));
  const exchanges = found.flatMap(({ ids }) => ids).length;
  const report = {
    schema: 1,
    source: "",
    exchanges,
    clients: 1,
    duration: 1_000,
    waiting: 1_000,
    where: NO_WAITING,
    findings,
  } as const;
  const covered = found.map(({ ids }) => sortedIdsOf(new Set(ids)));
  return new FoundFindings({ report, covers: covered, endpoints: 1, models: modelSamplesOf([]), http3: [] }, 0);
}
