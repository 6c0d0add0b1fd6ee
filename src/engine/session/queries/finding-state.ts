import type { FindingDetail, FindingsState, RankedFindings, WhereFound } from "../../messages/finding-messages.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { FoundFindings } from "../evaluation/found-findings.ts";
import type { RankedFound } from "../evaluation/insights.ts";
import { findingExchangeOf } from "../lists/chain-lists.ts";
import { exchangesAt } from "../lists/matched-rows.ts";
import type { Session } from "../session.ts";

/** finding-messages.ts: the most findings in a message. */
const MOST_FINDINGS = 100;

/**
 * The state of the Findings tab. `rows`: selects findings that cover an exchange at one of these rows; `null` selects
 * all.
 */
export function findingsStateOf(
  { table }: Session,
  where: WhereFound | null,
  { found, progress }: RankedFound,
  rows: Uint32Array | null = null,
): FindingsState {
  const holds = rows === null ? null : exchangesAt(table, rows);
  return Object.freeze({ where, found: found === null ? null : rankedOf(found, holds), progress });
}

function rankedOf(found: FoundFindings, holds: ((id: ExchangeId) => boolean) | null): RankedFindings {
  const { report, records, endpoints, older } = found;
  const { exchanges, clients, duration, waiting } = report;
  const matching = records.filter((_, index) => holds === null || found.coversSome(index, holds));
  const findings = matching.slice(0, MOST_FINDINGS);
  return Object.freeze({
    findings,
    matched: matching.length,
    total: records.length,
    exchanges,
    older,
    endpoints,
    clients,
    duration,
    waiting,
  });
}

/** One finding with its exchanges; `null` if the finding is not in the list. */
export function findingDetailOf(session: Session, { found }: RankedFound, key: string): FindingDetail | null {
  const finding = found?.records.find((record) => record.key === key);
  if (finding === undefined) return null;
  const exchanges = finding.exchanges.flatMap((id) => session.exchange(id) ?? []).map(findingExchangeOf);
  return Object.freeze({ finding, exchanges });
}
