import type { Bytes, Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import { ONE_FLIGHT } from "./delayed-bodies.ts";
import { isAwaited, type Request, type Traffic } from "./traffic.ts";

/** A client's rate below this is a slow line, in bytes per ms: 1.6 Mbit/s. */
export const SLOW_LINE: Rate = 200;

/** The bodies are alike if at least this share of them came at the client's rate, within `ALIKE_WITHIN` times. */
const LEAST_ALIKE = 0.8;
const ALIKE_WITHIN = 4;
const LEAST_BODIES = 5;

/** Bytes per ms. */
export type Rate = number;

/** Sums over bodies: the time of their transfers, and all bytes that the client received in that time. */
interface Sums {
  time: Milliseconds;
  bytes: Bytes;
}

/** How quickly one client receives bodies, from any server. */
export class MeasuredLine {
  readonly #received: Received;
  readonly #all: Sums = { time: 0, bytes: 0 };
  readonly #byEndpoint = new Map<string, Sums>();
  /** The requests whose body is large enough to show the rate. */
  readonly sizable: readonly Request[];

  constructor(requests: readonly Request[]) {
    const bodies = requests.filter((one) => isAwaited(one) && one.transfer > 0 && one.latency !== null);
    this.#received = new Received(bodies);
    this.sizable = bodies.filter((one) => sizeOf(one) >= ONE_FLIGHT);
    for (const one of this.sizable) {
      const bytes = this.#received.during(one);
      const own = this.#byEndpoint.get(one.endpointKey) ?? { time: 0, bytes: 0 };
      this.#byEndpoint.set(one.endpointKey, { time: own.time + one.transfer, bytes: own.bytes + bytes });
      this.#all.time += one.transfer;
      this.#all.bytes += bytes;
    }
  }

  /** The client's rate while it received sizable bodies of other endpoints; `null` if there were none. */
  usualBeside(endpointKey: string): Rate | null {
    const own = this.#byEndpoint.get(endpointKey) ?? { time: 0, bytes: 0 };
    const time = this.#all.time - own.time;
    return time < 1 ? null : (this.#all.bytes - own.bytes) / time;
  }

  /** All bytes that the client received while the request's body came, from any server. */
  during(request: Request): Bytes {
    return this.#received.during(request);
  }

  /** The client's rate if all its sizable bodies came equally slowly; else `null`. */
  slowRate(): Rate | null {
    const rate = this.#all.bytes / Math.max(1, this.#all.time);
    if (this.sizable.length < LEAST_BODIES || this.#byEndpoint.size < 2 || rate >= SLOW_LINE) return null;
    const alike = this.sizable.filter((one) => {
      const own = this.during(one) / one.transfer;
      return own <= rate * ALIKE_WITHIN && own >= rate / ALIKE_WITHIN;
    });
    return alike.length >= LEAST_ALIKE * this.sizable.length ? rate : null;
  }
}

/** The bytes that a client had received by each instant, as if each body came at a steady rate. */
class Received {
  readonly #times: Float64Array;
  readonly #sums: Float64Array;
  readonly #rates: Float64Array;

  constructor(bodies: readonly Request[]) {
    const changes = bodies
      .flatMap((one) => {
        const rate = sizeOf(one) / one.transfer;
        return [
          { at: one.end - one.transfer, change: rate },
          { at: one.end, change: -rate },
        ];
      })
      .sort((left, right) => left.at - right.at);
    this.#times = Float64Array.from(changes.map(({ at }) => at));
    this.#sums = new Float64Array(changes.length);
    this.#rates = new Float64Array(changes.length);
    let [rate, sum, before] = [0, 0, changes[0]?.at ?? 0];
    for (const [index, { at, change }] of changes.entries()) {
      sum += rate * (at - before);
      rate += change;
      before = at;
      this.#sums[index] = sum;
      this.#rates[index] = rate;
    }
  }

  during({ end, transfer }: Request): Bytes {
    return Math.max(0, this.#until(end) - this.#until(end - transfer));
  }

  #until(at: number): Bytes {
    const index = lowerBound(0, this.#times.length, (next) => (this.#times[next] as number) > at) - 1;
    if (index < 0) return 0;
    return (this.#sums[index] as number) + (this.#rates[index] as number) * (at - (this.#times[index] as number));
  }
}

export function sizeOf({ facts }: Request): Bytes {
  return facts.exchange.encodedBodySize;
}

/** The line of each client. */
export function linesOf({ byClient }: Traffic): ReadonlyMap<string, MeasuredLine> {
  return new Map(Array.from(byClient, ([client, own]) => [client, new MeasuredLine(own)]));
}
