import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExchangeEnded, RequestStarted, ResponseStarted } from "../../../src/engine/capture/event.ts";
import { type Annotation, isBlank } from "../../../src/engine/model/annotation.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { compressedBlock } from "./block-coding.ts";
import type { BlockWriter } from "./exchange-block.ts";
import { newScratch, rowOf } from "./exchange-row.ts";
import { type Extent, encodedExtents } from "./extents.ts";
import type { MessageRun } from "./message-run.ts";
import type { OtherEvent } from "./other-event.ts";

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

  constructor(database: DatabaseSync) {
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
  }

  putBlock(span: number, block: BlockWriter): void {
    this.#block.run(span, block.count, compressedBlock(block.bytes()));
  }

  putRun(exchange: ExchangeId, run: MessageRun): void {
    this.#run.run(exchange, run.first, run.numbers());
  }

  putEvent(event: OtherEvent): void {
    this.#event.run(event.type, JSON.stringify(event));
  }

  /** Replaces the exchange's annotation. A blank annotation deletes it. */
  putAnnotation(exchange: ExchangeId, annotation: Annotation): void {
    if (isBlank(annotation)) this.#deleteAnnotation.run(exchange);
    else this.#putAnnotation.run(exchange, annotation.mark, annotation.comment);
  }

  putWritten(batch: number): void {
    this.#written.run(String(batch));
  }
}
