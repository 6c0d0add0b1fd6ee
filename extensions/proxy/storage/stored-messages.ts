import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import type { Extent } from "./extents.ts";
import { type StoredMessage, StoredRun } from "./message-run.ts";

/** The messages of a session's exchanges. The methods throw SQLite's error. */
export class StoredMessages {
  readonly #last: StatementSync;
  readonly #around: StatementSync;
  /** The run read last, since the next message is usually in it. */
  #latest: StoredRun | null = null;

  constructor(database: DatabaseSync) {
    this.#last = database.prepare("SELECT first, numbers FROM runs WHERE exchange = ? ORDER BY first DESC LIMIT 1");
    const before = "SELECT max(first) FROM runs WHERE exchange = ?1 AND first <= ?2";
    this.#around = database.prepare(
      `SELECT first, numbers FROM runs WHERE exchange = ?1 AND first >= coalesce((${before}), 0) AND first < ?3 ORDER BY first`,
    );
  }

  count(id: ExchangeId): number {
    const last = this.#last.get(id);
    return last === undefined ? 0 : new StoredRun(id, last).size;
  }

  /** At most `count` messages, from the index `from`. */
  list(id: ExchangeId, from: number, count: number): readonly StoredMessage[] {
    const to = from + count;
    return this.#runsAround(id, from, to).flatMap((run) => run.messages(from, to));
  }

  /** Extents of a message's payload, as far as it was kept; `null` if they are damaged or there is no such message. */
  payloadOf(id: ExchangeId, index: number): readonly Extent[] | null {
    if (!this.#latest?.has(id, index)) this.#latest = this.#runsAround(id, index, index + 1)[0] ?? null;
    return this.#latest?.payloadOf(index) ?? null;
  }

  #runsAround(id: ExchangeId, from: number, to: number): readonly StoredRun[] {
    return this.#around.all(id, from, to).map((row) => new StoredRun(id, row));
  }
}
