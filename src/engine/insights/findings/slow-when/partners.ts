import type { Milliseconds } from "../../../model/units.ts";
import { lowerBound } from "../../../stats/lower-bound.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { type Group, groupedBy } from "../../grouped.ts";
import { burstsIn } from "../bursts.ts";
import { largestOf } from "../draft.ts";
import type { Request } from "../traffic.ts";
import { lengthOf } from "../waiting.ts";

/** How many endpoints of an origin are compared as partners: those in flight for longest. */
const MOST_PARTNERS = 50;

/**
 * A partner counts as running at a request's start only if it began this much earlier. Requests that are sent together,
 * such as those of a page, do not explain each other.
 */
const LEAD: Milliseconds = 20;

/** The name of a request's endpoint within its origin. */
export function partnerNameOf({ facts: { endpoint } }: Request): string {
  const { method, path, operation } = endpoint;
  return `${method} ${path}${operation === null ? "" : ` · ${operation}`}`;
}

/** An endpoint whose exchanges may hold up those of other endpoints of its origin. */
export class Partner {
  /** As `Request.endpointKey`. */
  readonly key: string;
  /** Such as "POST /import". */
  readonly name: string;
  /** The median duration of its exchanges. */
  readonly usual: Milliseconds;
  /** The periods with at least one of its exchanges in flight, in order. */
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  /** The length of all periods. */
  readonly busy: Milliseconds;

  /** `exchanges`: of one endpoint, in the order of their starts. */
  constructor(exchanges: Group<Request>) {
    const [first] = exchanges;
    this.key = first.endpointKey;
    this.name = partnerNameOf(first);
    this.usual = medianOf(exchanges.map(lengthOf));
    const periods = burstsIn(exchanges, 0);
    this.#starts = Float64Array.from(periods, ([{ start }]) => start);
    this.#ends = Float64Array.from(periods, (period) => largestOf(period.map(({ end }) => end)));
    this.busy = this.#starts.reduce((sum, start, index) => sum + (this.#ends[index] as number) - start, 0);
  }

  /**
   * The period that was running when the request began, by its index; `null` if there is none. How the request ends
   * plays no part, since that would choose the slow ones.
   */
  periodAt({ start }: Request): number | null {
    const period = this.#lastBefore(start - LEAD);
    return period >= 0 && (this.#ends[period] as number) > start ? period : null;
  }

  /**
   * Whether a period was running when the request began, or began within `usual`, the time that the request would
   * usually take.
   */
  isCaught({ start }: Request, usual: Milliseconds): boolean {
    const period = this.#lastBefore(start + usual);
    return period >= 0 && (this.#ends[period] as number) > start;
  }

  /** How much of a period lies within the request. */
  overlap(period: number, { start, end }: Request): Milliseconds {
    return Math.max(0, Math.min(end, this.#ends[period] as number) - Math.max(start, this.#starts[period] as number));
  }

  /** The last period that begins at `at` or before; -1 if there is none. */
  #lastBefore(at: number): number {
    return lowerBound(0, this.#starts.length, (index) => (this.#starts[index] as number) > at) - 1;
  }
}

/** The busiest endpoints of one origin. `requests`: the origin's awaited requests, in the order of their starts. */
export function partnersIn(requests: readonly Request[]): readonly Partner[] {
  const groups = groupedBy(requests, ({ endpointKey }) => endpointKey);
  const partners = Array.from(groups.values(), (own) => new Partner(own));
  return partners.sort((one, other) => other.busy - one.busy).slice(0, MOST_PARTNERS);
}
