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
    const [clients, programs] = [this.#table.client.read(rows, count), this.#table.program.read(rows, count)];
    const [inClient, inProgram] = [this.#inClient.all(), this.#inProgram.all()];
    let found = 0;
    let isOpen = false;
    for (let place = 0; place < count; place += 1) {
      const codes = (inClient[clients[place] as number] as number) | (inProgram[programs[place] as number] as number);
      if (codes === NO) continue;
      isOpen ||= (codes & YES) === 0;
      rows[found] = rows[place] as number;
      found += 1;
    }
    return isOpen ? super.keep(rows, found) : found;
  }
}
