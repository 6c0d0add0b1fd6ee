import type { Side } from "../../../src/engine/capture/event.ts";
import { outcomeOf } from "../../../src/engine/insights/difference/attribute-values.ts";
import { bodyDifferenceOf, MOST_COMPARED_BYTES } from "../../../src/engine/insights/difference/body-difference.ts";
import {
  type ComparedSide,
  exchangeDifferenceOf,
  twinOf,
} from "../../../src/engine/insights/difference/exchange-difference.ts";
import type { Request, Traffic } from "../../../src/engine/insights/findings/traffic.ts";
import type {
  BodyDifference,
  ComparedExchange,
  ExchangeComparison,
} from "../../../src/engine/messages/difference-messages.ts";
import { timedLatencyOf } from "../../../src/engine/model/exchange.ts";
import { phasesOf, waitOf } from "../../../src/engine/model/phases.ts";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { FactReader } from "../../../src/engine/report/fact-reading.ts";
import { storedBodyOf } from "../../../src/engine/report/stored-body.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import type { SessionReader } from "../storage/session-reader.ts";

/** Two exchanges to compare; `twin`: the usual twin of the first. */
export interface ComparedIds {
  readonly exchange: ExchangeId;
  readonly other: ExchangeId | "twin";
}

interface ComparisonSource {
  readonly session: Session;
  readonly reader: SessionReader;
  readonly traffic: Pick<Traffic, "requests">;
}

/** Compares two ended exchanges, also those that no statistic counts. Fails with a sentence. */
export async function exchangeComparisonOf(
  { session, reader, traffic }: ComparisonSource,
  ids: ComparedIds,
): Promise<Result<ExchangeComparison>> {
  const facts = new FactReader(session, reader, []);
  const sideOf = async (id: ExchangeId): Promise<ComparedSide | null> => {
    const row = session.table.rowOf(id);
    const read = row === null ? null : await facts.readEnded(row);
    if (read === null) return null;
    const { exchange } = read.facts;
    const phases = phasesOf(exchange.instants, waitOf(exchange), exchange.slowed);
    return { facts: read.facts, phases, latency: timedLatencyOf(exchange) };
  };
  const one = await sideOf(ids.exchange);
  if (one === null) return failure(NOT_THERE);
  const own = ownRequestsOf(session, ids.exchange, traffic.requests);
  const otherId = ids.other === "twin" ? (twinOf(one.facts, own)?.id ?? null) : ids.other;
  if (otherId === null) return failure(NO_TWIN);
  const other = await sideOf(otherId);
  if (other === null) return failure(NOT_THERE);
  const request = await bodiesDifferenceOf(reader, one, other, "request");
  const response = await bodiesDifferenceOf(reader, one, other, "response");
  return success({
    one: namedOf(one),
    other: namedOf(other),
    ...exchangeDifferenceOf(one, other, own, traffic.requests),
    requestBody: request.difference,
    responseBody: response.difference,
    isCut: request.isCut || response.isCut,
  });
}

const NOT_THERE = "An exchange has not ended yet, or is no longer in the list. Choose another one.";
const NO_TWIN =
  "This endpoint has fewer than 5 other successful requests, so none is its usual one. Choose an exchange to compare with.";

/** The counted requests of the exchange's endpoint. */
function ownRequestsOf({ table }: Session, id: ExchangeId, requests: readonly Request[]): readonly Request[] {
  const endpointOf = (of: ExchangeId): number => {
    const row = table.rowOf(of);
    return row === null ? 0 : table.endpoint.at(row);
  };
  const endpoint = endpointOf(id);
  return endpoint === 0 ? [] : requests.filter((request) => endpointOf(request.id) === endpoint);
}

async function bodiesDifferenceOf(
  reader: SessionReader,
  one: ComparedSide,
  other: ComparedSide,
  side: Side,
): Promise<{ readonly difference: BodyDifference; readonly isCut: boolean }> {
  const bodies = [await bodyOf(reader, one, side), await bodyOf(reader, other, side)] as const;
  const reason = bodies[0].problem ?? bodies[1].problem;
  const isCut = bodies.some(({ bytes }) => bytes.length > MOST_COMPARED_BYTES);
  if (reason !== null) return { difference: { kind: "unknown", why: reason }, isCut };
  const [begun, otherBegun] = bodies.map(({ bytes }) => bytes.subarray(0, MOST_COMPARED_BYTES)) as [
    Uint8Array,
    Uint8Array,
  ];
  return { difference: bodyDifferenceOf(begun, otherBegun), isCut };
}

/** The decoded body. `problem`: why its beginning is not known, as a phrase. */
async function bodyOf(reader: SessionReader, { facts: { exchange } }: ComparedSide, side: Side) {
  const size = side === "request" ? exchange.requestBodySize : exchange.encodedBodySize;
  if (size === 0) return { bytes: Buffer.alloc(0), problem: null };
  const heads = reader.headsOf(exchange.id);
  const head = (side === "request" ? heads?.request : heads?.response) ?? "";
  const { bytes, problem } = await storedBodyOf(reader, exchange, side, head);
  return { bytes, problem: bytes.length > MOST_COMPARED_BYTES ? null : problem };
}

function namedOf({ facts, latency }: ComparedSide): ComparedExchange {
  const { id, method, origin, target, instants } = facts.exchange;
  const url = target.startsWith("/") ? `${origin}${target}` : target;
  const outcome = outcomeOf(facts) ?? "";
  return { id, method, url, start: instants.startTime, outcome, latency };
}
