import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { readBlock } from "./block-file.ts";
import { type Block, firstOf, StoredBlock, spanOf } from "./exchange-block.ts";
import type { Telling } from "./exchange-row.ts";
import { RowBlock } from "./row-block.ts";

/** The tables that tell of blocks, and what of each: the block itself (version 4), or where it lies in its file. */
const TABLES = [
  { table: "blocks", told: "numbers, words, heads" },
  { table: "block_places", told: "start, length, checksum" },
] as const;

interface Source {
  readonly table: string;
  readonly inSpan: StatementSync;
  readonly row: StatementSync;
}

/** The exchanges of a session that lie many to a block. Its methods throw what SQLite or the system says. */
export class StoredBlocks {
  readonly #folder: string;
  readonly #database: DatabaseSync;
  readonly #sources: readonly Source[];
  /** Blocks of the span that was asked for last, by table and row: who reads on asks for its neighbours next. */
  #span: number | null = null;
  #read = new Map<string, Block>();

  /** `has`: whether the database has that table; those of earlier versions lack one or both. */
  constructor(folder: string, database: DatabaseSync, has: (table: string) => boolean) {
    this.#folder = folder;
    this.#database = database;
    this.#sources = TABLES.filter(({ table }) => has(table)).map(({ table, told }) => ({
      table,
      inSpan: database.prepare(`SELECT rowid FROM ${table} WHERE span = ?`),
      row: database.prepare(`SELECT ${told} FROM ${table} WHERE rowid = ?`),
    }));
  }

  /** The block that holds that exchange; `null` if none does. */
  blockOf(id: ExchangeId): Block | null {
    const span = spanOf(id);
    if (span !== this.#span) this.#read = new Map();
    this.#span = span;
    for (const block of this.#read.values()) if (block.ids.has(id)) return block;
    let damage: unknown = null;
    for (const source of this.#sources) {
      for (const { rowid } of source.inSpan.all(span)) {
        const key = `${source.table} ${rowid}`;
        if (this.#read.has(key)) continue;
        try {
          const block = this.#blockAt(source, Number(rowid));
          this.#read.set(key, block);
          if (block.ids.has(id)) return block;
        } catch (error) {
          damage = error;
        }
      }
    }
    if (damage !== null) throw damage;
    return null;
  }

  /** All of them in the order of their ids; `null` for what is damaged. */
  *tellings(): Generator<readonly [ExchangeId, Telling | null]> {
    if (this.#sources.length === 0) return;
    const each = this.#sources.map(
      ({ table }, source) => `SELECT span, ${source} AS source, rowid AS row FROM ${table}`,
    );
    let span: unknown = null;
    let blocks: Block[] = [];
    for (const row of this.#database.prepare(`${each.join(" UNION ALL ")} ORDER BY span`).iterate()) {
      if (row["span"] !== span) {
        yield* tellingsIn(blocks);
        blocks = [];
      }
      span = row["span"];
      try {
        blocks.push(this.#blockAt(this.#sources[Number(row["source"])] as Source, Number(row["row"])));
      } catch {
        yield [firstOf(Number(span)), null];
      }
    }
    yield* tellingsIn(blocks);
  }

  #blockAt({ row }: Source, at: number): Block {
    const kept = row.get(at) ?? {};
    if (!("checksum" in kept)) return new RowBlock(kept);
    const { start: offset, length, checksum: check } = kept;
    const place = { offset: Number(offset), length: Number(length), check: Number(check) };
    return new StoredBlock(readBlock(this.#folder, place));
  }
}

function* tellingsIn(blocks: readonly Block[]): Generator<readonly [ExchangeId, Telling | null]> {
  const places = blocks.flatMap((block) => [...block.ids.keys()].map((id) => ({ id, block })));
  places.sort((a, b) => a.id - b.id);
  for (const { id, block } of places) yield [id, block.tellingOf(id)];
}
