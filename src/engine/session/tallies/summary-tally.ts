import { addTo } from "../../insights/grouped.ts";
import type { SummarySlice } from "../../messages/status-messages.ts";
import { type Exchange, hasFailed, timedLatencyOf } from "../../model/exchange.ts";
import { overheadOf, waitOf } from "../../model/phases.ts";
import type { Bytes, Instant, Milliseconds } from "../../model/units.ts";
import { LatencyTally, latencySampleOf } from "../../stats/latency-tally.ts";
import type { LatencySample } from "../../stats/percentile.ts";
import { RecentStarts } from "../../stats/recent-starts.ts";

/** The most points of a sparkline. */
const SLICES = 60;

/** How long a slice is at first. The length doubles when there are too many slices. */
const FIRST_LENGTH: Milliseconds = 1_000;

interface Slice {
  requests: number;
  errors: number;
  bytes: Bytes;
  readonly latencies: LatencyTally;
  known: KnownP95;
}

/** The p95 of the first `samples` values. */
interface KnownP95 {
  readonly samples: number;
  readonly p95: Milliseconds | null;
}

const NOTHING: KnownP95 = Object.freeze({ samples: 0, p95: null });
/** Read again, whatever the number of samples is. */
const STALE: KnownP95 = Object.freeze({ samples: -1, p95: null });

/**
 * The figures of a whole session in slices of time. Requests and errors are in the slice in which they were counted,
 * everything else in the slice of the exchange's end.
 */
export class SummaryTally {
  readonly #latencies = new LatencyTally({ keepsIds: false });
  readonly #overheads = new LatencyTally({ keepsIds: false });
  readonly #starts = new RecentStarts();
  #slices: Slice[] = [];
  #start: Instant | null = null;
  /** When the first slice begins. */
  #origin: Instant | null = null;
  #length: Milliseconds = FIRST_LENGTH;
  #counted = 0;
  #errors = 0;
  #bytes: Bytes = 0;
  #knownP95 = NOTHING;
  #knownOverhead = NOTHING;

