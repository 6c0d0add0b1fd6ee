import { PHASES, type Phase, type Phases } from "../model/phases.ts";
import type { Milliseconds } from "../model/units.ts";
import { LatencyTally } from "./latency-tally.ts";

/** The timing of a whole response. */
export interface Timing {
  readonly id: number;
  readonly latency: Milliseconds;
  readonly phases: Phases;
}

/** The latencies of an endpoint, and the times of its phases. */
export class EndpointTimings {
  readonly latencies = new LatencyTally({ keepsIds: true });
  /** One tally for each phase, in the order of PHASES. */
  readonly #phases: (LatencyTally | null)[] = PHASES.map(() => null);
  readonly #sums: Milliseconds[] = PHASES.map(() => 0);
  #latencySum: Milliseconds = 0;
  /** Latencies of evicted exchanges. Most endpoints have none. */
  #left: LatencyTally | null = null;

  record({ id, latency, phases }: Timing): void {
    this.latencies.record(latency, id);
    this.#latencySum += latency;
    // Each phase is written out: access by a computed name takes several times as long.
    this.#recordPhase(0, phases.dns, id);
    this.#recordPhase(1, phases.connect, id);
    this.#recordPhase(2, phases.tls, id);
    this.#recordPhase(3, phases.ttfb, id);
    this.#recordPhase(4, phases.transfer, id);
    this.#recordPhase(5, phases.weir, id);
  }

  /** Takes out timings that were recorded. */
  remove(timings: readonly Timing[]): void {
    const ids = timings.map(({ id }) => id);
    const latencies = timings.map(({ latency }) => latency);
    this.latencies.remove(latencies, ids);
    this.#latencySum = this.latencies.count === 0 ? 0 : this.#latencySum - sumOf(latencies);
    for (const [place, phase] of PHASES.entries()) {
      const lengths = timings.flatMap(({ phases }) => phases[phase] ?? []);
      const tally = this.#phases[place] ?? null;
      tally?.remove(lengths, ids);
      const isEmpty = tally === null || tally.count === 0;
      if (isEmpty) this.#phases[place] = null;
      this.#sums[place] = isEmpty ? 0 : (this.#sums[place] as number) - sumOf(lengths);
    }
  }

  /** Records that an exchange with this latency was evicted; its sample stays. */
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

  get latencySum(): Milliseconds {
    return this.#latencySum;
  }

  /** The number of samples whose exchanges were evicted. */
  get left(): number {
    return this.#left?.count ?? 0;
  }

  /** The number of samples greater than `limit` whose exchanges are still in the table. */
  countListedAbove(limit: Milliseconds): number {
    return this.latencies.countAbove(limit) - (this.#left?.countAbove(limit) ?? 0);
  }

  /**
   * The median of each phase over all samples, where an exchange without the phase counts as 0. If connections are
   * usually reused, the usual set-up time is 0. `null` for a phase that no exchange had.
   */
  medians(): Phases {
    return Object.freeze(eachPhase((_, place) => medianOf(this.#phases[place] ?? null, this.latencies.count)));
  }

  /**
   * The mean of each phase over all samples, where an exchange without the phase counts as 0; `null` for a phase that
   * no exchange had.
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

function sumOf(lengths: readonly Milliseconds[]): Milliseconds {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** A record with one value for each phase. `place`: the phase's index in PHASES. */
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

/** The median of `count` values: those in `tally`, and 0 for all others. */
function medianOf(tally: LatencyTally | null, count: number): Milliseconds | null {
  if (tally === null) return null;
  const zeros = count - tally.count;
  const rank = (count - 1) / 2;
  if (rank <= zeros - 1) return 0;
  if (rank >= zeros) return lengthAt(tally, rank - zeros);
  return lengthAt(tally, 0) / 2; // halfway between the last zero and the smallest value
}

function lengthAt(tally: LatencyTally, rank: number): Milliseconds {
  const share = tally.count < 2 ? 0 : rank / (tally.count - 1);
  return tally.percentiles([share])?.[0] ?? 0;
}
