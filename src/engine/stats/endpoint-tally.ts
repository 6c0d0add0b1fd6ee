import { timedLatencyOf } from "../model/duration.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { EndpointFigures } from "../model/endpoint-figures.ts";
import { type Exchange, isError } from "../model/exchange.ts";
import { type Phases, phasesOf } from "../model/phases.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../model/units.ts";
import { type EarlyTimings, endpointTimingsOf, timingsIn, withoutListed, withTiming } from "./early-timings.ts";
import { type EndpointTimings, eachPhase, type Timing } from "./endpoint-timings.ts";
import { LatencyTally } from "./latency-tally.ts";
import { PayloadTally } from "./payload-tally.ts";

/** Spec, Limits: fewer requests than this and an endpoint has no row. */
export const MINIMUM_REQUESTS = 5;

/** Whether an endpoint of so many has no row yet. */
export function isCollecting(requests: number): boolean {
  return requests > 0 && requests < MINIMUM_REQUESTS;
}

/** All that is counted of one endpoint. An exchange is a request of it once, and what became of it is told when it ends. */
export class EndpointTally {
  readonly endpoint: Endpoint;
  readonly payload = new PayloadTally();
  #requests = 0;
  #errors = 0;
  #reused = 0;
  #connected = 0;
  #contentEncoding: string | null = null;
  /** That of the first request. */
  #protocol: string | null = null;
  #otherProtocols: readonly string[] = NO_PROTOCOLS;
  #version = 0;
  /** Until there is a row. */
  #early: EarlyTimings = NONE;
  /** From then on. */
  #timings: EndpointTimings | null = null;
  #figures: { readonly version: number; readonly of: EndpointFigures } | null = null;
  #medians: { readonly version: number; readonly of: Phases } | null = null;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** `exchange` has ended and counts. */
  record(exchange: Exchange): void {
    this.begin(exchange.protocol);
    this.end(exchange);
  }

  /** A request counts, which has not ended yet, or of which the rest is told next. */
  begin(protocol: string): void {
    this.#version += 1;
    this.#requests += 1;
    this.#protocol ??= protocol;
    const isKnown = protocol === this.#protocol || this.#otherProtocols.includes(protocol);
    if (!isKnown) this.#otherProtocols = [...this.#otherProtocols, protocol];
    if (this.#requests !== MINIMUM_REQUESTS) return;
    this.#timings = endpointTimingsOf(this.#early);
    this.#early = NONE;
  }

  /** What became of a request that has been counted. */
  end(exchange: Exchange): void {
    const responded = exchange.outcome?.kind === "responded";
    this.#version += 1;
    if (isError(exchange.outcome)) this.#errors += 1;
    if (exchange.reused === true) this.#reused += 1;
    if (exchange.reused === false) this.#connected += 1;
    if (responded && isCoding(exchange.contentEncoding)) this.#contentEncoding = exchange.contentEncoding;
    this.payload.record({ request: exchange.requestBodySize, response: responded ? exchange.encodedBodySize : null });
    if (exchange.decodedBodySize !== null) this.recordDecoded(exchange, exchange.decodedBodySize);
    const latency = timedLatencyOf(exchange);
    if (latency === null) return;
    this.#time({ id: exchange.id, latency, phases: phasesOf(exchange.instants) });
  }

  /** The size of an ended exchange's decoded body became known. */
  recordDecoded({ outcome, encodedBodySize, contentEncoding }: Exchange, decoded: Bytes): void {
    if (outcome?.kind !== "responded") return;
    this.#version += 1;
    this.payload.recordDecoded(encodedBodySize, decoded, isCoding(contentEncoding));
  }

  /** An exchange that was counted here has left the list, with that latency, if it has one (`timedLatencyOf`). All figures stay. */
  forget(id: ExchangeId, latency: Milliseconds | null): void {
    if (latency === null) return;
    if (this.#timings === null) this.#early = withoutListed(this.#early, id);
    else this.#timings.forget(latency);
  }

  /** Samples of exchanges that have left the list. */
  get left(): number {
    return this.#timings?.left ?? timingsIn(this.#early).filter(({ isListed }) => !isListed).length;
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

  /** Exchanges over a connection that had carried one before, and over a new one. */
  get connections(): { readonly reused: number; readonly connected: number } {
    return { reused: this.#reused, connected: this.#connected };
  }

  /** The latest one seen; `null` if none but identity. */
  get contentEncoding(): string | null {
    return this.#contentEncoding;
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** Latency samples: whole responses, no event streams, no WebSockets. Empty before there is a row. */
  get latencies(): LatencyTally {
    return this.#timings?.latencies ?? NO_LATENCIES;
  }

  /** The row, `null` below the minimum of requests. */
  figures(): EndpointFigures | null {
    if (!this.hasRow) return null;
    if (this.#figures?.version !== this.#version) this.#figures = { version: this.#version, of: this.#compute() };
    return this.#figures.of;
  }

  /** The median of each phase, as `EndpointTimings.medians`. */
  medians(): Phases {
    if (this.#timings === null) return NO_PHASES;
    if (this.#medians?.version !== this.#version) {
      this.#medians = { version: this.#version, of: this.#timings.medians() };
    }
    return this.#medians.of;
  }

  /** Means over all samples; a phase that did not happen counts 0. */
  means(): { readonly phases: Phases; readonly latency: Milliseconds | null } {
    return this.#timings?.means() ?? { phases: NO_PHASES, latency: null };
  }

  /** `forEachAbove` visits none that is greater; minus infinity where it visits none at all. */
  get greatest(): Milliseconds {
    if (this.#timings !== null) return this.#timings.latencies.greatest;
    return Math.max(Number.NEGATIVE_INFINITY, ...timingsIn(this.#early).map(({ latency }) => latency));
  }

  /** How many of those that `forEachAbove` visits are of exchanges that are still in the list. */
  countListedAbove(limit: Milliseconds): number {
    if (this.#timings !== null) return this.#timings.countListedAbove(limit);
    return timingsIn(this.#early).filter(({ latency, isListed }) => isListed && latency > limit).length;
  }

  /** Visits the latency samples above `limit`, also before there is a row, as `LatencyTally.forEachAbove` does. */
  forEachAbove(
    limit: Milliseconds,
    visit: (latency: Milliseconds, id: ExchangeId) => void,
    isEnough: () => boolean = () => false,
  ): void {
    this.latencies.forEachAbove(limit, (latency, id) => visit(latency, id as ExchangeId), isEnough);
    for (const { latency, id } of timingsIn(this.#early)) if (latency > limit) visit(latency, id as ExchangeId);
  }

  #time(timing: Timing): void {
    if (this.#timings === null) this.#early = withTiming(this.#early, timing);
    else this.#timings.record(timing);
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

function isCoding(contentEncoding: string | null): boolean {
  return contentEncoding !== null && contentEncoding !== "identity";
}

const NO_LATENCIES = new LatencyTally({ keepsIds: false });
const NONE: EarlyTimings = Object.freeze([]);
const NO_PROTOCOLS: readonly string[] = Object.freeze([]);
const NO_PHASES: Phases = Object.freeze(eachPhase(() => null));
