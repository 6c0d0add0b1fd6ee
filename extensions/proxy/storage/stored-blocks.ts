import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { StoredBlock, spanOf } from "./exchange-block.ts";
import type { Telling } from "./exchange-row.ts";

/** The exchanges of a session that lie many to a row. Its methods throw what SQLite says. */
export class StoredBlocks {
  readonly #database: DatabaseSync;
  readonly #inSpan: StatementSync;
  readonly #block: StatementSync;
  /** Blocks of the span that was asked for last, by row: who reads on asks for its neighbours next. */
  #span: number | null = null;
  #read = new Map<number, StoredBlock>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#inSpan = database.prepare("SELECT rowid FROM blocks WHERE span = ?");
    this.#block = database.prepare("SELECT numbers, words, heads FROM blocks WHERE rowid = ?");
  }

  /** The block that holds that exchange; `null` if none does. */
  blockOf(id: ExchangeId): StoredBlock | null {
    const span = spanOf(id);
    if (span !== this.#span) this.#read = new Map();
    this.#span = span;
    for (const block of this.#read.values()) if (block.has(id)) return block;
    for (const { rowid } of this.#inSpan.all(span)) {
      const row = Number(rowid);
      if (this.#read.has(row)) continue;
      const block = new StoredBlock(this.#block.get(row) ?? {});
      this.#read.set(row, block);
      if (block.has(id)) return block;
    }
    return null;
  }

  /** All of them in the order of their ids; `null` for what is damaged. */
  *tellings(): Generator<readonly [ExchangeId, Telling | null]> {
    let span: unknown = null;
    let blocks: StoredBlock[] = [];
    for (const row of this.#database
      .prepare("SELECT span, numbers, words, heads FROM blocks ORDER BY span")
      .iterate()) {
      if (row["span"] !== span) {
        yield* tellingsIn(blocks);
        blocks = [];
      }
      span = row["span"];
      blocks.push(new StoredBlock(row));
    }
    yield* tellingsIn(blocks);
  }
}

function* tellingsIn(blocks: readonly StoredBlock[]): Generator<readonly [ExchangeId, Telling | null]> {
  const places = blocks.flatMap((block) => [...block.ids].map((id) => ({ id, block })));
  places.sort((a, b) => a.id - b.id);
  for (const { id, block } of places) yield [id, block.tellingOf(id)];
}
