import { PHASES, type Phase, type Phases } from "../model/phases.ts";
import type { Milliseconds } from "../model/units.ts";
import { LatencyTally } from "./latency-tally.ts";

/** The timing of a whole response. */
export interface Timing {
  readonly id: number;
  readonly latency: Milliseconds;
  readonly phases: Phases;
}

/** The latencies and phase lengths of an endpoint. */
export class EndpointTimings {
  readonly latencies = new LatencyTally({ keepsIds: true });
  /** In the order of PHASES. */
  readonly #phases: (LatencyTally | null)[] = PHASES.map(() => null);
  readonly #sums: Milliseconds[] = PHASES.map(() => 0);
  #latencySum: Milliseconds = 0;
  /** Latencies of evicted exchanges; most endpoints have none. */
  #left: LatencyTally | null = null;

  record({ id, latency, phases }: Timing): void {
    this.latencies.record(latency, id);
    this.#latencySum += latency;
    // Unrolled: access by a computed name costs several times as much.
    this.#recordPhase(0, phases.dns, id);
    this.#recordPhase(1, phases.connect, id);
    this.#recordPhase(2, phases.tls, id);
    this.#recordPhase(3, phases.ttfb, id);
    this.#recordPhase(4, phases.transfer, id);
    this.#recordPhase(5, phases.weir, id);
  }

  /** An exchange with that latency was evicted; its sample stays. */
  rowEvicted(latency: Milliseconds): void {
    this.#left ??= new LatencyTally({ keepsIds: false });
    this.#left.record(latency, 0);
  }

  /** Records all samples of `other`. */
  absorb(other: EndpointTimings): void {
    this.latencies.absorb(other.latencies);
    this.#latencySum += other.#latencySum;
    for (const [place, tally] of other.#phases.entries()) {
      if (tally === null) continue;
      this.#phaseAt(place).absorb(tally);
      this.#sums[place] = (this.#sums[place] as number) + (other.#sums[place] as number);
    }
    if (other.#left === null) return;
    this.#left ??= new LatencyTally({ keepsIds: false });
    this.#left.absorb(other.#left);
  }

  /** Samples of evicted exchanges. */
  get left(): number {
    return this.#left?.count ?? 0;
  }

  /** The number of samples greater than `limit` whose exchanges are still in the table. */
  countListedAbove(limit: Milliseconds): number {
    return this.latencies.countAbove(limit) - (this.#left?.countAbove(limit) ?? 0);
  }

  /**
   * The median of each phase over all samples, with 0 where it did not happen: if connections are usually reused, the
   * usual set-up time is 0. `null` for a phase that happened in none.
   */
  medians(): Phases {
    return Object.freeze(eachPhase((_, place) => medianOf(this.#phases[place] ?? null, this.latencies.count)));
  }

  /**
   * The mean of each phase over all samples, with 0 where it did not happen; `null` for a phase that happened in none.
   */
  means(): { readonly phases: Phases; readonly latency: Milliseconds | null } {
    const samples = this.latencies.count;
    return Object.freeze({
      phases: Object.freeze(
        eachPhase((_, place) => (this.#phases[place] === null ? null : (this.#sums[place] as number) / samples)),
      ),
      latency: samples === 0 ? null : this.#latencySum / samples,
    });
  }

  #recordPhase(place: number, length: Milliseconds | null, id: number): void {
    if (length === null) return;
    this.#phaseAt(place).record(length, id);
    this.#sums[place] = (this.#sums[place] as number) + length;
  }

  #phaseAt(place: number): LatencyTally {
    const tally = this.#phases[place] ?? new LatencyTally({ keepsIds: false });
    this.#phases[place] = tally;
    return tally;
  }
}

/** A record with one value per phase; `place` is its index in PHASES. */
export function eachPhase<Value>(value: (phase: Phase, place: number) => Value): Record<Phase, Value> {
  return {
    dns: value("dns", 0),
    connect: value("connect", 1),
    tls: value("tls", 2),
    ttfb: value("ttfb", 3),
    transfer: value("transfer", 4),
    weir: value("weir", 5),
  };
}

/** The median of `count` values, of which those not in `tally` are 0. */
function medianOf(tally: LatencyTally | null, count: number): Milliseconds | null {
  if (tally === null) return null;
  const zeros = count - tally.count;
  const rank = (count - 1) / 2;
  if (rank <= zeros - 1) return 0;
  if (rank >= zeros) return lengthAt(tally, rank - zeros);
  return lengthAt(tally, 0) / 2; // half a rank above the last zero
}

function lengthAt(tally: LatencyTally, rank: number): Milliseconds {
  const share = tally.count < 2 ? 0 : rank / (tally.count - 1);
  return tally.percentiles([share])?.[0] ?? 0;
}
