import { Pace } from "../../insights/findings/sliced.ts";
import { LEAST_REQUESTS } from "../../insights/findings/slow-when/durations.ts";
import { causesOf, type EndpointCause } from "../../insights/findings/slow-when/endpoint-causes.ts";
import { loadOf } from "../../insights/findings/slow-when/load.ts";
import type { Request, Traffic } from "../../insights/findings/traffic.ts";
import type { Steps } from "../../model/steps.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Session } from "../session.ts";
import type { CausePlace, SlowCausesFound } from "./findings.ts";

/**
 * What is stored for a row: 0 if it was not examined, `INCOMPARABLE`, `NO_CAUSE`, or `FIRST_CAUSE` plus the index of
 * the row's cause.
 */
const INCOMPARABLE = 1;
const NO_CAUSE = 2;
const FIRST_CAUSE = 3;

/** The causes, without the progress of the search. */
type Causes = Pick<SlowCausesFound, "causesOf" | "placeOf">;

/**
 * Compares the requests of each endpoint, one slice of work per step. The result is valid until endpoints get other
 * numbers (`Session.regroup`, `learn`).
 */
export function* slowCausesOf({ table }: Session, traffic: Traffic): Steps<Causes> {
  const { endpoints } = table;
  const places = new Uint8Array(table.nextRow);
  const byEndpoint = yield* byEndpointOf(traffic, table, (row) => {
    places[row] = INCOMPARABLE;
  });
  const compared = [...byEndpoint].filter(([, own]) => own.length >= LEAST_REQUESTS);
  const load = yield* loadOf(traffic.requests, new Set(compared.map(([, own]) => own[0]?.origin ?? "")));
  const causes = new Map<number, readonly EndpointCause[]>();
  const mark = (ids: readonly ExchangeId[], place: number): void => {
    for (const id of ids) {
      const row = table.rowOf(id);
      if (row !== null) places[row] = place;
    }
  };
  for (const [endpoint, own] of compared) {
    const found = yield* causesOf(own, load, compared.length);
    mark(found.compared, NO_CAUSE);
    for (const [index, { members }] of found.causes.entries()) mark(members, FIRST_CAUSE + index);
    if (found.causes.length > 0) causes.set(endpoint, found.causes);
    yield;
  }
  const isValid = (): boolean => table.endpoints === endpoints;
  return {
    causesOf: (endpoint) => (isValid() ? (causes.get(endpoint) ?? []) : []),
    placeOf: (row) => (isValid() ? placeOf(places[row] ?? 0) : "unknown"),
  };
}

/** The requests in the table, by start, grouped by their endpoint's number. */
function* byEndpointOf(
  { requests }: Traffic,
  table: Session["table"],
  visit: (row: number) => void,
): Steps<ReadonlyMap<number, readonly Request[]>> {
  const groups = new Map<number, Request[]>();
  const pace = new Pace();
  for (const request of requests) {
    if (pace.isDue(1)) yield;
    const row = table.rowOf(request.id);
    if (row === null) continue;
    visit(row);
    const endpoint = table.endpoint.at(row);
    const own = groups.get(endpoint);
    if (own === undefined) groups.set(endpoint, [request]);
    else own.push(request);
  }
  return groups;
}

function placeOf(byte: number): CausePlace {
  if (byte >= FIRST_CAUSE) return byte - FIRST_CAUSE;
  if (byte === NO_CAUSE) return "none";
  return byte === INCOMPARABLE ? "incomparable" : "unknown";
}
