import type { ExchangeFacts } from "../../../src/engine/insights/exchange-facts.ts";
import { FindingSearch, type ReportOptions } from "../../../src/engine/insights/findings/index.ts";
import { criticalPathsOf } from "../../../src/engine/insights/links/critical-paths.ts";
import type { FoundLinks } from "../../../src/engine/insights/links/link-finder.ts";
import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { commandPause } from "../process/timeslicer.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import { LinkedSession } from "./linked-session.ts";

/** The facts of a session's exchanges by start, and the links between them. */
export interface LinkedFacts extends FoundLinks {
  readonly facts: readonly ExchangeFacts[];
}

/**
 * Searches for the findings about linked facts. Includes refuted links: two requests ran one after another, but
 * elsewhere requests to their two endpoints ran in parallel, so that neither needs the other's response.
 */
export function findingSearchOf(
  { facts, ...linked }: LinkedFacts,
  options: Omit<ReportOptions, "paths" | "limits">,
): FindingSearch {
  const paths = criticalPathsOf(facts, linked);
  return new FindingSearch(facts, [...linked.links, ...linked.refuted], { ...options, paths });
}

/** Reads a whole session once, without a limit. `window`: as in `LinkFinder`; `pause`: lets signals be handled. */
export async function linkedFactsOf(
  session: Session,
  reader: SessionReader,
  window: Milliseconds,
  pause: () => Promise<void> = commandPause(),
): Promise<LinkedFacts> {
  const until = () => Number.POSITIVE_INFINITY as Instant;
  const linked = new LinkedSession({ session, reader, window, until, rows: Number.POSITIVE_INFINITY });
  await linked.read(pause);
  return { facts: linked.facts, ...linked.links() };
}
