import { clientOf } from "../../../../../src/engine/capture/exchange-folder.ts";
import { streamTagOf } from "../../../../../src/engine/model/duration.ts";
import { headerOf } from "../../../../../src/engine/model/head.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Clock } from "../../../process/clock.ts";
import { type Draw, type HeldUnit, HeldUnits } from "./held-units.ts";

/** docs/specification.md, Experiment: how long the responses of one unit are held in all, at most. */
export const MOST_HELD: Milliseconds = 2_000;

/** docs/specification.md, Experiment: a response that took the server longer is one of a long poll, and is not held. */
const LONG_POLL: Milliseconds = 5_000;

/** How long the engine thread may be silent before the experiment ends. */
export const SILENCE: Milliseconds = 5_000;

/** docs/specification.md, Experiment: how long one may take. */
export const MOST_TIME: Milliseconds = 600_000;

const LOOK: Milliseconds = 500;

export interface HeldPlan {
  /** Whether the responses to such requests are held. */
  readonly isTarget: (request: StartedRequest) => boolean;
  /** As `Exchange.client`; `null`: all clients. */
  readonly client: string | null;
  /** The draw of a unit that starts now; `null`: no further unit is to be held. */
  readonly draw: () => Draw | null;
  /** Called if the experiment ends by itself. */
  readonly onEnd: (reason: HoldingEnd) => void;
}

/** Why the data thread ended an experiment: the engine thread was silent, or it took `MOST_TIME`. */
export type HoldingEnd = "silent" | "time";

/** A request that starts. */
export interface StartedRequest {
  readonly at: Instant;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly head: string;
  readonly clientAddress: string;
}

/** An exchange that belongs to a unit. */
export interface UnitMember {
  readonly unit: number;
  /** `null` unless the exchange is one of the target. */
  readonly draw: Draw | null;
  /**
   * How long to hold a response. `waited`: from the request's last byte to the response's first; `null` if the request
   * has not ended. Returns `null` if the response must not be held at all.
   */
  holdOf(head: string, waited: Milliseconds | null): Milliseconds | null;
  ended(at: Instant): void;
}

interface Running {
  readonly plan: HeldPlan;
  readonly since: Instant;
  readonly look: NodeJS.Timeout;
  readonly byClient: Map<string, HeldUnits>;
  units: number;
  /** When the engine thread last said that it is there. */
  heard: Instant;
}

/**
 * Holds responses back while an experiment runs (docs/specification.md, Experiment). Costs one look at a field otherwise.
 * When the experiment ends, all held responses are released at once.
 */
export class HeldResponses {
  readonly #clock: Clock;
  #running: Running | null = null;
  readonly #held = new Map<() => void, NodeJS.Timeout>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Begins an experiment. One that runs ends. */
  start(plan: HeldPlan): void {
    this.stop();
    const now = this.#clock.now();
    const look = setInterval(() => this.#look(), LOOK).unref();
    this.#running = { plan, since: now, look, byClient: new Map(), units: 0, heard: now };
  }

  /** Called when the engine thread says that it is there. */
  heard(): void {
    if (this.#running !== null) this.#running.heard = this.#clock.now();
  }

  /** Ends the experiment, and releases the held responses. */
  stop(): void {
    if (this.#running !== null) clearInterval(this.#running.look);
    this.#running = null;
    for (const [release, timer] of [...this.#held]) {
      clearTimeout(timer);
      this.#held.delete(release);
      release();
    }
  }

  /** The unit of a request that starts; `null` if it belongs to none. */
  join(request: StartedRequest): UnitMember | null {
    const running = this.#running;
    if (running === null) return null;
    const client = clientOf(request.clientAddress, request.head);
    const { plan } = running;
    if (plan.client !== null && plan.client !== client) return null;
    const isTarget = plan.isTarget(request);
    let units = running.byClient.get(client);
    if (units === undefined) {
      units = new HeldUnits(() => {
        running.units += 1;
        return running.units;
      });
      running.byClient.set(client, units);
    }
    const unit = units.unitOf({ ...request, isTarget });
    if (unit === null) return null;
    if (isTarget) unit.draw ??= plan.draw();
    return new Member(unit, isTarget ? unit.draw : null, () => this.#running === running);
  }

  /** Calls `release` at `due`, or when the experiment ends. */
  hold(due: Instant, release: () => void): void {
    const left = due - this.#clock.now();
    if (left <= 0 || this.#running === null) return release();
    // Timers may fire a fraction of a millisecond early.
    const timer = setTimeout(() => {
      this.#held.delete(release);
      this.hold(due, release);
    }, Math.ceil(left));
    this.#held.set(release, timer);
  }

  #look(): void {
    const running = this.#running;
    if (running === null) return;
    const now = this.#clock.now();
    const isSilent = now - running.heard > SILENCE;
    if (!isSilent && now - running.since <= MOST_TIME) return;
    this.stop();
    running.plan.onEnd(isSilent ? "silent" : "time");
  }
}

class Member implements UnitMember {
  readonly draw: Draw | null;
  readonly #unit: HeldUnit;
  readonly #isRunning: () => boolean;

  constructor(unit: HeldUnit, draw: Draw | null, isRunning: () => boolean) {
    this.#unit = unit;
    this.draw = draw;
    this.#isRunning = isRunning;
  }

  get unit(): number {
    return this.#unit.number;
  }

  holdOf(head: string, waited: Milliseconds | null): Milliseconds | null {
    if (this.draw === null || waited === null || waited > LONG_POLL || !this.#isRunning()) return null;
    const { level } = this.draw;
    const type = (headerOf(head, "content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (streamTagOf(type) !== null || type.startsWith("application/grpc")) return null;
    if (this.#unit.held + level > MOST_HELD) return null;
    this.#unit.held += level;
    return level;
  }

  ended(at: Instant): void {
    this.#unit.ended(at);
  }
}
