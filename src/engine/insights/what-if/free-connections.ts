import { Heap } from "../heap.ts";
import type { Microseconds } from "../microseconds.ts";

/** The most HTTP/1.1 connections of a browser to one origin. */
const USUAL = 6;

/** When the connections of one client to one origin over HTTP/1.1 become free. */
export class FreeConnections {
  readonly #free = new Heap<Microseconds>((one, other) => one < other);

  constructor(count: number) {
    for (let made = 0; made < count; made += 1) this.#free.push(Number.NEGATIVE_INFINITY);
  }

  /** From when the next request can be sent; in the past if a connection is free. */
  get freeAt(): Microseconds {
    return this.#free.top ?? Number.NEGATIVE_INFINITY;
  }

  /** Takes the connection that became free first, until `end`. */
  occupy(end: Microseconds): void {
    this.#free.pop();
    this.#free.push(end);
  }
}

/** How many connections the client has: as many as were in use at once, and at least `USUAL`. */
export function connectionsOf(begins: readonly Microseconds[], ends: readonly Microseconds[]): number {
  const [byBegin, byEnd] = [Float64Array.from(begins).sort(), Float64Array.from(ends).sort()];
  let [ended, most] = [0, USUAL];
  for (const [begun, begin] of byBegin.entries()) {
    while ((byEnd[ended] ?? Number.POSITIVE_INFINITY) <= begin) ended += 1;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}
