import type { Instant } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import type { GivenValue } from "./given-values.ts";
import type { NamedUrl } from "./named-urls.ts";
import type { Use } from "./used-values.ts";

/** An exchange in the sweep over time, with all that was said in it. */
export interface Moment {
  /** Its place in the order of starts. */
  readonly place: number;
  readonly facts: ExchangeFacts;
  /** Equal for the exchanges of one client. */
  readonly client: number;
  /** Equal for the exchanges of one endpoint. */
  readonly endpoint: number;
  /** Absolute, without fragment. */
  readonly url: string;
  readonly start: Instant;
  /** When its response's head had come, no later than `ready`; `null` without a response. */
  readonly firstByte: Instant | null;
  readonly end: Instant;
  /** From when on others start after it rather than beside it. */
  readonly ready: Instant;
  /** Nobody waits for its end. */
  readonly lasts: boolean;
  /** Emptied once it has ended: it may be large. */
  said: Said;
}

/** What a request used and its response gave. */
export interface Said {
  readonly used: ReadonlyMap<string, Use>;
  readonly given: readonly GivenValue[];
  readonly named: readonly NamedUrl[];
  /** URLs of what caused the request, the nearest first, as its HAR file says. */
  readonly initiators: readonly string[];
}
