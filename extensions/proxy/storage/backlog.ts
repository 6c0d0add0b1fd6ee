import type { MessageCaptured } from "../../../src/engine/capture/event.ts";
import type { Remark } from "../../../src/engine/model/remark.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import type { Piece } from "./block-file.ts";
import { BlockWriter, spanOf } from "./exchange-block.ts";
import type { Extent, Place } from "./extents.ts";
import { MessageRun } from "./message-run.ts";
import type { OtherEvent } from "./other-event.ts";
import type { Kept, SessionRows } from "./session-rows.ts";

/** Our choice: so many blocks are kept to be filled again; a flush under load writes about as many. */
const MOST_EMPTY = 16;
/** Our choice: beyond this, rows that could not be written are given up, oldest first, and counted. */
const MOST_KEPT_ROWS = 20_000;

/** What there was no room for. */
export interface GivenUp {
  readonly exchanges: number;
  /** Of each exchange all its messages that waited. */
  readonly runs: ReadonlyMap<ExchangeId, MessageRun>;
}

/** What of a session waits to be written, but for exchanges that have not ended. */
export class Backlog {
  /** Those that have ended and lie in rows of their own, which are to be written anew. */
  #ended = new Map<ExchangeId, Kept>();
  /** All others that have ended, by their ids' span, oldest first. */
  #blocks = new Map<number, BlockWriter>();
  /** In blocks. */
  #packed = 0;
  /** Blocks to be filled again. */
  readonly #empty: BlockWriter[] = [];
  #runs = new Map<ExchangeId, MessageRun>();
  #others: OtherEvent[] = [];
  #remarks = new Map<ExchangeId, Remark>();

  /** Exchanges that have ended and are not on disk so. */
  get exchanges(): number {
    return this.#ended.size + this.#packed;
  }

  get isEmpty(): boolean {
    return this.exchanges === 0 && this.#runs.size === 0 && this.#others.length === 0 && this.#remarks.size === 0;
  }

  /** Takes an exchange that has ended, and whose bodies have their places. */
  addExchange(kept: Kept): void {
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

  /** `number`: which of its exchange it is. `payload`: where it will lie; `null` if it has none. */
  addMessage(number: number, message: MessageCaptured, payload: Extent | null): void {
    const run = this.#runs.get(message.id) ?? new MessageRun(number);
    this.#runs.set(message.id, run);
    run.add(message, payload);
  }

  addOther(event: OtherEvent): void {
    this.#others.push(event);
  }

  /** In the place of what was said of that exchange before. */
  addRemark(id: ExchangeId, remark: Remark): void {
    this.#remarks.set(id, remark);
  }

  /** Its blocks, each in pieces, to be given their places. */
  blocks(): readonly (readonly Piece[])[] {
    return Array.from(this.#blocks.values(), (block) => block.pieces());
  }

  /** Puts all of it in rows; `places` are those of its blocks. It waits until `clear`, since the rows may be undone. */
  put(rows: SessionRows, places: readonly Place[]): void {
    let place = 0;
    for (const [span, { count }] of this.#blocks) {
      rows.putBlock(span, count, places[place] as Place);
      place += 1;
    }
    for (const kept of this.#ended.values()) rows.putExchange(kept);
    for (const [exchange, run] of this.#runs) rows.putRun(exchange, run);
    for (const other of this.#others) rows.putEvent(other);
    for (const [id, remark] of this.#remarks) rows.putRemark(id, remark);
  }

  /** All of it is written. */
  clear(): void {
    this.#ended = new Map();
    for (const span of this.#blocks.keys()) this.#drop(span);
    this.#runs = new Map();
    this.#others = [];
    this.#remarks = new Map();
  }

  /** Makes room where it could not be written for too long. */
  giveUpOldest(): GivenUp {
    let exchanges = 0;
    for (const span of this.#blocks.keys()) {
      if (this.exchanges <= MOST_KEPT_ROWS) break;
      exchanges += this.#drop(span);
    }
    for (const id of this.#ended.keys()) {
      if (this.exchanges <= MOST_KEPT_ROWS) break;
      this.#ended.delete(id);
      exchanges += 1;
    }
    const runs = new Map<ExchangeId, MessageRun>();
    let messages = 0;
    for (const { count } of this.#runs.values()) messages += count;
    for (const [id, run] of this.#runs) {
      if (messages <= MOST_KEPT_ROWS) break;
      this.#runs.delete(id);
      runs.set(id, run);
      messages -= run.count;
    }
    if (this.#others.length > MOST_KEPT_ROWS) this.#others = this.#others.slice(-MOST_KEPT_ROWS);
    return { exchanges, runs };
  }

  /** How many exchanges were in the block of that span, which is no more. */
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
