import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import type { SubscriptionStore, ValueSubscription } from "../../state/subscription-store.ts";
import type { Scale } from "./bars.ts";
import { NO_PATH, type PathFrame, pathFrameOf } from "./critical-path.ts";

interface PathRequest {
  readonly filter: string;
  readonly between: TimeRange;
  readonly exchange: ExchangeId | null;
}

/** A range that contains every session. */
const EVER: TimeRange = Object.freeze({ from: 0 as Instant, to: Number.MAX_SAFE_INTEGER as Instant });

/** The critical path that the timeline shows. Queries nothing before `seek`. */
export class PathLine {
  readonly #windows: SubscriptionStore;
  readonly #arrived: () => void;
  #found: ValueSubscription<"critical-path"> | null = null;
  #latest: ValueSubscription<"critical-path"> | null = null;
  #requested: PathRequest | null = null;
  /** The first request of the page load to which the user stepped; `null`: none. */
  #load: ExchangeId | null = null;

  /** Whether the range of the load to which the user stepped is still to be shown. */
  #isBrought = false;

  /** The first requests of the runs of steps that are open. */
  readonly #opened = new Set<ExchangeId>();

  constructor(windows: SubscriptionStore, arrived: () => void) {
    this.#windows = windows;
    this.#arrived = arrived;
  }

  /** Requests the path. A page load to which the user stepped stays until another exchange is chosen. */
  seek(requested: PathRequest): void {
    if (requested.exchange !== this.#requested?.exchange) this.#load = null;
    this.#requested = requested;
    const query = { view: "critical-path", ...requested, exchange: this.#load ?? requested.exchange } as const;
    const anywhere = { view: "critical-path", filter: requested.filter, between: EVER, exchange: null } as const;
    if (this.#found === null) this.#found = this.#windows.value(query, this.#arrived);
    else this.#found.update(query);
    if (this.#latest === null) this.#latest = this.#windows.value(anywhere, this.#arrived);
    else this.#latest.update(anywhere);
  }

  /** Steps to the page load that begins with `load`. */
  step(load: ExchangeId): void {
    this.#load = load;
    this.#isBrought = true;
    if (this.#requested !== null) this.seek(this.#requested);
    // The path of this load may be known, and then no answer follows.
    this.#arrived();
  }

  /** The first request of the latest page load that matches the filter; `null` if there is none, or none is known. */
  get latestLoad(): ExchangeId | null {
    const { value, problem } = this.#latest ?? {};
    return typeof problem === "string" ? null : (value?.load?.latest ?? null);
  }

  /** The path's start and end; `null` without a path. */
  get range(): TimeRange | null {
    const { value, problem } = this.#found ?? {};
    return value == null || typeof problem === "string" ? null : { from: value.start, to: value.end };
  }

  /** The range of the page load to which the user stepped, once after each step; `null` while it is not known. */
  takeSteppedRange(): TimeRange | null {
    const [first] = this.#found?.value?.parts ?? [];
    if (!this.#isBrought || first?.kind !== "exchange" || first.request.id !== this.#load) return null;
    this.#isBrought = false;
    return this.range;
  }

  frame(scale: Scale): PathFrame {
    const { value, problem } = this.#found ?? {};
    return value === undefined || typeof problem === "string" ? NO_PATH : pathFrameOf(value, scale, this.#opened);
  }

  /** Opens the run that begins with this request, or closes it. */
  toggle(first: ExchangeId): void {
    if (!this.#opened.delete(first)) this.#opened.add(first);
    this.#arrived();
  }

  close(): void {
    this.#found?.close();
    this.#latest?.close();
  }
}
