import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { HarFields, Side } from "../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import type { Heads } from "./exchange-block.ts";
import { arrayOf, fieldsIn, type StoredExchange, storedExchangeOf, TARGET } from "./exchange-row.ts";
import { decodedExtents, type Extent } from "./extents.ts";

/** The exchanges of a session that are stored in rows. The methods throw SQLite's error. */
export class StoredRows {
  readonly #database: DatabaseSync;
  readonly #heads: StatementSync;
  readonly #bodies: Record<Side, StatementSync>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#heads = database.prepare("SELECT words, request_head, response_head FROM exchanges WHERE id = ?");
    this.#bodies = {
      request: database.prepare("SELECT request_body AS body FROM exchanges WHERE id = ?"),
      response: database.prepare("SELECT response_body AS body FROM exchanges WHERE id = ?"),
    };
  }

  /** Returns `null` for an exchange without a row. */
  headsOf(id: ExchangeId): Heads | null {
    const row = this.#heads.get(id);
    if (row === undefined) return null;
    const target = String(arrayOf(String(row["words"]))?.[TARGET] ?? "");
    return { target, request: String(row["request_head"]), response: textOf(row["response_head"]) };
  }

  /** As `SessionReader.fieldsOf`. */
  fieldsOf(id: ExchangeId): HarFields | null {
    const words = arrayOf(String(this.#heads.get(id)?.["words"]));
    return words === null ? null : fieldsIn(words);
  }

  /** Extents of a body; `extents` is `null` if they are damaged. Returns `null` for an exchange without a row. */
  bodyOf(id: ExchangeId, side: Side): { readonly extents: readonly Extent[] | null } | null {
    const row = this.#bodies[side].get(id);
    return row === undefined ? null : { extents: decodedExtents(row["body"]) };
  }

  /** All exchanges by id, with `null` for a damaged exchange. */
  *exchanges(): Generator<readonly [ExchangeId, StoredExchange | null]> {
    const all = this.#database.prepare(
      "SELECT id, numbers, words, request_head, response_head FROM exchanges ORDER BY id",
    );
    for (const row of all.iterate()) {
      const id = Number(row["id"]) as ExchangeId;
      const numbers = row["numbers"] instanceof Uint8Array ? row["numbers"] : new Uint8Array();
      const [requestHead, responseHead] = [String(row["request_head"]), textOf(row["response_head"])];
      yield [id, storedExchangeOf({ id, numbers, words: String(row["words"]), requestHead, responseHead })];
    }
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
