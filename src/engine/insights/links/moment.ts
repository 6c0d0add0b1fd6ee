import type { Instant } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import type { GivenValue } from "./given-values.ts";
import type { NamedUrl } from "./named-urls.ts";
import type { Use } from "./used-values.ts";

/** An exchange and its content, as `LinkFinder` passes them to the provers. */
export interface Moment {
  /** The exchange's index in the order of starts. */
  readonly place: number;
  readonly facts: ExchangeFacts;
  /** The client's number, equal for all of its exchanges. */
  readonly client: number;
  /** The endpoint's number, equal for all of its exchanges. */
  readonly endpoint: number;
  /** The absolute URL without fragment. */
  readonly url: string;
  readonly start: Instant;
  /** When the response's head arrived, but no later than `ready`; `null` if there was no response. */
  readonly firstByte: Instant | null;
  readonly end: Instant;
  /** Another exchange follows this one if it starts at this instant or later; otherwise both run in parallel. */
  readonly ready: Instant;
  /** Whether no client waits for the exchange's end. */
  readonly lasts: boolean;
  /** The values of request and response. Emptied once the exchange has ended, since they may be large. */
  said: Said;
}

/** The values that a request used, and the values and URLs that its response gave. */
export interface Said {
  readonly used: ReadonlyMap<string, Use>;
  readonly given: readonly GivenValue[];
  readonly named: readonly NamedUrl[];
  /** The URLs that caused the request according to its HAR file, the most direct cause first. */
  readonly initiators: readonly string[];
}
