import { PHASES, type Phase, type Phases } from "../model/phases.ts";
import type { Milliseconds } from "../model/units.ts";
import { LatencyTally } from "./latency-tally.ts";

/** How long a whole response took. */
export interface Timing {
  readonly id: number;
  readonly latency: Milliseconds;
  readonly phases: Phases;
}

/** The latencies of an endpoint that has a row, and the lengths of their phases. */
export class EndpointTimings {
  readonly latencies = new LatencyTally({ keepsIds: true });
  /** In the order of PHASES. */
  readonly #phases: (LatencyTally | null)[] = PHASES.map(() => null);
  readonly #sums: Milliseconds[] = PHASES.map(() => 0);
  #latencySum: Milliseconds = 0;
  /** Latencies of exchanges that have left the list; most endpoints have none. */
  #left: LatencyTally | null = null;

  record({ id, latency, phases }: Timing): void {
    this.latencies.record(latency, id);
    this.#latencySum += latency;
    // One by one: what is looked up by a name in a variable costs several times as much.
    this.#recordPhase(0, phases.dns, id);
    this.#recordPhase(1, phases.connect, id);
    this.#recordPhase(2, phases.tls, id);
    this.#recordPhase(3, phases.ttfb, id);
    this.#recordPhase(4, phases.transfer, id);
  }

  /** An exchange with that latency has left the list; its sample stays. */
  forget(latency: Milliseconds): void {
    this.#left ??= new LatencyTally({ keepsIds: false });
    this.#left.record(latency, 0);
  }

  /** Samples of exchanges that have left the list. */
  get left(): number {
    return this.#left?.count ?? 0;
  }

  /** How many samples of exchanges that are still in the list are greater than `limit`. */
  countListedAbove(limit: Milliseconds): number {
    return this.latencies.countAbove(limit) - (this.#left?.countAbove(limit) ?? 0);
  }

  /**
   * Of each phase over all samples, in which a phase that did not happen took no time: where connections are usually
   * reused, a new one is the exception and explains itself. `null` where it happened in none.
   */
  medians(): Phases {
    return Object.freeze(eachPhase((_, place) => medianOf(this.#phases[place] ?? null, this.latencies.count)));
  }

  /** Over all samples, in which a phase that did not happen counts 0; `null` where it happened in none. */
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
    const tally = this.#phases[place] ?? new LatencyTally({ keepsIds: false });
    this.#phases[place] = tally;
    tally.record(length, id);
    this.#sums[place] = (this.#sums[place] as number) + length;
  }
}

/** A record with one value for each phase, which is told its place in PHASES. */
export function eachPhase<Value>(value: (phase: Phase, place: number) => Value): Record<Phase, Value> {
  return {
    dns: value("dns", 0),
    connect: value("connect", 1),
    tls: value("tls", 2),
    ttfb: value("ttfb", 3),
    transfer: value("transfer", 4),
  };
}

/** Of `count` values, of which those that `tally` does not hold are 0. */
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
