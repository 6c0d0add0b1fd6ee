import type {
  FindingDetail,
  FindingExchange,
  FindingsState,
  RankedFindings,
  WhereFound,
} from "../../messages/ranked-findings.ts";
import { statusOf } from "../../model/exchange.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { RankedFound } from "../evaluation/findings.ts";
import type { FoundFindings } from "../evaluation/found-findings.ts";
import { LONGEST_TARGET } from "../lists/finding-records.ts";
import { exchangesAt } from "../lists/matched-rows.ts";
import type { Session } from "../session.ts";

/** ranked-findings.ts: the most findings in a message. */
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
    ...{
      findings,
      matched: matching.length,
      total: records.length,
      exchanges,
      older,
      endpoints,
      clients,
      duration,
      waiting,
    },
  });
}

/** One finding with its exchanges; `null` if the finding is not in the list. */
export function findingDetailOf(session: Session, { found }: RankedFound, key: string): FindingDetail | null {
  const finding = found?.records.find((record) => record.key === key);
  if (finding === undefined) return null;
  return Object.freeze({ finding, exchanges: finding.exchanges.flatMap((id) => exchangeOf(session, id) ?? []) });
}

function exchangeOf(session: Session, id: ExchangeId): FindingExchange | null {
  const exchange = session.exchange(id);
  if (exchange === null) return null;
  const { method, origin, target, outcome, instants, endTime } = exchange;
  return Object.freeze({
    ...{ id, method, origin, target: target.slice(0, LONGEST_TARGET), status: statusOf(outcome) },
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    start: instants.startTime,
    end: instants.responseEnd ?? endTime ?? instants.startTime,
  });
}
