import { clientOf } from "../../../../../src/engine/capture/exchange-folder.ts";
import { streamTagOf } from "../../../../../src/engine/model/exchange.ts";
import { headerOf } from "../../../../../src/engine/model/head.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Clock } from "../../../process/clock.ts";

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
  readonly isTarget: (request: StartedRequest) => boolean;
  /** As `Exchange.client`; `null`: all clients. */
  readonly client: string | null;
  /** The draw of a unit that starts now; `null`: no further unit is to be held. */
  readonly draw: () => Draw | null;
  readonly onEnd: (reason: HoldingEnd) => void;
}

/** Why the data thread ended an experiment: the engine thread was silent, or it took `MOST_TIME`. */
export type HoldingEnd = "silent" | "time";

export interface StartedRequest {
  readonly at: Instant;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly head: string;
  readonly clientAddress: string;
}

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
 * Holds responses back while an experiment runs (docs/specification.md, Experiment). Costs one look at a field
 * otherwise. When the experiment ends, all held responses are released at once.
 */
export class ExperimentHolds {
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

/** docs/specification.md, Experiment: a unit ends after this long without a request in flight. */
export const QUIET: Milliseconds = 2_000;

/** A request that has been in flight for this long no longer keeps its unit from ending. */
const LONG_IN_FLIGHT: Milliseconds = 10_000;

interface Draw {
  readonly block: number;
  readonly level: Milliseconds;
}

/** What of a request decides to which unit it belongs. */
interface RequestStart {
  readonly at: Instant;
  readonly method: string;
  readonly head: string;
  readonly isTarget: boolean;
}

/** A page load, or else the span from a request of the target to the next one after other requests. */
class HeldUnit {
  /** From 1. */
  readonly number: number;
  readonly isLoad: boolean;
  /** The level and its block; `null` before the first request of the target, and if no further unit is to be held. */
  draw: Draw | null = null;
  /** How long responses of the unit were held in all. */
  held: Milliseconds = 0;
  /** Whether a request of another endpoint came after one of the target. */
  hasOthers = false;
  #inFlight = 0;
  #latest: Instant;

  constructor(number: number, isLoad: boolean, at: Instant) {
    this.number = number;
    this.isLoad = isLoad;
    this.#latest = at;
  }

  get hasRequests(): boolean {
    return this.#inFlight > 0;
  }

  isOver(now: Instant): boolean {
    return now - this.#latest > (this.hasRequests ? LONG_IN_FLIGHT : QUIET);
  }

  started(at: Instant): void {
    this.#inFlight += 1;
    this.#latest = at;
  }

  ended(at: Instant): void {
    this.#inFlight -= 1;
    this.#latest = at;
  }
}

/** The units of one client, as its requests start. */
export class HeldUnits {
  readonly #nextNumber: () => number;
  #unit: HeldUnit | null = null;

  constructor(nextNumber: () => number) {
    this.#nextNumber = nextNumber;
  }

  /** The unit to which a request belongs that starts now; `null` if it belongs to none. */
  unitOf(request: RequestStart): HeldUnit | null {
    const { at, isTarget } = request;
    if (this.#unit?.isOver(at)) this.#unit = null;
    if (this.#isDocument(request)) this.#unit = new HeldUnit(this.#nextNumber(), true, at);
    else if (isTarget && this.#beginsWalk(request)) this.#unit = new HeldUnit(this.#nextNumber(), false, at);
    if (this.#unit !== null && !isTarget && this.#unit.draw !== null) this.#unit.hasOthers = true;
    this.#unit?.started(at);
    return this.#unit;
  }

  /** Outside of page loads, a browser's requests are in no unit: what a page sends later has no end to be timed by. */
  #beginsWalk({ head }: RequestStart): boolean {
    if (this.#unit === null) return headerOf(head, "sec-fetch-mode") === null;
    return !this.#unit.isLoad && this.#unit.hasOthers;
  }

  /**
   * Whether a request starts a page load (Fetch Metadata, 2.1 and 2.2; a service worker's navigation has an empty
   * destination). Without these headers: it asks for HTML as browsers do, and is no frame beside other requests.
   */
  #isDocument({ method, head }: RequestStart): boolean {
    const destination = headerOf(head, "sec-fetch-dest");
    if (destination !== null)
      return destination === "document" || (destination === "empty" && headerOf(head, "sec-fetch-mode") === "navigate");
    const wantsHtml = method === "GET" && /^text\/html,/i.test(headerOf(head, "accept") ?? "");
    return wantsHtml && !(this.#unit?.isLoad === true && this.#unit.hasRequests);
  }
}