  /**
   * Records that a request started; slices begin at the earliest start. `counts`: whether the request is part of the
   * rate.
   */
  requestStarted(at: Instant, counts: boolean): void {
    this.#start = (this.#start === null ? at : Math.min(this.#start, at)) as Instant;
    if (this.#origin === null) this.#origin = at;
    else if (at <= this.#origin - this.#length) this.#beginEarlier(at, this.#origin);
    if (counts) this.#starts.add(at);
  }

  /** As `RecentStarts.ratePerMinute`. */
  ratePerMinute(now: Instant): number {
    return this.#starts.ratePerMinute(this.#start, now);
  }

  /** Counts a request; its outcome is recorded later. */
  count(at: Instant): void {
    this.#counted += 1;
    this.#sliceAt(at).requests += 1;
  }

  /** Records the outcome of a request counted at `at`. */
  record(exchange: Exchange, at: Instant): void {
    const error = Number(hasFailed(exchange));
    const bytes = exchange.requestBodySize + exchange.encodedBodySize;
    const slice = this.#sliceAt(exchange.endTime ?? at);
    this.#errors += error;
    this.#bytes += bytes;
    this.#sliceAt(at).errors += error;
    slice.bytes += bytes;
    if (exchange.outcome?.kind !== "responded") return;
    const latency = timedLatencyOf(exchange);
    const overhead = overheadOf(exchange.instants, waitOf(exchange));
    if (latency !== null) {
      this.#latencies.record(latency, exchange.id);
      slice.latencies.record(latency, exchange.id);
    }
    if (overhead !== null) this.#overheads.record(overhead, exchange.id);
  }

  /**
   * Takes out ended exchanges, each with the instant at which it was counted. `start`: the earliest start that is left;
   * `null` if nothing is.
   */
  remove(exchanges: readonly (readonly [Exchange, Instant])[], start: Instant | null): void {
    this.#start = start;
    const [latencies, overheads]: [Milliseconds[], Milliseconds[]] = [[], []];
    const bySlice = new Map<Slice, Milliseconds[]>();
    for (const [exchange, at] of exchanges) {
      const error = Number(hasFailed(exchange));
      const bytes = exchange.requestBodySize + exchange.encodedBodySize;
      const [counted, ended] = [this.#sliceAt(at), this.#sliceAt(exchange.endTime ?? at)];
      this.#counted -= 1;
      this.#errors -= error;
      this.#bytes -= bytes;
      counted.requests -= 1;
      counted.errors -= error;
      ended.bytes -= bytes;
      this.#starts.remove(exchange.instants.startTime);
      if (exchange.outcome?.kind !== "responded") continue;
      const latency = timedLatencyOf(exchange);
      const overhead = overheadOf(exchange.instants, waitOf(exchange));
      if (overhead !== null) overheads.push(overhead);
      if (latency === null) continue;
      latencies.push(latency);
      addTo(bySlice, ended, latency);
    }
    this.#latencies.remove(latencies, []);
    this.#overheads.remove(overheads, []);
    for (const [slice, values] of bySlice) slice.latencies.remove(values, []);
    for (const slice of bySlice.keys()) slice.known = STALE;
    this.#knownP95 = STALE;
    this.#knownOverhead = STALE;
    this.#trim();
  }

  /** Leaves out empty slices at both ends; the others keep their bounds. */
  #trim(): void {
    while (isEmpty(this.#slices.at(-1))) this.#slices.pop();
    while (isEmpty(this.#slices[0]) && (this.#start ?? 0) >= (this.#origin ?? 0) + this.#length) {
      this.#slices.shift();
      this.#origin = ((this.#origin ?? 0) + this.#length) as Instant;
    }
  }

  /** Records that a request counted at `at` without an error turned out to have failed. */
  failed(at: Instant): void {
    this.#errors += 1;
    this.#sliceAt(at).errors += 1;
  }

  get start(): Instant | null {
    return this.#start;
  }

  get counted(): number {
    return this.#counted;
  }

  get errors(): number {
    return this.#errors;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  get sliceLength(): Milliseconds {
    return this.#length;
  }

  /** The p95 of all latency samples of the session. */
  get p95(): Milliseconds | null {
    this.#knownP95 = p95Of(this.#latencies, this.#knownP95);
    return this.#knownP95.p95;
  }

  /** All latencies of the session; `null` if there are none. */
  get latencies(): LatencySample | null {
    return latencySampleOf(this.#latencies);
  }

  get overheadP95(): Milliseconds | null {
    this.#knownOverhead = p95Of(this.#overheads, this.#knownOverhead);
    return this.#knownOverhead.p95;
  }

  slices(): readonly SummarySlice[] {
    return this.#slices.map((slice, index) => {
      slice.known = p95Of(slice.latencies, slice.known);
      const at = ((this.#origin ?? 0) + index * this.#length) as Instant;
      const { requests, errors, bytes } = slice;
      return Object.freeze({ at, requests, errors, p95: slice.known.p95, bytes });
    });
  }

  #sliceAt(time: Instant): Slice {
    const since = Math.max(0, time - (this.#origin ?? time));
    while (since / this.#length >= SLICES) this.#double();
    const index = Math.floor(since / this.#length);
    while (this.#slices.length <= index) this.#slices.push(emptySlice());
    return this.#slices[index] as Slice;
  }

  /**
   * Moves the first slice to an earlier start, in whole slices. The first exchange to arrive may be the last in time,
   * as in a HAR file.
   */
  #beginEarlier(at: Instant, origin: Instant): void {
    const missing = (): number => Math.floor((origin - at) / this.#length);
    while (this.#slices.length + missing() > SLICES) this.#double();
    const count = missing();
    this.#slices.unshift(...Array.from({ length: count }, emptySlice));
    this.#origin = (origin - count * this.#length) as Instant;
  }

  #double(): void {
    const joined: Slice[] = [];
    for (let index = 0; index < this.#slices.length; index += 2) {
      const slice = this.#slices[index] as Slice;
      const next = this.#slices[index + 1];
      if (next !== undefined) join(slice, next);
      joined.push(slice);
    }
    this.#slices = joined;
    this.#length *= 2;
  }
}

/** Returns `known`, unless there are newer samples. */
function p95Of(tally: LatencyTally, known: KnownP95): KnownP95 {
  const { count: samples } = tally;
  return known.samples === samples ? known : { samples, p95: tally.percentiles([0.95])?.[0] ?? null };
}

function emptySlice(): Slice {
  return {
    requests: 0,
    errors: 0,
    bytes: 0,
    latencies: new LatencyTally({ keepsIds: false }),
    known: NOTHING,
  };
}

function isEmpty(slice: Slice | undefined): boolean {
  return slice !== undefined && slice.requests === 0 && slice.bytes === 0;
}

function join(slice: Slice, next: Slice): void {
  slice.requests += next.requests;
  slice.errors += next.errors;
  slice.bytes += next.bytes;
  slice.latencies.absorb(next.latencies);
}
