import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeEnded, RequestStarted, ResponseStarted } from "../../../src/engine/capture/event.ts";
import { isBlank, type Remark } from "../../../src/engine/model/remark.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { newScratch, rowOf } from "./exchange-row.ts";
import { type Extent, encodedExtents, type Place } from "./extents.ts";
import type { MessageRun } from "./message-run.ts";
import type { OtherEvent } from "./other-event.ts";

/** A body as far as it was captured: what has its place on disk, then what is still being gathered. */
export interface Body {
  readonly extents: Extent[];
  gathered: Uint8Array[];
  /** Of what is gathered. */
  length: Bytes;
}

/** An exchange that has not ended, or has a row and ended since the last flush. */
export interface Kept {
  readonly started: RequestStarted;
  answered: ResponseStarted | null;
  ended: ExchangeEnded | null;
  request: Body | null;
  response: Body | null;
  /** How many it has had so far. */
  messages: number;
  /** Changed since it was last written. */
  changed: boolean;
  /** Whether it lies in a row of its own, since it lasted longer than from one flush to the next. */
  hasRow: boolean;
}

/** Row of `events` that holds the number of the latest batch whose events are all written; events count from 1. */
export const WRITTEN_ROW = 0;

/** The statements that write the tables of session-database.ts. They throw what SQLite says. */
export class SessionRows {
  readonly #exchange: StatementSync;
  readonly #block: StatementSync;
  readonly #run: StatementSync;
  readonly #event: StatementSync;
  readonly #written: StatementSync;
  readonly #remark: StatementSync;
  readonly #unremark: StatementSync;
  readonly #scratch = newScratch();

  constructor(database: DatabaseSync) {
    this.#exchange = database.prepare("INSERT OR REPLACE INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#block = database.prepare("INSERT INTO block_places VALUES (?, ?, ?, ?, ?)");
    this.#run = database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
    this.#event = database.prepare("INSERT INTO events (type, event) VALUES (?, ?)");
    this.#written = database.prepare(`INSERT OR REPLACE INTO events VALUES (${WRITTEN_ROW}, 'written', ?)`);
    this.#remark = database.prepare("INSERT OR REPLACE INTO remarks VALUES (?, ?, ?)");
    this.#unremark = database.prepare("DELETE FROM remarks WHERE exchange = ?");
  }

  putExchange(kept: Kept): void {
    const { id, numbers, words, requestHead, responseHead } = rowOf(kept, this.#scratch);
    const request = kept.request === null ? null : encodedExtents(kept.request.extents);
    const response = kept.response === null ? null : encodedExtents(kept.response.extents);
    this.#exchange.run(id, numbers, words, requestHead, responseHead, request, response);
  }

  /** A block of so many exchanges lies there. */
  putBlock(span: number, count: number, { offset, length, check }: Place): void {
    this.#block.run(span, count, offset, length, check);
  }

  putRun(exchange: ExchangeId, run: MessageRun): void {
    this.#run.run(exchange, run.first, run.numbers());
  }

  putEvent(event: OtherEvent): void {
    this.#event.run(event.type, JSON.stringify(event));
  }

  /** In the place of what was said of it before; nothing is kept of a blank one. */
  putRemark(exchange: ExchangeId, remark: Remark): void {
    if (isBlank(remark)) this.#unremark.run(exchange);
    else this.#remark.run(exchange, remark.mark, remark.comment);
  }

  putWritten(batch: number): void {
    this.#written.run(String(batch));
  }
}
