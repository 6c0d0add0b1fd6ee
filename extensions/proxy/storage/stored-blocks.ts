import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { decompressedBlock } from "./block-coding.ts";
import { firstOf, StoredBlock, spanOf } from "./exchange-block.ts";
import type { StoredExchange } from "./exchange-row.ts";

/**
 * The exchanges of a session that are stored in blocks. The methods throw SQLite's error, or the error of a damaged
 * block.
 */
export class StoredBlocks {
  readonly #database: DatabaseSync;
  readonly #inSpan: StatementSync;
  readonly #block: StatementSync;
  /** The span read last (exchange-block.ts) and its blocks by row id. Cached for reads of neighbouring exchanges. */
  #span: number | null = null;
  #read = new Map<number, StoredBlock>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#inSpan = database.prepare("SELECT rowid FROM blocks WHERE span = ?");
    this.#block = database.prepare("SELECT block FROM blocks WHERE rowid = ?");
  }

  /** The block with this exchange, if it was already read; else `null`. */
  knownBlockOf(id: ExchangeId): StoredBlock | null {
    for (const block of this.#read.values()) if (block.ids.has(id)) return block;
    return null;
  }

  /** The block with this exchange; `null` if there is none. */
  blockOf(id: ExchangeId): StoredBlock | null {
    const known = this.knownBlockOf(id);
    if (known !== null) return known;
    const span = spanOf(id);
    if (span !== this.#span) this.#read = new Map();
    this.#span = span;
    let damage: unknown = null;
    for (const { rowid } of this.#inSpan.all(span)) {
      const row = Number(rowid);
      if (this.#read.has(row)) continue;
      try {
        const block = this.#blockAt(row);
        this.#read.set(row, block);
        if (block.ids.has(id)) return block;
      } catch (error) {
        damage = error;
      }
    }
    if (damage !== null) throw damage;
    return null;
  }

  /** All exchanges by id, with `null` for a damaged exchange. */
  *exchanges(): Generator<readonly [ExchangeId, StoredExchange | null]> {
    let span: unknown = null;
    let blocks: StoredBlock[] = [];
    for (const row of this.#database.prepare("SELECT span, rowid FROM blocks ORDER BY span").iterate()) {
      if (row["span"] !== span) {
        yield* tellingsIn(blocks);
        blocks = [];
      }
      span = row["span"];
      try {
        blocks.push(this.#blockAt(Number(row["rowid"])));
      } catch {
        yield [firstOf(Number(span)), null];
      }
    }
    yield* tellingsIn(blocks);
  }

  #blockAt(row: number): StoredBlock {
    const frame = this.#block.get(row)?.["block"];
    return new StoredBlock(decompressedBlock(frame instanceof Uint8Array ? frame : new Uint8Array()));
  }
}

function* tellingsIn(blocks: readonly StoredBlock[]): Generator<readonly [ExchangeId, StoredExchange | null]> {
  const places = blocks.flatMap((block) => [...block.ids.keys()].map((id) => ({ id, block })));
  places.sort((a, b) => a.id - b.id);
  for (const { id, block } of places) yield [id, block.exchangeOf(id)];
}
