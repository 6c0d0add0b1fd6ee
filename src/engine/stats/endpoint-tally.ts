import type { Endpoint } from "../model/endpoint.ts";
import type { EndpointFigures } from "../model/endpoint-figures.ts";
import { type Exchange, hasFailed, isSizeSample, isTooUncertain, timedLatencyOf } from "../model/exchange.ts";
import { PHASES, type Phase, type Phases, phasesOf, waitOf } from "../model/phases.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../model/units.ts";
import { LatencyTally, latencySampleOf } from "./latency-tally.ts";
import { type PayloadSample, PayloadTally } from "./payload-tally.ts";
import type { EndpointSamples } from "./percentile.ts";

/** docs/specification.md, Limits: an endpoint with fewer requests has no row. */
export const MINIMUM_REQUESTS = 5;

/** The counted exchanges of an endpoint that are left after others were taken out. */
export interface CountedRest {
  /** Visits the whole responses, each with its body's size as transferred. */
  forEachResponse(visit: (id: ExchangeId, size: Bytes) => void): void;
  protocols(): Iterable<string>;
}

/** The tally of one endpoint. Each exchange is one request; the outcome is recorded when the exchange ends. */
export class EndpointTally {
  readonly endpoint: Endpoint;
  readonly payload = new PayloadTally();
  #requests = 0;
  #errors = 0;
  #reused = 0;
  #connected = 0;
  #contentEncoding: string | null = null;
  /** The protocol of the endpoint's first request. */
  #protocol: string | null = null;
  #otherProtocols: readonly string[] = NO_PROTOCOLS;
  #version = 0;
  /** Latencies that are too uncertain for trends; usually none. */
  #uncertain: Milliseconds[] | null = null;
  #samples: { readonly version: number; readonly of: EndpointSamples } | null = null;
  /** `null` if there is no latency. */
  #timings: EndpointTimings | null = null;
  #figures: { readonly version: number; readonly of: EndpointFigures } | null = null;
  #medians: { readonly version: number; readonly of: Phases } | null = null;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** Counts an ended exchange. */
  record(exchange: Exchange): void {
    this.begin(exchange.protocol);
    this.exchangeEnded(exchange);
  }

  /** Counts a request whose outcome is recorded later. */
  begin(protocol: string): void {
    this.#version += 1;
    this.#requests += 1;
    this.#addProtocol(protocol);
  }

