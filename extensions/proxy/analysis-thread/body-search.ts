import { setImmediate } from "node:timers/promises";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import type { ExchangeId, Milliseconds } from "../../../src/engine/model/units.ts";
import type { BodiesFound } from "../../../src/engine/session/evaluation/insights.ts";
import { filterOf } from "../../../src/engine/session/filter/filter.ts";
import { type Literal, literal } from "../../../src/engine/session/filter/literal.ts";
import { bodyTextsOf } from "../../../src/engine/session/filter/term.ts";
import { commandPause } from "../process/timeslicer.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import type { BodyMatches } from "./analysis-messages.ts";
import { bodyText, foundInMessages, type SearchSource } from "./search.ts";

/** The most texts whose matches are kept. */
const MOST_TEXTS = 8;
/** The time between messages about progress. */
const PROGRESS_EVERY: Milliseconds = 200;

/**
 * The rows whose bodies were searched for one text, the newest first; rows that came since are searched next:
 *
 *   first row ··········│ low ▓▓▓▓▓▓▓ high │·· next row
 */
class SearchedText {
  readonly pattern: Literal;
  readonly ids: ExchangeId[] = [];
  /** The rows in flight when they were searched, whose bodies may have grown. */
  readonly #open = new Set<number>();
  #low: number;
  #high: number;

  constructor(text: string, { session }: SearchSource) {
    this.pattern = literal(text);
    this.#low = session.table.nextRow;
    this.#high = this.#low;
  }

  /** The share of the table's rows that were searched, 0 to 1. */
  progressIn({ session: { table } }: SearchSource): number {
    const searched = this.#high - Math.max(this.#low, table.firstRow);
    return Math.max(0, searched) / Math.max(1, table.nextRow - table.firstRow);
  }

  /** Searches all rows that were not searched yet, and those in flight again. `between`: called after each row. */
  async searchAll(source: SearchSource, between: () => Promise<boolean>): Promise<void> {
    const { table } = source.session;
    for (const row of [...this.#open]) if (!(await this.#search(source, row, between))) return;
    while (this.#high < table.nextRow) {
      this.#high += 1;
      if (!(await this.#search(source, this.#high - 1, between))) return;
    }
    while (this.#low > table.firstRow) {
      this.#low -= 1;
      if (!(await this.#search(source, this.#low, between))) return;
    }
  }

  async #search({ session, reader }: SearchSource, row: number, between: () => Promise<boolean>): Promise<boolean> {
    const { table } = session;
    this.#open.delete(row);
    if (row < table.firstRow || reader === null) return true;
    const exchange = table.exchangeAt(row);
    if (await isInBody(exchange, reader, this.pattern)) this.ids.push(exchange.id);
    else if (exchange.outcome === null) this.#open.add(row);
    return between();
  }
}

/** Searches of bodies for filters. What a search has read is kept, so that only new exchanges are read again. */
export class BodySearches {
  readonly #texts = new Map<string, SearchedText>();
  readonly #running = new Map<number, string>();

  /** `known`: as in `Work`. Sends the matches from that one on. */
  async start(
    number: number,
    source: SearchSource,
    text: string,
    known: number,
    send: (message: BodyMatches) => void,
  ): Promise<void> {
    // The reply must be sent first.
    await setImmediate();
    const isTwice = [...this.#running.values()].includes(text);
    const searched = this.#textOf(text, source);
    let sent = known > searched.ids.length ? 0 : known;
    const say = (done: boolean) => {
      const ids = searched.ids.slice(sent);
      sent = searched.ids.length;
      send({ type: "body-matches", ids, count: sent, progress: searched.progressIn(source), done });
    };
    // A search that a former one overtakes would read the same rows twice.
    if (isTwice) return say(true);
    this.#running.set(number, text);
    const pause = commandPause();
    let told = performance.now();
    try {
      await searched.searchAll(source, async () => {
        await pause();
        if (performance.now() - told > PROGRESS_EVERY) {
          say(false);
          told = performance.now();
        }
        return this.#running.has(number);
      });
    } finally {
      this.#running.delete(number);
      say(true);
    }
  }

  cancel(number: number): void {
    this.#running.delete(number);
  }

  #textOf(text: string, source: SearchSource): SearchedText {
    const searched = this.#texts.get(text) ?? new SearchedText(text, source);
    this.#texts.delete(text);
    this.#texts.set(text, searched);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MOST_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    return searched;
  }
}

/** The exchanges with the texts that a filter looks for in bodies, for an export of them. */
export async function bodiesFor(source: SearchSource, filter: string): Promise<(text: string) => BodiesFound> {
  const found = new Map<string, ReadonlySet<ExchangeId>>();
  const pause = commandPause();
  const parsed = filterOf(filter);
  for (const text of parsed.ok ? bodyTextsOf(parsed.value) : []) {
    const searched = new SearchedText(text, source);
    await searched.searchAll(source, async () => {
      await pause();
      return true;
    });
    found.set(text, new Set(searched.ids));
  }
  return (text) => ({ progress: 1, has: (id) => found.get(text)?.has(id) === true });
}

/** Whether the text is in the decoded request or response body, or in a WebSocket message. */
async function isInBody(exchange: Exchange, reader: SessionReader, pattern: Literal): Promise<boolean> {
  const heads = reader.headsOf(exchange.id);
  for (const side of ["request", "response"] as const)
    if (pattern.test(await bodyText(reader, exchange, side, heads?.[side] ?? ""))) return true;
  if (!exchange.tags.includes("websocket")) return false;
  return (await foundInMessages(reader, exchange, pattern, commandPause())) !== null;
}
