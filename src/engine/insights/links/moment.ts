import type { Instant } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import type { GivenValue } from "./given-values.ts";
import type { NamedUrl } from "./named-urls.ts";
import type { Use } from "./used-values.ts";

/** An exchange in the pass over time, with its content. */
export interface Moment {
  /** The exchange's index in the order of starts. */
  readonly place: number;
  readonly facts: ExchangeFacts;
  /** A number for the client: equal for all of its exchanges. */
  readonly client: number;
  /** A number for the endpoint: equal for all of its exchanges. */
  readonly endpoint: number;
  /** The absolute URL without fragment. */
  readonly url: string;
  readonly start: Instant;
  /** When the response's head arrived, at most `ready`; `null` if there was no response. */
  readonly firstByte: Instant | null;
  readonly end: Instant;
  /** From this instant on, another exchange starts after this one instead of in parallel. */
  readonly ready: Instant;
  /** Whether no client waits for the exchange's end. */
  readonly lasts: boolean;
  /** The values of request and response. Emptied once the exchange has ended, because they may be large. */
  said: Said;
}

/** The values that a request used and its response gave. */
export interface Said {
  readonly used: ReadonlyMap<string, Use>;
  readonly given: readonly GivenValue[];
  readonly named: readonly NamedUrl[];
  /** The URLs that caused the request according to its HAR file, the nearest first. */
  readonly initiators: readonly string[];
}
