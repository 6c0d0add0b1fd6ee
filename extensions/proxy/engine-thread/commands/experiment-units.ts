import type { CaptureEvent, ExchangeEnded, RequestStarted, UnitJoined } from "../../../../src/engine/capture/event.ts";
import { clientOf } from "../../../../src/engine/capture/exchange-folder.ts";
import { isError } from "../../../../src/engine/model/exchange.ts";
import type { Draw, ExperimentUnit, LeftOut } from "../../../../src/engine/model/experiment.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../../src/engine/model/units.ts";

/**
 * docs/specification.md, Units of an experiment: a unit ends after this long without a request; the events of the last
 * one arrive a little later.
 */
const OVER_AFTER: Milliseconds = 2_500;

/** A request that takes longer does not keep its unit from ending. */
const LONG_IN_FLIGHT: Milliseconds = 10_000;

interface Member {
  readonly id: ExchangeId;
  readonly at: Instant;
  readonly draw: Draw | null;
  ended: ExchangeEnded | null;
  /** Whether its response was held, for 0 ms perhaps. */
  isHeld: boolean;
}

/** The exchanges of one unit so far. */
interface Seen {
  readonly client: string;
  readonly members: Member[];
  draw: Draw | null;
  /** Whether requests of another unit of the client began beside this one's. */
  isMixed: boolean;
  latest: Instant;
}

/** A unit with a request of the target that has ended. */
export interface EndedUnit {
  readonly unit: ExperimentUnit;
  /** Whether it is a page load or another span that began before the target was asked for. */
  readonly isLoad: boolean;
}

export class ExperimentUnits {
  readonly #keyOf: (id: ExchangeId) => string | null;
  readonly #started = new Map<ExchangeId, RequestStarted>();
  readonly #units = new Map<number, Seen>();
  readonly #members = new Map<ExchangeId, Seen>();

  /** `keyOf`: the endpoint of an exchange, as a text; `null` if it is unknown. */
  constructor(keyOf: (id: ExchangeId) => string | null) {
    this.#keyOf = keyOf;
  }

  add(events: readonly CaptureEvent[]): void {
    for (const event of events) {
      if (event.type === "request-started" && event.tags.includes("unit")) this.#started.set(event.id, event);
      else if (event.type === "unit-joined") this.#join(event);
      else if (event.type === "response-held") this.#hold(event.id);
      else if (event.type === "exchange-ended") this.#end(event);
    }
  }

  /** Returns the units that are over, and forgets them. */
  takeEnded(now: Instant): readonly EndedUnit[] {
    const over: EndedUnit[] = [];
    for (const [number, seen] of this.#units) {
      if (!isOver(seen, now, this.#isReplaced(number, seen))) continue;
      this.#units.delete(number);
      for (const { id } of seen.members) this.#members.delete(id);
      if (seen.draw !== null) over.push(this.#described(seen, seen.draw));
    }
    return over;
  }

  #join({ id, unit: number, block, level }: UnitJoined): void {
    const started = this.#started.get(id);
    this.#started.delete(id);
    if (started === undefined) return;
    const draw = block === null || level === null ? null : { block, level };
    let seen = this.#units.get(number);
    if (seen === undefined) {
      const client = clientOf(started.clientAddress, started.head);
      seen = { client, members: [], draw: null, isMixed: false, latest: started.at };
      for (const other of this.#units.values())
        if (other.client === client && isMixedWith(other, started.at)) {
          other.isMixed = true;
          seen.isMixed = true;
        }
      this.#units.set(number, seen);
    }
    seen.draw ??= draw;
    seen.latest = started.at;
    seen.members.push({ id, at: started.at, draw, ended: null, isHeld: false });
    this.#members.set(id, seen);
  }

  #hold(id: ExchangeId): void {
    this.#change(id, (member) => {
      member.isHeld = true;
    });
  }

  #end(event: ExchangeEnded): void {
    this.#change(event.id, (member, seen) => {
      member.ended = event;
      if (event.at > seen.latest) seen.latest = event.at;
    });
  }

  #change(id: ExchangeId, change: (member: Member, seen: Seen) => void): void {
    const seen = this.#members.get(id);
    const member = seen?.members.find((one) => one.id === id);
    if (seen !== undefined && member !== undefined) change(member, seen);
  }

  /** Whether a later unit of the same client has begun. */
  #isReplaced(number: number, { client }: Seen): boolean {
    for (const [other, seen] of this.#units) if (other > number && seen.client === client) return true;
    return false;
  }

  #described(seen: Seen, draw: Draw): EndedUnit {
    const { members } = seen;
    const start = members[0]?.at ?? seen.latest;
    const targetStart = members.find((member) => member.draw !== null)?.at ?? start;
    const isLoad = members[0]?.draw === null;
    const timed = isLoad ? members : members.filter(({ draw: own }) => own === null);
    const end = timed.reduce((latest, { ended }) => Math.max(latest, endOf(ended)), Number.NEGATIVE_INFINITY);
    const starts = new Map<string, Milliseconds>();
    for (const { id, at, draw: own } of members) {
      const key = own !== null || at <= targetStart ? null : this.#keyOf(id);
      if (key !== null && !starts.has(key)) starts.set(key, at - start);
    }
    const leftOut = leftOutOf(seen) ?? (end === Number.NEGATIVE_INFINITY ? "failed" : null);
    const duration = leftOut === null ? end - (isLoad ? start : targetStart) : 0;
    return { unit: { ...draw, leftOut, duration, starts }, isLoad };
  }
}

/** When the response ended; −∞ for streams and for exchanges without a whole response. */
function endOf(ended: ExchangeEnded | null): number {
  if (ended === null || ended.outcome.kind === "failed") return Number.NEGATIVE_INFINITY;
  return ended.instants.responseEnd ?? Number.NEGATIVE_INFINITY;
}

function leftOutOf({ members, isMixed }: Seen): LeftOut | null {
  const isLeft = members.some(
    ({ ended }) => ended?.outcome.kind === "failed" && ended.outcome.errorType === "client-aborted",
  );
  if (isLeft) return "reloaded";
  if (isMixed) return "other-traffic";
  const isWhole = members.every(
    ({ draw, isHeld, ended }) => draw === null || (isHeld && !isError(ended?.outcome ?? null)),
  );
  return isWhole ? null : "failed";
}

/** Whether requests are in flight. One of the target does not count, as the client may not wait for it. */
function isMixedWith({ members }: Seen, at: Instant): boolean {
  return members.some(({ draw, ended, at: start }) => draw === null && ended === null && at - start < LONG_IN_FLIGHT);
}

function isBusy({ members }: Seen, at: Instant): boolean {
  return members.some((member) => member.ended === null && at - member.at < LONG_IN_FLIGHT);
}

function isOver(seen: Seen, now: Instant, isReplaced: boolean): boolean {
  if (isBusy(seen, now)) return false;
  return isReplaced || now - seen.latest > OVER_AFTER;
}