  /** Adds all that `other` has recorded. */
  absorb(other: EndpointTally): void {
    this.#version += 1;
    this.#requests += other.#requests;
    this.#errors += other.#errors;
    this.#reused += other.#reused;
    this.#connected += other.#connected;
    this.#contentEncoding = other.#contentEncoding ?? this.#contentEncoding;
    for (const protocol of [other.#protocol, ...other.#otherProtocols])
      if (protocol !== null) this.#addProtocol(protocol);
    this.payload.absorb(other.payload);
    if (other.#uncertain !== null) this.#uncertain = [...(this.#uncertain ?? []), ...other.#uncertain];
    if (other.#timings === null) return;
    this.#timings ??= new EndpointTimings();
    this.#timings.absorb(other.#timings);
  }

  /** Records the outcome of a counted request. */
  exchangeEnded(exchange: Exchange): void {
    const responded = exchange.outcome?.kind === "responded";
    this.#version += 1;
    if (hasFailed(exchange)) this.#errors += 1;
    if (exchange.reused === true) this.#reused += 1;
    if (exchange.reused === false) this.#connected += 1;
    if (responded && isCoding(exchange.contentEncoding)) this.#contentEncoding = exchange.contentEncoding;
    this.payload.record(payloadOf(exchange));
    if (exchange.decodedBodySize !== null) this.recordDecoded(exchange, exchange.decodedBodySize);
    const latency = timedLatencyOf(exchange);
    if (latency === null) return;
    if (isTooUncertain(exchange)) {
      this.#uncertain ??= [];
      this.#uncertain.push(latency);
    }
    this.#timings ??= new EndpointTimings();
    this.#timings.record(timingOf(exchange, latency));
  }

  /**
   * Takes out ended exchanges that were counted. Returns whether `recount` must be called, since what they held of the
   * largest body, of the chosen sizes and of the protocols cannot be taken back.
   */
  remove(exchanges: readonly Exchange[]): boolean {
    this.#version += 1;
    const timings: Timing[] = [];
    for (const exchange of exchanges) {
      this.#requests -= 1;
      if (hasFailed(exchange)) this.#errors -= 1;
      if (exchange.reused === true) this.#reused -= 1;
      if (exchange.reused === false) this.#connected -= 1;
      const { outcome, encodedBodySize, decodedBodySize, contentEncoding } = exchange;
      if (decodedBodySize !== null && isSizeSample(outcome))
        this.payload.removeDecoded(encodedBodySize, decodedBodySize, isCoding(contentEncoding));
      const latency = timedLatencyOf(exchange);
      if (latency === null) continue;
      if (isTooUncertain(exchange)) this.#uncertain?.splice(this.#uncertain.indexOf(latency), 1);
      timings.push(timingOf(exchange, latency));
    }
    this.#timings?.remove(timings);
    if (this.#requests === 0) this.#contentEncoding = null;
    return this.payload.remove(exchanges.map(payloadOf)) || this.#otherProtocols.length > 0;
  }

  /** Counts again what cannot be taken back, from all exchanges that are left. */
  recount(rest: CountedRest): void {
    this.#version += 1;
    this.payload.recount(rest.forEachResponse);
    [this.#protocol, this.#otherProtocols] = [null, NO_PROTOCOLS];
    for (const protocol of rest.protocols()) this.#addProtocol(protocol);
  }

  recordDecoded({ outcome, encodedBodySize, contentEncoding }: Exchange, decoded: Bytes): void {
    if (!isSizeSample(outcome)) return;
    this.#version += 1;
    this.payload.recordDecoded(encodedBodySize, decoded, isCoding(contentEncoding));
  }

  /** Records that an exchange counted without an error turned out to have failed. */
  failed(): void {
    this.#version += 1;
    this.#errors += 1;
  }

  /** Records that a counted exchange was evicted; all figures stay. `latency`: its `timedLatencyOf`. */
  rowEvicted(latency: Milliseconds | null): void {
    if (latency !== null) this.#timings?.rowEvicted(latency);
  }

  /** The number of samples whose exchanges were evicted. */
  get left(): number {
    return this.#timings?.left ?? 0;
  }

  get requests(): number {
    return this.#requests;
  }

  get errors(): number {
    return this.#errors;
  }

  get hasRow(): boolean {
    return this.#requests >= MINIMUM_REQUESTS;
  }

  /** The sum of the latencies; `null` if there is none. */
  get totalLatency(): Milliseconds | null {
    return this.#timings?.latencySum ?? null;
  }

  /** The number of exchanges over reused connections, and over new ones. */
  get connections(): { readonly reused: number; readonly connected: number } {
    return { reused: this.#reused, connected: this.#connected };
  }

  /** The latest Content-Encoding other than identity; `null` if there was none. */
  get contentEncoding(): string | null {
    return this.#contentEncoding;
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  /** Latencies of whole responses, without event streams and WebSockets. */
  get latencies(): LatencyTally {
    return this.#timings?.latencies ?? NO_LATENCIES;
  }

  /** The endpoint's row; `null` if it has too few requests. */
  figures(): EndpointFigures | null {
    if (!this.hasRow) return null;
    if (this.#figures?.version !== this.#version) this.#figures = { version: this.#version, of: this.#compute() };
    return this.#figures.of;
  }

  /** The values that trends compare. */
  samples(): EndpointSamples {
    if (this.#samples?.version !== this.#version) {
      const latencies = latencySampleOf(this.latencies, this.#uncertain ?? []);
      this.#samples = { version: this.#version, of: Object.freeze({ latencies, sizes: this.payload.sizes }) };
    }
    return this.#samples.of;
  }

  /** The median of each phase, as in `EndpointTimings.medians`; all are `null` before there is a row. */
  medians(): Phases {
    if (this.#timings === null || !this.hasRow) return NO_PHASES;
    if (this.#medians?.version !== this.#version) {
      this.#medians = { version: this.#version, of: this.#timings.medians() };
    }
    return this.#medians.of;
  }

  /** The means over all samples. A phase that did not happen counts as 0. */
  means(): { readonly phases: Phases; readonly latency: Milliseconds | null } {
    return this.#timings?.means() ?? { phases: NO_PHASES, latency: null };
  }

  /** The greatest sample; minus infinity if there is none. */
  get greatest(): Milliseconds {
    return this.latencies.greatest;
  }

  /** The number of samples above `limit` whose exchanges are still in the table. */
  countListedAbove(limit: Milliseconds): number {
    return this.#timings?.countListedAbove(limit) ?? 0;
  }

  /** Visits the latencies above `limit`, in order of arrival. */
  forEachAbove(limit: Milliseconds, visit: (latency: Milliseconds, id: ExchangeId) => void): void {
    this.latencies.forEachAbove(limit, (latency, id) => visit(latency, id as ExchangeId));
  }

  #addProtocol(protocol: string): void {
    this.#protocol ??= protocol;
    const isKnown = protocol === this.#protocol || this.#otherProtocols.includes(protocol);
    if (!isKnown) this.#otherProtocols = [...this.#otherProtocols, protocol];
  }

  #compute(): EndpointFigures {
    const [p50 = null, p95 = null, p99 = null] = this.latencies.percentiles([0.5, 0.95, 0.99]) ?? [];
    return Object.freeze({
      endpoint: this.endpoint,
      requests: this.#requests,
      errors: this.#errors,
      samples: this.latencies.count,
      p50,
      p95,
      p99,
      avgSize: this.payload.meanResponse,
      avgDecodedSize: this.payload.meanDecoded,
      avgRequestSize: this.payload.meanRequest,
      errorRate: (this.#errors / this.#requests) * 100,
      protocols: [this.#protocol, ...this.#otherProtocols].filter((protocol) => protocol !== null).sort(),
    });
  }
}

function payloadOf({ id, requestBodySize, encodedBodySize, outcome }: Exchange): PayloadSample {
  return { id, request: requestBodySize, response: isSizeSample(outcome) ? encodedBodySize : null };
}

function timingOf(exchange: Exchange, latency: Milliseconds): Timing {
  return { id: exchange.id, latency, phases: phasesOf(exchange.instants, waitOf(exchange), exchange.slowed) };
}

/** Whether a Content-Encoding changes the body. */
export function isCoding(contentEncoding: string | null): boolean {
  return contentEncoding !== null && contentEncoding !== "identity";
}

const NO_LATENCIES = new LatencyTally({ keepsIds: false });
const NO_PROTOCOLS: readonly string[] = Object.freeze([]);
const NO_PHASES: Phases = Object.freeze(eachPhase(() => null));

/** The timing of a whole response. */
interface Timing {
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
    for (const [index, phase] of PHASES.entries()) {
      const lengths = timings.flatMap(({ phases }) => phases[phase] ?? []);
      const tally = this.#phases[index] ?? null;
      tally?.remove(lengths, ids);
      const isEmpty = tally === null || tally.count === 0;
      if (isEmpty) this.#phases[index] = null;
      this.#sums[index] = isEmpty ? 0 : (this.#sums[index] as number) - sumOf(lengths);
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
    for (const [index, tally] of other.#phases.entries()) {
      if (tally === null) continue;
      this.#phaseAt(index).absorb(tally);
      this.#sums[index] = (this.#sums[index] as number) + (other.#sums[index] as number);
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
    return Object.freeze(eachPhase((_, index) => medianOf(this.#phases[index] ?? null, this.latencies.count)));
  }

  /**
   * The mean of each phase over all samples, where an exchange without the phase counts as 0; `null` for a phase that
   * no exchange had.
   */
  means(): { readonly phases: Phases; readonly latency: Milliseconds | null } {
    const samples = this.latencies.count;
    return Object.freeze({
      phases: Object.freeze(
        eachPhase((_, index) => (this.#phases[index] === null ? null : (this.#sums[index] as number) / samples)),
      ),
      latency: samples === 0 ? null : this.#latencySum / samples,
    });
  }

  #recordPhase(index: number, length: Milliseconds | null, id: number): void {
    if (length === null) return;
    this.#phaseAt(index).record(length, id);
    this.#sums[index] = (this.#sums[index] as number) + length;
  }

  #phaseAt(index: number): LatencyTally {
    const tally = this.#phases[index] ?? new LatencyTally({ keepsIds: false });
    this.#phases[index] = tally;
    return tally;
  }
}

function sumOf(lengths: readonly Milliseconds[]): Milliseconds {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** A record with one value for each phase. `index`: the phase's index in PHASES. */
export function eachPhase<Value>(value: (phase: Phase, index: number) => Value): Record<Phase, Value> {
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
