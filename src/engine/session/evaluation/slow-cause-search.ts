import { LEAST_REQUESTS } from "../../insights/findings/slow-when/durations.ts";
import { causesOf, type EndpointCause } from "../../insights/findings/slow-when/endpoint-causes.ts";
import { loadOf } from "../../insights/findings/slow-when/load.ts";
import type { Request, Traffic } from "../../insights/findings/traffic.ts";
import { addTo } from "../../insights/grouped.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { sharedRows } from "../table/row-sets.ts";
import type { InsightEvaluator } from "./insight-evaluator.ts";
import type { CauseIndex, SlowCausesFound } from "./insights.ts";
import { SortedIds } from "./sorted-ids.ts";

/**
 * What is stored for an examined request: `INCOMPARABLE`, `NO_CAUSE`, or `FIRST_CAUSE` plus the index of the request's
 * cause.
 */
const INCOMPARABLE = 1;
const NO_CAUSE = 2;
const FIRST_CAUSE = 3;

/** The causes of each endpoint, as they cross from the analysis thread, whose endpoints have other numbers. */
export interface SlowCauseRecords {
  readonly causes: ReadonlyMap<Endpoint, readonly EndpointCause[]>;
  /** The examined requests, ascending, and what was found about each. */
  readonly ids: Float64Array;
  readonly causeIndexes: Uint8Array;
}

/** Compares the requests of each endpoint. */
export function slowCauseRecordsOf({ table }: Session, { requests }: Traffic): SlowCauseRecords {
  const causeIndexes = new Map<ExchangeId, number>();
  const byEndpoint = new Map<number, Request[]>();
  for (const request of requests) {
    const row = table.rowOf(request.id);
    if (row === null) continue;
    causeIndexes.set(request.id, INCOMPARABLE);
    addTo(byEndpoint, table.endpoint.at(row), request);
  }
  const compared = [...byEndpoint].filter(([number, own]) => number !== 0 && own.length >= LEAST_REQUESTS);
  const load = loadOf(requests, new Set(compared.map(([, own]) => own[0]?.origin ?? "")));
  const causes = new Map<Endpoint, readonly EndpointCause[]>();
  for (const [number, own] of compared) {
    const found = causesOf(own, load, compared.length);
    for (const id of found.compared) causeIndexes.set(id, NO_CAUSE);
    for (const [index, { members }] of found.causes.entries())
      for (const id of members) causeIndexes.set(id, FIRST_CAUSE + index);
    const endpoint = table.endpoints.textAt(number);
    if (found.causes.length > 0 && endpoint !== null) causes.set(endpoint, found.causes);
  }
  const ids = Float64Array.from(causeIndexes.keys()).sort();
  return Object.freeze({
    causes,
    ids,
    causeIndexes: Uint8Array.from(ids, (id) => causeIndexes.get(id as ExchangeId) ?? 0),
  });
}

/**
 * The causes by the numbers of the session's table. `endpoints`: the table's `endpoints` when the search began. The
 * result is empty once endpoints have got other numbers (`Session.regroup`, `learn`).
 */
export function slowCausesIn(
  { table }: Session,
  { causes, ids, causeIndexes }: SlowCauseRecords,
  endpoints: object = table.endpoints,
): Pick<SlowCausesFound, "causesOf" | "causeIndexOf"> {
  const examined = new SortedIds(ids);
  const isValid = (): boolean => table.endpoints === endpoints;
  return {
    causesOf: (number) => {
      const endpoint = isValid() ? table.endpoints.textAt(number) : null;
      return endpoint === null ? [] : (causes.get(endpoint) ?? []);
    },
    causeIndexOf: (row) =>
      isValid() ? indexFromByte(causeIndexes[examined.indexOf(table.ids.at(row) as ExchangeId)] ?? 0) : "unknown",
  };
}

function indexFromByte(byte: number): CauseIndex {
  if (byte >= FIRST_CAUSE) return byte - FIRST_CAUSE;
  if (byte === NO_CAUSE) return "none";
  return byte === INCOMPARABLE ? "incomparable" : "unknown";
}

/** Finding a row by its id takes this many times as long as reading the next row. */
const LOOK_UP = 4;

/**
 * Returns the slow rows among `rows` (ascending). Usually tests each row. If the session has few slow rows, searches
 * `rows` for these instead.
 */
export function slowAmong(session: Session, rows: Uint32Array, evaluator: InsightEvaluator): Uint32Array {
  const few = fewSlow(session, rows.length / LOOK_UP, evaluator);
  if (few === null) return rows.filter((row) => evaluator.isSlow(row));
  return sharedRows(few, rows);
}

/** All slow rows, ascending; `null` if there are more than `most`. */
function fewSlow(session: Session, most: number, evaluator: InsightEvaluator): Uint32Array | null {
  const { slowTotal: count } = evaluator;
  if (count > most) return null;
  const rows = new Uint32Array(count);
  let next = 0;
  const counts = evaluator.slowCounts();
  for (let number = 1; number < counts.length; number += 1) {
    if (counts[number] === 0) continue;
    forEachSlow(session, evaluator, number, (row) => {
      rows[next] = row;
      next += 1;
    });
  }
  return rows.sort();
}

/** Visits the endpoint's slow requests that are still in the table, in the order in which they were recorded. */
export function forEachSlow(
  { tallies, table }: Session,
  evaluator: InsightEvaluator,
  endpoint: number,
  visit: (row: number, latency: Milliseconds) => void,
): void {
  const limit = evaluator.slowLimit(endpoint);
  if (limit === Number.POSITIVE_INFINITY) return;
  tallies.at(endpoint)?.forEachAbove(limit, (latency, id) => {
    const row = table.rowOf(id);
    if (row !== null) visit(row, latency);
  });
}
