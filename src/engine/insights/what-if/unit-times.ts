import { waitOf } from "../../model/phases.ts";
import type { Request } from "../findings/traffic.ts";
import { type Microseconds, microsecondsOf } from "../microseconds.ts";
import { connectionsOf, FreeConnections } from "./free-connections.ts";
import type { Unit } from "./timed-units.ts";

/** A request that is sent this soon after a connection became free has waited for it. */
const TAKEN_WITHIN: Microseconds = 5_000;

/** A unit's times and needs in whole microseconds, by the places of its exchanges. */
export interface UnitTimes {
  readonly starts: Float64Array;
  /** From the start until the request had a connection, where the source tells; else 0. */
  readonly queued: Float64Array;
  /** The first bytes of the responses; the start without a response. */
  readonly firstBytes: Float64Array;
  readonly ends: Float64Array;
  /** The places by end. */
  readonly byEnd: Uint32Array;
  readonly needs: readonly (readonly Need[])[];
  /** The last instant at which a need was there; in the past without a need. */
  readonly ready: Float64Array;
  /** The index in `connections`, or -1 if the request shares its connection. */
  readonly line: Int32Array;
  /** The number of connections to each origin over HTTP/1.1. */
  readonly connections: readonly number[];
  /** How long after a connection became free the request was sent; -1 if it waited for none. */
  readonly waited: Float64Array;
}

/** A response that a request is proven to need. */
interface Need {
  readonly index: number;
  /** Whether its first byte was enough: markup can name a resource before its last byte has arrived. */
  readonly isFirstByte: boolean;
}

export function unitTimesOf({ exchanges, links }: Pick<Unit, "exchanges" | "links">): UnitTimes {
  const starts = Float64Array.from(exchanges, ({ start }) => microsecondsOf(start));
  const ends = Float64Array.from(exchanges, ({ end }) => microsecondsOf(end));
  const queued = Float64Array.from(exchanges, queuedOf);
  const firstBytes = Float64Array.from(exchanges, ({ facts, start }) =>
    microsecondsOf(facts.exchange.instants.responseStart ?? start),
  );
  const indexes = new Map(exchanges.map(({ id }, index) => [id, index]));
  const needs: Need[][] = exchanges.map(() => []);
  for (const { from, to } of links) {
    const [one, later] = [indexes.get(from), indexes.get(to)];
    if (one === undefined || later === undefined || one >= later) continue;
    needs[later]?.push({ index: one, isFirstByte: (ends[one] as number) > (starts[later] as number) });
  }
  const { line, connections } = linesOf(exchanges, starts, queued, ends);
  const ready = Float64Array.from(needs, (own) => readyAfter(own, firstBytes, ends));
  const byEnd = Uint32Array.from(ends.keys()).sort((one, other) => (ends[one] as number) - (ends[other] as number));
  const times = { starts, queued, firstBytes, ends, byEnd, needs, ready, line, connections };
  return { ...times, waited: waitedOf(times) };
}

/** When all needs are there; in the past without a need. */
export function readyAfter(needs: readonly Need[], firstBytes: Float64Array, ends: Float64Array): Microseconds {
  let latest = Number.NEGATIVE_INFINITY;
  for (const { index, isFirstByte } of needs)
    latest = Math.max(latest, (isFirstByte ? firstBytes : ends)[index] as number);
  return latest;
}

function queuedOf({ facts: { exchange } }: Request): Microseconds {
  const wait = isAlone(exchange) ? waitOf(exchange) : null;
  const isForConnection = wait !== null && !["stream", "sign", "retry"].includes(wait.waitedFor);
  return isForConnection ? microsecondsOf(wait.to) : 0;
}

/** Whether the request has its connection for itself. */
function isAlone({ clientStream, protocol }: Request["facts"]["exchange"]): boolean {
  return clientStream === null && /^http\/1/i.test(protocol);
}

function linesOf(
  exchanges: readonly Request[],
  starts: Float64Array,
  queued: Float64Array,
  ends: Float64Array,
): Pick<UnitTimes, "line" | "connections"> {
  const lines = new Map<string, { readonly number: number; readonly begins: number[]; readonly ends: number[] }>();
  const line = Int32Array.from(exchanges, ({ origin, facts }, index) => {
    if (!isAlone(facts.exchange)) return -1;
    const own = lines.get(origin) ?? { number: lines.size, begins: [], ends: [] };
    lines.set(origin, own);
    own.begins.push((starts[index] as number) + (queued[index] as number));
    own.ends.push(ends[index] as number);
    return own.number;
  });
  return { line, connections: [...lines.values()].map((own) => connectionsOf(own.begins, own.ends)) };
}

function waitedOf({ starts, queued, ends, ready, line, connections }: Omit<UnitTimes, "waited">): Float64Array {
  const lines = connections.map((count) => new FreeConnections(count));
  return Float64Array.from(starts, (start, index) => {
    const own = lines[line[index] as number];
    if (own === undefined) return -1;
    const { freeAt } = own;
    own.occupy(ends[index] as number);
    const queue = queued[index] as number;
    const wanted = queue > 0 ? start : (ready[index] as number);
    const after = start + queue - freeAt;
    return freeAt > wanted && after >= 0 && after <= TAKEN_WITHIN ? after : -1;
  });
}
