import type { ExchangeTable } from "../table/exchange-table.ts";
import type { Literal } from "./literal.ts";
import { RowPredicate } from "./row-predicate.ts";
import { MATCH, NO_MATCH, TextMatchCache } from "./text-match-cache.ts";

/** Matches a text in the name of the client's program, or in the client's address and User-Agent. */
export class ClientPredicate extends RowPredicate {
  readonly #table: ExchangeTable;
  readonly #inProgram: TextMatchCache<string>;
  readonly #inClient: TextMatchCache<string>;

  constructor(table: ExchangeTable, pattern: Literal) {
    super();
    this.#table = table;
    const codeOf = (text: string): number => (pattern.test(text) ? MATCH : NO_MATCH);
    this.#inProgram = new TextMatchCache(table.texts, codeOf);
    this.#inClient = new TextMatchCache(table.texts, codeOf);
  }

  override holds(row: number): boolean {
    const { client, program } = this.#table;
    return this.#inClient.at(client.at(row)) === MATCH || this.#inProgram.at(program.at(row)) === MATCH;
  }

  override retainMatches(rows: Uint32Array, count: number): number {
    const [clients, programs] = [this.#table.client.read(rows, count), this.#table.program.read(rows, count)];
    const [inClient, inProgram] = [this.#inClient.all(), this.#inProgram.all()];
    let found = 0;
    let isOpen = false;
    for (let place = 0; place < count; place += 1) {
      const codes = (inClient[clients[place] as number] as number) | (inProgram[programs[place] as number] as number);
      if (codes === NO_MATCH) continue;
      isOpen ||= (codes & MATCH) === 0;
      rows[found] = rows[place] as number;
      found += 1;
    }
    return isOpen ? super.retainMatches(rows, found) : found;
  }
}
