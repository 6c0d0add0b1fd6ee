import type { Gain } from "../../model/load-gain.ts";
import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { Request } from "../findings/traffic.ts";
import { type Microseconds, microsecondsOf, millisecondsOf } from "../microseconds.ts";
import { FreeConnections } from "./free-connections.ts";
import type { Unit } from "./timed-units.ts";
import { readyAfter, type UnitTimes, unitTimesOf } from "./unit-times.ts";

/** The length that a request would have; `null` for its recorded length. */
export type LengthOf = (request: Request) => Milliseconds | null;

/**
 * Works out how much sooner a unit would end if its requests took other times (docs/specification.md, What if). The
 * client's own times are kept; without changes both gains are 0. A calculation is linear in the requests and their
 * links.
 */
export class Recalculation {
  readonly #exchanges: readonly Request[];
  readonly #recorded: UnitTimes;

  constructor(unit: Pick<Unit, "exchanges" | "links">) {
    this.#exchanges = unit.exchanges;
    this.#recorded = unitTimesOf(unit);
  }

  gain(lengthOf: LengthOf): Gain {
    const lengths = Float64Array.from(this.#exchanges, (request) => {
      const length = lengthOf(request);
      return length === null ? Number.NaN : microsecondsOf(Math.max(0, length));
    });
    return { byLinks: this.#gain(lengths, false), atMost: this.#gain(lengths, true) };
  }

  #gain(lengths: Float64Array, isAtMost: boolean): Milliseconds {
    const { starts, queued, firstBytes, ends, needs, line, connections, waited } = this.#recorded;
    const [movedFirst, movedEnds] = [firstBytes.slice(), ends.slice()];
    const lines = connections.map((count) => new FreeConnections(count));
    const ended = new EndedBefore(this.#recorded, movedEnds);
    let [latest, movedLatest] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const [index, recorded] of starts.entries()) {
      const ready = readyAfter(needs[index] ?? [], movedFirst, movedEnds);
      const own = lines[line[index] as number];
      const freeAt = own?.freeAt ?? Number.NEGATIVE_INFINITY;
      const [queue, wait] = [queued[index] as number, waited[index] as number];
      let start = this.#afterNeeds(index, ready);
      if (isAtMost) start = Math.min(start, ended.earliest(index, ready));
      let begin = start + queue;
      if (wait >= 0) begin = Math.max(queue > 0 ? start : ready, freeAt + wait);
      begin = Math.max(begin, freeAt);
      const served = (ends[index] as number) - recorded - queue;
      const length = lengths[index] as number;
      const becomes = Number.isNaN(length) ? served : Math.max(0, length - queue);
      const share = served <= 0 ? 1 : becomes / served;
      const end = begin + becomes;
      movedFirst[index] = begin + ((firstBytes[index] as number) - recorded - queue) * share;
      movedEnds[index] = end;
      own?.occupy(end);
      latest = Math.max(latest, ends[index] as number);
      movedLatest = Math.max(movedLatest, end);
    }
    return millisecondsOf(Math.round(latest - movedLatest));
  }

  /** The start with the recorded gap after the needs; the recorded start without a need. */
  #afterNeeds(index: number, ready: Microseconds): Microseconds {
    const start = this.#recorded.starts[index] as number;
    const before = this.#recorded.ready[index] as number;
    return Number.isFinite(before) ? start + ready - before : start;
  }
}

/** By how much requests end sooner than recorded. */
class EndedBefore {
  readonly #recorded: UnitTimes;
  readonly #movedEnds: Float64Array;
  #next = 0;
  /** Ends, and how much sooner each is; the later an end, the smaller what is kept. */
  readonly #ends: number[] = [];
  readonly #sooner: number[] = [];

  constructor(recorded: UnitTimes, movedEnds: Float64Array) {
    this.#recorded = recorded;
    this.#movedEnds = movedEnds;
  }

  /**
   * The earliest start of a request that may have waited for any request that ended between its last need and its
   * start. Must be asked in the order of the places. `ready`: when its needs are there.
   */
  earliest(index: number, ready: Microseconds): Microseconds {
    const { starts, ends, byEnd, ready: recordedReady } = this.#recorded;
    const start = starts[index] as number;
    for (; this.#next < byEnd.length; this.#next += 1) {
      const one = byEnd[this.#next] as number;
      const end = ends[one] as number;
      if (end > start) break;
      const sooner = end - (this.#movedEnds[one] as number);
      if (sooner <= 0) continue;
      while ((this.#sooner.at(-1) ?? Number.POSITIVE_INFINITY) <= sooner) {
        this.#sooner.pop();
        this.#ends.pop();
      }
      this.#sooner.push(sooner);
      this.#ends.push(end);
    }
    const after = recordedReady[index] as number;
    const first = lowerBound(0, this.#ends.length, (at) => (this.#ends[at] as number) > after);
    return Math.max(ready, start - (this.#sooner[first] ?? 0));
  }
}
