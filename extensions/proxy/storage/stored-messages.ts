import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { MessageKind } from "../../../src/engine/capture/event.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { decodedExtents, type Extent, lengthOf } from "./extents.ts";
import { type StoredMessage, StoredRun } from "./message-run.ts";

/** The messages of a session's exchanges: those in rows of their own, as earlier versions wrote them, then those in runs. */
export class StoredMessages {
  readonly #rows: Record<"count" | "list" | "payload", StatementSync>;
  readonly #runs: Record<"last" | "around", StatementSync> | null;
  /** The run that was read last: who asks for a message asks for the next one soon. */
  #latest: StoredRun | null = null;

  /** `hasRuns`: the session is of a version that has them. */
  constructor(database: DatabaseSync, hasRuns: boolean) {
    const columns = "number, at, side, kind, size, cut, payload";
    this.#rows = {
      count: database.prepare("SELECT count(*) AS count FROM messages WHERE exchange = ?"),
      list: database.prepare(`SELECT ${columns} FROM messages WHERE exchange = ? AND number >= ? LIMIT ?`),
      payload: database.prepare("SELECT payload FROM messages WHERE exchange = ? AND number = ?"),
    };
    const before = "SELECT max(first) FROM runs WHERE exchange = ?1 AND first <= ?2";
    this.#runs = hasRuns
      ? {
          last: database.prepare("SELECT first, numbers FROM runs WHERE exchange = ? ORDER BY first DESC LIMIT 1"),
          around: database.prepare(
            `SELECT first, numbers FROM runs WHERE exchange = ?1 AND first >= coalesce((${before}), 0) AND first < ?3 ORDER BY first`,
          ),
        }
      : null;
  }

  count(id: ExchangeId): number {
    const last = this.#runs?.last.get(id);
    if (last !== undefined) return new StoredRun(id, last).end;
    return Number(this.#rows.count.get(id)?.["count"] ?? 0);
  }

  /** Messages `from` …, at most `count`. */
  list(id: ExchangeId, from: number, count: number): readonly StoredMessage[] {
    const messages = this.#rows.list.all(id, from, count).map((row) => messageOf(id, row));
    const to = from + count;
    for (const run of this.#runsAround(id, from, to)) messages.push(...run.messages(from, to));
    return messages;
  }

  /** Where the payload of one lies, as far as it was kept; `null` where that is damaged. */
  payloadOf(id: ExchangeId, index: number): readonly Extent[] | null {
    if (!this.#latest?.has(id, index)) this.#latest = this.#runsAround(id, index, index + 1)[0] ?? null;
    if (this.#latest !== null) return this.#latest.payloadOf(index);
    return decodedExtents(this.#rows.payload.get(id, index)?.["payload"]);
  }

  #runsAround(id: ExchangeId, from: number, to: number): readonly StoredRun[] {
    return (this.#runs?.around.all(id, from, to) ?? []).map((row) => new StoredRun(id, row));
  }
}

function messageOf(id: ExchangeId, row: Readonly<Record<string, unknown>>): StoredMessage {
  return Object.freeze({
    id,
    index: Number(row["number"]),
    at: Number(row["at"]) as Instant,
    side: row["side"] === "request" ? "request" : "response",
    kind: String(row["kind"]) as MessageKind,
    size: Number(row["size"]),
    cut: row["cut"] === 1,
    kept: lengthOf(decodedExtents(row["payload"])),
  });
}
