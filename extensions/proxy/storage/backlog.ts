import type { MessageCaptured } from "../../../src/engine/capture/event.ts";
import type { Annotation } from "../../../src/engine/model/annotation.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { BlockWriter, spanOf, textBytesOf } from "./exchange-block.ts";
import type { Extent } from "./extents.ts";
import { MessageRun } from "./message-run.ts";
import type { OtherEvent } from "./other-event.ts";
import type { PendingExchange, SessionRows } from "./session-rows.ts";

/** The most empty blocks kept for reuse. A flush under load writes about as many. */
const MOST_EMPTY = 16;
/**
 * The most exchanges that stay in the backlog after a failed write. The same limit
 * applies to messages and to other events. The oldest are dropped.
 */
const MOST_KEPT_ROWS = 20_000;
/** Bytes of targets and heads that stay in the backlog after a failed write. The oldest exchanges are dropped. */
const MOST_KEPT_BYTES: Bytes = 32 * 1024 * 1024;

/** What was dropped from the backlog. */
export interface DroppedRows {
  readonly exchanges: number;
  /** The dropped messages, by exchange. If an exchange is listed, all its unwritten messages were dropped. */
  readonly runs: ReadonlyMap<ExchangeId, MessageRun>;
}

/** The unwritten part of a session, except exchanges that have not ended. */
export class Backlog {
  /** Ended exchanges that already have a row; the flush replaces the row. */
  #ended = new Map<ExchangeId, PendingExchange>();
  /** Blocks of all other ended exchanges, by `spanOf(id)`, in the order in which the blocks were begun. */
  #blocks = new Map<number, BlockWriter>();
  /** Number of exchanges in `#blocks`. */
  #packed = 0;
  /** Blocks for reuse. */
  readonly #empty: BlockWriter[] = [];
  #runs = new Map<ExchangeId, MessageRun>();
  #others: OtherEvent[] = [];
  #annotations = new Map<ExchangeId, Annotation>();

  /** Exchanges that ended and are not yet on disk. */
  get exchanges(): number {
    return this.#ended.size + this.#packed;
  }

  /** Bytes of targets and heads of these exchanges. */
  get bytes(): Bytes {
    let bytes = 0;
    for (const block of this.#blocks.values()) bytes += block.textBytes;
    for (const kept of this.#ended.values()) bytes += textBytesOf(kept);
    return bytes;
  }

  get messages(): number {
    let messages = 0;
    for (const { count } of this.#runs.values()) messages += count;
    return messages;
  }

  get isEmpty(): boolean {
    return this.exchanges === 0 && this.#runs.size === 0 && this.#others.length === 0 && this.#annotations.size === 0;
  }

  /** Adds an ended exchange. Its bodies must already be placed in segments. */
  addExchange(kept: PendingExchange): void {
    const { id } = kept.started;
    if (kept.hasRow) {
      this.#ended.set(id, kept);
      return;
    }
    const span = spanOf(id);
    const block = this.#blocks.get(span) ?? this.#empty.pop() ?? new BlockWriter();
    this.#blocks.set(span, block);
    block.add(kept, { request: kept.request?.extents ?? [], response: kept.response?.extents ?? [] });
    this.#packed += 1;
  }

  /** `number`: the message's index in its exchange. `payload`: the payload's extent; `null` if the message is empty. */
  addMessage(number: number, message: MessageCaptured, payload: Extent | null): void {
    const run = this.#runs.get(message.id) ?? new MessageRun(number);
    this.#runs.set(message.id, run);
    run.add(message, payload);
  }

  addOther(event: OtherEvent): void {
    this.#others.push(event);
  }

  /** Replaces the exchange's previous annotation. */
  addAnnotation(id: ExchangeId, annotation: Annotation): void {
    this.#annotations.set(id, annotation);
  }

  /** Writes everything to rows, and keeps all of it until `clear`, because the transaction may be rolled back. */
  put(rows: SessionRows): void {
    for (const [span, block] of this.#blocks) rows.putBlock(span, block);
    for (const kept of this.#ended.values()) rows.putExchange(kept);
    for (const [exchange, run] of this.#runs) rows.putRun(exchange, run);
    for (const other of this.#others) rows.putEvent(other);
    for (const [id, annotation] of this.#annotations) rows.putAnnotation(id, annotation);
  }

  /** Empties the backlog, after everything in it has been committed. */
  clear(): void {
    this.#ended = new Map();
    for (const span of this.#blocks.keys()) this.#drop(span);
    this.#runs = new Map();
    this.#others = [];
    this.#annotations = new Map();
  }

  /**
   * Drops exchanges, messages and other events beyond `MOST_KEPT_ROWS`, after a failed write. The oldest are dropped
   * first, but exchanges in `#blocks` before those in `#ended`.
   */
  dropOldest(): DroppedRows {
    let exchanges = 0;
    const isOver = () => this.exchanges > MOST_KEPT_ROWS || this.bytes > MOST_KEPT_BYTES;
    for (const span of this.#blocks.keys()) {
      if (!isOver()) break;
      exchanges += this.#drop(span);
    }
    for (const id of this.#ended.keys()) {
      if (!isOver()) break;
      this.#ended.delete(id);
      exchanges += 1;
    }
    const runs = new Map<ExchangeId, MessageRun>();
    let { messages } = this;
    for (const [id, run] of this.#runs) {
      if (messages <= MOST_KEPT_ROWS) break;
      this.#runs.delete(id);
      runs.set(id, run);
      messages -= run.count;
    }
    if (this.#others.length > MOST_KEPT_ROWS) this.#others = this.#others.slice(-MOST_KEPT_ROWS);
    return { exchanges, runs };
  }

  /** Removes a block from `#blocks`. Returns how many exchanges the block held. */
  #drop(span: number): number {
    const block = this.#blocks.get(span);
    if (block === undefined) return 0;
    const { count } = block;
    this.#blocks.delete(span);
    this.#packed -= count;
    block.clear();
    if (this.#empty.length < MOST_EMPTY) this.#empty.push(block);
    return count;
  }
}
