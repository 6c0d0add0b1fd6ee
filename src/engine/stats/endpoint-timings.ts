import { PHASES, type Phase, type Phases } from "../model/phases.ts";
import type { Milliseconds } from "../model/units.ts";
import { LatencyTally } from "./latency-tally.ts";

/** How long one exchange took. */
export interface Timing {
  readonly id: number;
  readonly latency: Milliseconds;
  /** A whole response from the server; else Weir answered in its place, which can be slow, but is no sample. */
  readonly sample: boolean;
  readonly phases: Phases;
}

/** The latencies of an endpoint that has a row, and the lengths of their phases. */
export class EndpointTimings {
  readonly latencies = new LatencyTally({ keepsIds: true });
  #failures: LatencyTally | null = null;
  readonly #phases: Record<Phase, LatencyTally | null> = eachPhase(() => null);
  readonly #sums: Record<Phase, Milliseconds> = eachPhase(() => 0);
  #latencySum: Milliseconds = 0;

  record({ id, latency, sample, phases }: Timing): void {
    if (!sample) {
      this.#failures ??= new LatencyTally({ keepsIds: true });
      this.#failures.record(latency, id);
      return;
    }
    this.latencies.record(latency, id);
    this.#latencySum += latency;
    for (const phase of PHASES) {
      const length = phases[phase];
      if (length === null) continue;
      const tally = this.#phases[phase] ?? new LatencyTally({ keepsIds: false });
      this.#phases[phase] = tally;
      tally.record(length, id);
      this.#sums[phase] += length;
    }
  }

  /** How many took longer than `limit`, samples and others. */
  countAbove(limit: Milliseconds): number {
    return this.latencies.countAbove(limit) + (this.#failures?.countAbove(limit) ?? 0);
  }

  /** Visits what took longer than `limit`, samples and others. */
  forEachAbove(limit: Milliseconds, visit: (latency: Milliseconds, id: number) => void): void {
    this.latencies.forEachAbove(limit, visit);
    this.#failures?.forEachAbove(limit, visit);
  }

  /**
   * Of each phase over all samples, in which a phase that did not happen took no time: where connections are usually
   * reused, a new one is the exception and explains itself. `null` where it happened in none.
   */
  medians(): Phases {
    return Object.freeze(eachPhase((phase) => medianOf(this.#phases[phase], this.latencies.count)));
  }

  /** Over all samples, in which a phase that did not happen counts 0; `null` where it happened in none. */
  means(): { readonly phases: Phases; readonly latency: Milliseconds | null } {
    const samples = this.latencies.count;
    return Object.freeze({
      phases: Object.freeze(eachPhase((phase) => (this.#phases[phase] === null ? null : this.#sums[phase] / samples))),
      latency: samples === 0 ? null : this.#latencySum / samples,
    });
  }
}

/** A record with one value for each phase. */
export function eachPhase<Value>(value: (phase: Phase) => Value): Record<Phase, Value> {
  return {
    dns: value("dns"),
    connect: value("connect"),
    tls: value("tls"),
    ttfb: value("ttfb"),
    transfer: value("transfer"),
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
