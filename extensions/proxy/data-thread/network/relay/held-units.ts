import { headerOf } from "../../../../../src/engine/model/head.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";

/** docs/specification.md, Experiment: a unit ends after this long without a request in flight. */
export const QUIET: Milliseconds = 2_000;

/** A request that has been in flight for this long no longer keeps its unit from ending. */
const LONG_IN_FLIGHT: Milliseconds = 10_000;

/** The level that a unit drew, and the block of units that it was drawn in. */
export interface Draw {
  readonly block: number;
  readonly level: Milliseconds;
}

/** What of a request decides to which unit it belongs. */
export interface Asked {
  readonly at: Instant;
  readonly method: string;
  readonly head: string;
  /** Whether it is a request of the experiment's target. */
  readonly isTarget: boolean;
}

/** A page load, or else the span from a request of the target to the next one after other requests. */
export class HeldUnit {
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
  unitOf(asked: Asked): HeldUnit | null {
    const { at, isTarget } = asked;
    if (this.#unit?.isOver(at)) this.#unit = null;
    if (this.#isDocument(asked)) this.#unit = new HeldUnit(this.#nextNumber(), true, at);
    else if (isTarget && this.#beginsWalk(asked)) this.#unit = new HeldUnit(this.#nextNumber(), false, at);
    if (this.#unit !== null && !isTarget && this.#unit.draw !== null) this.#unit.hasOthers = true;
    this.#unit?.started(at);
    return this.#unit;
  }

  /** Outside of page loads, a browser's requests are in no unit: what a page sends later has no end to be timed by. */
  #beginsWalk({ head }: Asked): boolean {
    if (this.#unit === null) return headerOf(head, "sec-fetch-mode") === null;
    return !this.#unit.isLoad && this.#unit.hasOthers;
  }

  /**
   * Whether a request starts a page load (Fetch Metadata, 2.1 and 2.2; a service worker's navigation has an empty
   * destination). Without these headers: it asks for HTML as browsers do, and is no frame beside other requests.
   */
  #isDocument({ method, head }: Asked): boolean {
    const destination = headerOf(head, "sec-fetch-dest");
    if (destination !== null)
      return destination === "document" || (destination === "empty" && headerOf(head, "sec-fetch-mode") === "navigate");
    const isAsked = method === "GET" && /^text\/html,/i.test(headerOf(head, "accept") ?? "");
    return isAsked && !(this.#unit?.isLoad === true && this.#unit.hasRequests);
  }
}
