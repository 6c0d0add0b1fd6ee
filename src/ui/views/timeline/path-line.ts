import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import type { SubscriptionStore, ValueSubscription } from "../../state/subscription-store.ts";
import type { Scale } from "./bars.ts";
import { NO_PATH, type PathFrame, pathFrameOf } from "./critical-path.ts";

interface Sought {
  readonly filter: string;
  readonly between: TimeRange;
  readonly exchange: ExchangeId | null;
}

/** The critical path that the timeline shows. Queries nothing before `seek`. */
export class PathLine {
  readonly #windows: SubscriptionStore;
  readonly #arrived: () => void;
  #found: ValueSubscription<"critical-path"> | null = null;
  #sought: Sought | null = null;
  /** The first request of the page load to which the user stepped; `null`: none. */
  #load: ExchangeId | null = null;

  constructor(windows: SubscriptionStore, arrived: () => void) {
    this.#windows = windows;
    this.#arrived = arrived;
  }

  /** Requests the path. A page load to which the user stepped stays until another exchange is chosen. */
  seek(sought: Sought): void {
    if (sought.exchange !== this.#sought?.exchange) this.#load = null;
    this.#sought = sought;
    const query = { view: "critical-path", ...sought, exchange: this.#load ?? sought.exchange } as const;
    if (this.#found === null) this.#found = this.#windows.value(query, this.#arrived);
    else this.#found.update(query);
  }

  /** Steps to the page load that begins with `load`. */
  step(load: ExchangeId): void {
    this.#load = load;
    if (this.#sought !== null) this.seek(this.#sought);
  }

  frame(scale: Scale): PathFrame {
    const { value, problem } = this.#found ?? {};
    return value === undefined || typeof problem === "string" ? NO_PATH : pathFrameOf(value, scale);
  }

  close(): void {
    this.#found?.close();
  }
}
