import type { ContentReader } from "../capture/content-reader.ts";
import type { ExchangeFacts } from "../insights/exchange-facts.ts";
import type { FindingOptions } from "../insights/findings/draft.ts";
import { FindingSearch } from "../insights/findings/index.ts";
import type { LinkedTraffic } from "../insights/linked-traffic.ts";
import type { FoundLinks } from "../insights/links/link-finder.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import type { Session } from "../session/session.ts";
import { type Between, LinkedSession } from "./linked-session.ts";

/** The facts of a session's exchanges by start, and the links between them. */
export interface LinkedFacts extends FoundLinks {
  readonly facts: readonly ExchangeFacts[];
}

/**
 * Searches for the findings about linked facts. Includes refuted links: two requests ran one after another, but
 * elsewhere requests to their two endpoints ran in parallel, so that neither needs the other's response.
 */
export function findingSearchOf(
  { facts, links: { links, refuted }, traffic, paths, loads, units }: LinkedTraffic,
  options: FindingOptions,
): FindingSearch {
  return new FindingSearch(facts, [...links, ...refuted], { traffic, paths, loads, units, ...options });
}

/** Reads a whole session once, without a limit. `window`: as in `LinkFinder`; `pause`: lets other work run. */
export async function linkedFactsOf(
  session: Session,
  reader: ContentReader,
  window: Milliseconds,
  pause: Between = () => {},
): Promise<LinkedFacts> {
  const until = () => Number.POSITIVE_INFINITY as Instant;
  const linked = new LinkedSession({ session, reader, window, until, rows: Number.POSITIVE_INFINITY });
  await linked.read(pause);
  return { facts: linked.facts, ...linked.links() };
}
