import type { Instant } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import type { GivenValue } from "./given-values.ts";
import type { NamedUrl, OwnScripts } from "./named-urls.ts";
import type { ReferredLoad } from "./referred-loads.ts";
import type { Use } from "./used-values.ts";

/** An exchange and its content, as `LinkFinder` passes them to the provers. */
export interface LinkableExchange {
  /** The exchange's index in the order of starts. */
  readonly index: number;
  readonly facts: ExchangeFacts;
  /** The client's number, equal for all of its exchanges. */
  readonly client: number;
  /** The page load to which the request belongs; `null` if its client loaded no page. */
  readonly load: ReferredLoad | null;
  /** The number of the load, or of the client if there is no load. Sent and given values are counted for each. */
  readonly scope: number;
  /** The endpoint's number, equal for all of its exchanges. */
  readonly endpoint: number;
  /** The absolute URL without fragment. */
  readonly url: string;
  /** The media type that the client reads, for a 304 that of its stored response; "" if it is not known. */
  readonly contentType: string;
  readonly start: Instant;
  /** When the response's head arrived, but no later than `ready`; `null` if there was no response. */
  readonly firstByte: Instant | null;
  readonly end: Instant;
  /** Another exchange follows this one if it starts at this instant or later; otherwise both run in parallel. */
  readonly ready: Instant;
  /** Whether no client waits for the exchange's end. */
  readonly lasts: boolean;
  /** The values of request and response. Emptied once the exchange has ended, since they may be large. */
  values: ExchangeValues;
}

/** The values that a request used, and the values and URLs that its response gave. */
export interface ExchangeValues {
  readonly used: ReadonlyMap<string, Use>;
  readonly given: readonly GivenValue[];
  readonly named: readonly NamedUrl[];
  /** The names of files in the response's scripts and values, without the path before them. */
  readonly files: readonly string[];
  /** What the scripts in the response's markup do. */
  readonly ownScripts: OwnScripts;
  /** The URLs that caused the request according to its HAR file, the most direct cause first. */
  readonly initiators: readonly string[];
}

/** Whether clients process the body while it arrives: streams, pages and JSON lines, but not other JSON. */
export function isReadAsItComes({ lasts, contentType }: LinkableExchange): boolean {
  return lasts || /html|ndjson|jsonl|json-seq|stream\+json|event-stream|^multipart\//.test(contentType);
}

/** The scopes in which values are counted: the client, and the page load if there is one. */
export function scopesOf({ client, scope }: LinkableExchange): readonly number[] {
  return client === scope ? [client] : [client, scope];
}
