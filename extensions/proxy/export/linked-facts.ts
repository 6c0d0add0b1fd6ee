import type { ExchangeFacts } from "../../../src/engine/insights/exchange-facts.ts";
import { longPollsOf } from "../../../src/engine/insights/findings/long-polls.ts";
import { type FoundLinks, LinkFinder } from "../../../src/engine/insights/links/link-finder.ts";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { commandPause } from "../process/timeslicer.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import { readExchanges } from "./fact-reading.ts";

/** The facts of a session's exchanges by start, and the links between them. */
export interface LinkedFacts extends FoundLinks {
  readonly facts: readonly ExchangeFacts[];
}

/** Reads a whole session once. `window`: as in `LinkFinder`; `pause`: lets other work run. */
export async function linkedFactsOf(
  session: Session,
  reader: SessionReader,
  window: Milliseconds,
  pause: () => Promise<unknown> = commandPause(),
): Promise<LinkedFacts> {
  const facts: ExchangeFacts[] = [];
  const finder = new LinkFinder(window);
  for await (const read of readExchanges(session, reader, pause)) {
    facts.push(read.facts);
    finder.add(read.facts, read);
  }
  return { facts, ...finder.links(longPollsOf(facts)) };
}
