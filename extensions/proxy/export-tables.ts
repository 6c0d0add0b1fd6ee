import { piecesOf, type Table, type TableFormat } from "../../src/engine/interchange/table.ts";
import {
  chainsTable,
  groupsTable,
  latencyTable,
  payloadTable,
  repeatsTable,
  slowTable,
  trendsTable,
} from "../../src/engine/interchange/tables.ts";
import type { ExportTable } from "../../src/engine/messages/messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { ChainFinder } from "../../src/engine/session/chain-finder.ts";
import { latencyRows } from "../../src/engine/session/endpoint-lists.ts";
import { type Filter, filterOf, isProblem } from "../../src/engine/session/filter.ts";
import { Judge } from "../../src/engine/session/judge.ts";
import { overlapsOf } from "../../src/engine/session/overlap-sweep.ts";
import { payloadFindings } from "../../src/engine/session/payload-list.ts";
import { slowRecords } from "../../src/engine/session/slow-list.ts";
import { trendsFound } from "../../src/engine/session/trend-list.ts";
import { Bites } from "./errand.ts";
import { checkOpen, type ExportSource, type Piece } from "./export-source.ts";
import { bodyKeyOf, tracesOf } from "./traces.ts";

/** Every row of a table: an export has no window. */
const ALL = { from: 0, count: Number.MAX_SAFE_INTEGER };

/** The text of a finding table in pieces, a row each; or a sentence why the filter says nothing. */
export function tableText(
  source: ExportSource,
  name: ExportTable,
  format: TableFormat,
  filter: string,
  redact: boolean,
): AsyncGenerator<Piece> | string {
  const terms = filterOf(filter);
  if (isProblem(terms)) return terms.problem;
  if (isFindings(name)) return findingPieces(source, name, format, redact);
  const table = tableOf(source, name, terms);
  return typeof table === "string" ? table : tablePieces(table, format);
}

/** Of the whole session, whatever the filter: an exchange more or less makes other findings. */
const FINDINGS = ["chains", "groups", "repeats"] as const;

type FindingsName = (typeof FINDINGS)[number];

function isFindings(name: ExportTable): name is FindingsName {
  return FINDINGS.some((one) => one === name);
}

function tableOf(
  { session, settings, baseline }: ExportSource,
  name: Exclude<ExportTable, FindingsName>,
  filter: Filter,
): Table | string {
  const judge = new Judge(session, settings);
  switch (name) {
    case "latency": {
      const rows = latencyRows(session, filter, { column: "p95", descending: true }, ALL);
      return "problem" in rows ? rows.problem : latencyTable(rows.records);
    }
    case "slow":
      return slowTable(slowRecords(session, filter, judge));
    case "payload": {
      const rows = payloadFindings(session, filter, judge);
      return "problem" in rows ? rows.problem : payloadTable(rows);
    }
    case "trends": {
      const rows = trendsFound(session, baseline, settings, filter);
      return "problem" in rows ? rows.problem : trendsTable(rows);
    }
  }
}

async function* findingPieces(
  source: ExportSource,
  name: FindingsName,
  format: TableFormat,
  redact: boolean,
): AsyncGenerator<Piece> {
  const { session, reader, settings } = source;
  const bites = new Bites();
  if (name === "chains") {
    const finder = new ChainFinder(session, settings.chainGap);
    for (const some of finder.batches(1)) {
      for (const exchange of some) {
        finder.record(exchange, reader === null ? undefined : await tracesOf(reader, exchange));
        checkOpen(source);
      }
      await bites.pause();
    }
    for (const _ of finder.settle(Number.POSITIVE_INFINITY as Instant)) await bites.pause();
    return yield* tablePieces(chainsTable(finder.found.chains, redact), format);
  }
  const steps = overlapsOf(session, (exchange) => (reader === null ? null : bodyKeyOf(reader, exchange)));
  for (let step = steps.next(); ; step = steps.next()) {
    checkOpen(source);
    if (step.done === true) {
      const { groups, repeats } = step.value;
      return yield* tablePieces(name === "groups" ? groupsTable(groups) : repeatsTable(repeats, redact), format);
    }
    await bites.pause();
  }
}

/** A table, a row each. */
export async function* tablePieces(table: Table, format: TableFormat): AsyncGenerator<Piece> {
  for (const text of piecesOf(table, format)) yield { text, progress: 0 };
}
