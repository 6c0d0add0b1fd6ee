import type { ExchangeTable } from "./exchange-table.ts";
import { RowTest } from "./row-test.ts";
import { NO, TextCodes, YES } from "./text-codes.ts";

/** A text in the name of the client's program, or in its address and User-Agent. */
export class ClientTest extends RowTest {
  readonly #table: ExchangeTable;
  readonly #inProgram: TextCodes<string>;
  readonly #inClient: TextCodes<string>;

  constructor(table: ExchangeTable, pattern: RegExp) {
    super();
    this.#table = table;
    const codeOf = (text: string): number => (pattern.test(text) ? YES : NO);
    this.#inProgram = new TextCodes(table.texts, codeOf);
    this.#inClient = new TextCodes(table.texts, codeOf);
  }

  override holds(row: number): boolean {
    const { client, program } = this.#table;
    return this.#inClient.at(client.at(row)) === YES || this.#inProgram.at(program.at(row)) === YES;
  }

  override keep(rows: Uint32Array, count: number): number {
    const inClient = this.#inClient.ofRows(this.#table.client, rows, count);
    const inProgram = this.#inProgram.ofRows(this.#table.program, rows, count);
    let kept = 0;
    for (let place = 0; place < count; place += 1) {
      if (inClient[place] !== YES && inProgram[place] !== YES) continue;
      rows[kept] = rows[place] as number;
      kept += 1;
    }
    return kept;
  }
}
