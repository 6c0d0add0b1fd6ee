import { repeatsOf } from "../../../src/engine/insights/findings/repeats.ts";
import { trafficOf } from "../../../src/engine/insights/findings/traffic.ts";
import { walksOf } from "../../../src/engine/insights/links/walks.ts";
import { piecesOf, type Table, type TableFormat } from "../../../src/engine/interchange/table.ts";
import {
  chainsTable,
  groupsTable,
  latencyTable,
  linksTable,
  payloadTable,
  repeatsTable,
  slowTable,
  trendsTable,
} from "../../../src/engine/interchange/tables.ts";
import type { ExportTable } from "../../../src/engine/messages/exchange-messages.ts";
import { type Result, success } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import {
  checkOpen,
  type ExportSource,
  matchingSourceOf,
  type Piece,
} from "../../../src/engine/report/export-source.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { groupRecordsOf } from "../../../src/engine/session/evaluation/grouping.ts";
import type { InsightEvaluator } from "../../../src/engine/session/evaluation/insight-evaluator.ts";
import { appliesToEndpoints, type Filter } from "../../../src/engine/session/filter/term.ts";
import { latencyRows } from "../../../src/engine/session/lists/endpoint-lists.ts";
import { endpointsAt, exchangesAt } from "../../../src/engine/session/lists/matched-rows.ts";
import { matchingList } from "../../../src/engine/session/lists/matching-exchanges.ts";
import { payloadFindings } from "../../../src/engine/session/lists/payload-list.ts";
import { slowRecords } from "../../../src/engine/session/lists/slow-list.ts";
import type { TrafficList } from "../../../src/engine/session/lists/traffic-list.ts";
import { trendsFound } from "../../../src/engine/session/lists/trend-list.ts";
import { commandPause } from "../process/timeslicer.ts";

/** Every row of a table, since an export has no visible range. */
const ALL = { from: 0, count: Number.MAX_SAFE_INTEGER };

/** The text of a table in pieces, one for each row. An invalid filter is a failure. */
export function tableText(
  source: ExportSource,
  name: ExportTable,
  format: TableFormat,
  filter: string,
  redact: boolean,
): Result<AsyncGenerator<Piece>> {
  const matching = matchingList(matchingSourceOf(source), filter);
  if (!matching.ok) return matching;
  if (isFindings(name)) {
    const { list, evaluator } = matching.value;
    const holds =
      matching.value.filter.length === 0 ? () => true : exchangesAt(source.session.table, list.rows(evaluator));
    return success(findingPieces(source, name, format, redact, holds));
  }
  const table = tableOf(source, name, matching.value, redact);
  return table.ok ? success(tablePieces(table.value, format)) : table;
}

/**
 * Tables that are computed from all exchanges, because leaving out an exchange would change their rows. Only rows with
 * an exchange that matches the filter are exported.
 */
const FINDINGS = ["chains", "groups", "repeats", "links"] as const;

type FindingsName = (typeof FINDINGS)[number];

function isFindings(name: ExportTable): name is FindingsName {
  return FINDINGS.some((one) => one === name);
}

function tableOf(
  { session, settings, baseline }: ExportSource,
  name: Exclude<ExportTable, FindingsName>,
  {
    filter,
    list,
    evaluator,
  }: { readonly filter: Filter; readonly list: TrafficList; readonly evaluator: InsightEvaluator },
  redact: boolean,
): Result<Table> {
  const ofNames = filter.every(appliesToEndpoints);
  const holdsEndpoint = ofNames ? null : endpointsAt(session.table, list.rows(evaluator));
  switch (name) {
    case "latency": {
      const rows = latencyRows(session, filter, { column: "p95", descending: true }, ALL, holdsEndpoint);
      return rows.ok ? success(latencyTable(rows.value.records, redact)) : rows;
    }
    case "slow":
      return success(slowTable(slowRecords(session, filter, evaluator), redact));
    case "payload": {
      const rows = payloadFindings(session, filter, evaluator, holdsEndpoint);
      return rows.ok ? success(payloadTable(rows.value, redact)) : rows;
    }
    case "trends": {
      const rows = trendsFound(session, baseline, settings, filter, holdsEndpoint);
      return rows.ok ? success(trendsTable(rows.value, redact)) : rows;
    }
  }
}

async function* findingPieces(
  source: ExportSource,
  name: FindingsName,
  format: TableFormat,
  redact: boolean,
  holds: Holds,
): AsyncGenerator<Piece> {
  const wait = commandPause();
  const table = await findingTable(source, name, redact, holds, () => {
    checkOpen(source);
    return wait();
  });
  checkOpen(source);
  yield* tablePieces(table, format);
}

async function findingTable(
  { session, reader, settings }: ExportSource,
  name: FindingsName,
  redact: boolean,
  holds: Holds,
  pause: () => Promise<void>,
): Promise<Table> {
  const hasMatch = ({ exchanges }: { readonly exchanges: readonly ExchangeId[] }) => exchanges.some(holds);
  if (name === "groups") return groupsTable(groupRecordsOf(session).groups.filter(hasMatch));
  const nothing = { facts: [], links: [], longPolls: new Set<ExchangeId>() };
  const { facts, links, longPolls } =
    reader === null ? nothing : await linkedFactsOf(session, reader, settings.chainGap, pause);
  switch (name) {
    case "links":
      return linksTable(
        links.filter(({ from, to }) => holds(from) || holds(to)),
        redact,
      );
    case "chains": {
      const { walks, positions } = walksOf(facts, { links, longPolls });
      const matching = new Set([...positions].flatMap(([id, { walk }]) => (holds(id) ? [walk] : [])));
      return chainsTable(
        walks.filter((_, walk) => matching.has(walk)),
        redact,
      );
    }
    case "repeats": {
      return repeatsTable(repeatsOf(trafficOf(facts, links, longPolls)).filter(hasMatch), redact);
    }
  }
}

type Holds = (id: ExchangeId) => boolean;

/** The text of a table in pieces, one for each row. */
export async function* tablePieces(table: Table, format: TableFormat): AsyncGenerator<Piece> {
  for (const text of piecesOf(table, format)) yield { text, progress: 0 };
}
