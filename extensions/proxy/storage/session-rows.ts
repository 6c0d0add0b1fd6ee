import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeEnded, RequestStarted, ResponseStarted } from "../../../src/engine/capture/event.ts";
import { type Annotation, isBlank } from "../../../src/engine/model/annotation.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { compressedBlock } from "./block-coding.ts";
import type { BlockWriter } from "./exchange-block.ts";
import { newScratch, rowOf } from "./exchange-row.ts";
import { type Extent, encodedExtents } from "./extents.ts";
import type { MessageRun } from "./message-run.ts";
import { type OtherEvent, otherEventText } from "./other-event.ts";

/** A captured body. `extents`: where its first bytes are stored; `gathered`: the rest, still in memory. */
export interface Body {
  readonly extents: Extent[];
  gathered: Uint8Array[];
  /** The number of bytes in `gathered`. */
  length: Bytes;
}

/** An exchange that has not ended, or whose end is not yet written. */
export interface PendingExchange {
  readonly started: RequestStarted;
  answered: ResponseStarted | null;
  ended: ExchangeEnded | null;
  request: Body | null;
  response: Body | null;
  /** Number of messages so far. */
  messages: number;
  /** Whether the exchange changed since it was last written. */
  changed: boolean;
  /** Whether a row was already written for the exchange, before its end. */
  hasRow: boolean;
}

/** The row of `events` that holds the number of the latest complete batch. Other rows are numbered from 1. */
export const WRITTEN_ROW = 0;

/** The tables from which the oldest rows are deleted, and how many at once: blocks are large, the others small. */
const AT_ONCE = Object.freeze({ blocks: 1, exchanges: 4, runs: 16, events: 64 });
type Kind = keyof typeof AT_ONCE;
const KINDS = Object.freeze(Object.keys(AT_ONCE) as Kind[]);

/** The statements that write the tables of session-database.ts. All throw SQLite's error. */
export class SessionRows {
  readonly #exchange: StatementSync;
  readonly #block: StatementSync;
  readonly #run: StatementSync;
  readonly #event: StatementSync;
  readonly #written: StatementSync;
  readonly #putAnnotation: StatementSync;
  readonly #deleteAnnotation: StatementSync;
  readonly #scratch = newScratch();
  /** Deletes the oldest rows of each kind, and returns their sizes. */
  readonly #oldest: Readonly<Record<Kind, StatementSync>>;
  /** Bytes written of each kind since the database was opened, without those deleted. */
  readonly #held: Record<Kind, Bytes> = { blocks: 0, exchanges: 0, runs: 0, events: 0 };

  constructor(database: DatabaseSync) {
    const oldest = (table: Kind, key: string, at: string, size: string) =>
      database.prepare(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${at} ORDER BY ${key} LIMIT ${AT_ONCE[table]}) RETURNING ${size} AS bytes`,
      );
    this.#oldest = {
      blocks: oldest("blocks", "rowid", "true", "length(block)"),
      exchanges: oldest("exchanges", "id", "id < ?", "length(request_head) + coalesce(length(response_head), 0)"),
      runs: oldest("runs", "rowid", "true", "length(numbers)"),
      events: oldest("events", "number", `number > ${WRITTEN_ROW}`, "length(event)"),
    };
    this.#exchange = database.prepare("INSERT OR REPLACE INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#block = database.prepare("INSERT INTO blocks VALUES (?, ?, ?)");
    this.#run = database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
    this.#event = database.prepare("INSERT INTO events (type, event) VALUES (?, ?)");
    this.#written = database.prepare(`INSERT OR REPLACE INTO events VALUES (${WRITTEN_ROW}, 'written', ?)`);
    this.#putAnnotation = database.prepare("INSERT OR REPLACE INTO remarks VALUES (?, ?, ?)");
    this.#deleteAnnotation = database.prepare("DELETE FROM remarks WHERE exchange = ?");
  }

  putExchange(kept: PendingExchange): void {
    const { id, numbers, words, requestHead, responseHead } = rowOf(kept, this.#scratch);
    const request = kept.request === null ? null : encodedExtents(kept.request.extents);
    const response = kept.response === null ? null : encodedExtents(kept.response.extents);
    this.#exchange.run(id, numbers, words, requestHead, responseHead, request, response);
    if (!kept.hasRow) this.#held.exchanges += requestHead.length + (responseHead?.length ?? 0);
  }

  putBlock(span: number, block: BlockWriter): void {
    const frame = compressedBlock(block.bytes());
    this.#block.run(span, block.count, frame);
    this.#held.blocks += frame.length;
  }

  putRun(exchange: ExchangeId, run: MessageRun): void {
    const numbers = run.numbers();
    this.#run.run(exchange, run.first, numbers);
    this.#held.runs += numbers.length;
  }

  putEvent(event: OtherEvent): void {
    const text = otherEventText(event);
    this.#event.run(event.type, text);
    this.#held.events += text.length;
  }

  /** Replaces the exchange's annotation. A blank annotation deletes it. */
  putAnnotation(exchange: ExchangeId, annotation: Annotation): void {
    if (isBlank(annotation)) this.#deleteAnnotation.run(exchange);
    else this.#putAnnotation.run(exchange, annotation.mark, annotation.comment);
  }

  /**
   * Deletes some of the oldest rows, of the kind that takes the most. Returns false if nothing is left. `open`: the
   * lowest id of an exchange that has not ended; its row stays. Annotations stay as well.
   */
  deleteOldest(open: number): boolean {
    const kinds = KINDS.toSorted((a, b) => this.#held[b] - this.#held[a]);
    return kinds.some((kind) => {
      const statement = this.#oldest[kind];
      const deleted = kind === "exchanges" ? statement.all(open) : statement.all();
      const bytes = deleted.reduce((sum, row) => sum + Number(row["bytes"]), 0);
      this.#held[kind] = Math.max(0, this.#held[kind] - bytes);
      return deleted.length > 0;
    });
  }

  putWritten(batch: number): void {
    this.#written.run(String(batch));
  }
}
