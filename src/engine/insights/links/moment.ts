import type { Instant } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import type { GivenValue } from "./given-values.ts";
import type { NamedUrl } from "./named-urls.ts";
import type { Use } from "./used-values.ts";

/** An exchange in the sweep over time, with its content. */
export interface Moment {
  /** Its index in the order of starts. */
  readonly place: number;
  readonly facts: ExchangeFacts;
  /** Equal for the exchanges of one client. */
  readonly client: number;
  /** Equal for the exchanges of one endpoint. */
  readonly endpoint: number;
  /** Absolute, without fragment. */
  readonly url: string;
  readonly start: Instant;
  /** When its response's head arrived, no later than `ready`; `null` without a response. */
  readonly firstByte: Instant | null;
  readonly end: Instant;
  /** The instant from which an exchange starts after this one rather than in parallel. */
  readonly ready: Instant;
  /** No client waits for its end. */
  readonly lasts: boolean;
  /** Emptied once it has ended, because it may be large. */
  said: Said;
}

/** The values that a request used and its response gave. */
export interface Said {
  readonly used: ReadonlyMap<string, Use>;
  readonly given: readonly GivenValue[];
  readonly named: readonly NamedUrl[];
  /** URLs that caused the request according to its HAR file, the nearest first. */
  readonly initiators: readonly string[];
}
