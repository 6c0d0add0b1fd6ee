import { MESSAGE_KINDS, type MessageCaptured, SIDES } from "../../../src/engine/capture/event.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { type Extent, extentsOf, lengthOf, NOWHERE } from "./extents.ts";

/** A message as it is listed; its payload is read separately. */
export type StoredMessage = Omit<MessageCaptured, "bytes" | "type"> & { readonly index: number; readonly kept: Bytes };

/**
 * The numbers of a message: at, side, kind, size, cut, then the payload's extent, which is segment (NaN: no payload),
 * offset, length, check.
 */
const EACH = 9;
const EXTENT = 5;

/** The messages of one exchange since the last flush, packed into one row (Float64, little-endian). */
export class MessageRun {
  /** Index of the first message in its exchange. */
  readonly first: number;
  readonly #numbers: number[] = [];
  #withoutPayload = 0;

  constructor(first: number) {
    this.first = first;
  }

  get count(): number {
    return this.#numbers.length / EACH;
  }

  /** Number of messages whose payload was dropped. */
  get withoutPayload(): number {
    return this.#withoutPayload;
  }

  /** `payload`: the payload's extent; `null` if the message is empty. */
  add({ at, side, kind, size, cut }: MessageCaptured, payload: Extent | null): void {
    this.#numbers.push(at, SIDES.indexOf(side), MESSAGE_KINDS.indexOf(kind), size, cut ? 1 : 0);
    if (payload?.segment === NOWHERE) this.#withoutPayload += 1;
    if (payload === null) this.#numbers.push(Number.NaN, 0, 0, 0);
    else this.#numbers.push(payload.segment, payload.offset, payload.length, payload.check);
  }

  numbers(): Uint8Array {
    return new Uint8Array(Float64Array.from(this.#numbers).buffer);
  }
}

/** A run read from disk. Damaged messages and an incomplete last one are left out. */
export class StoredRun {
  readonly #exchange: ExchangeId;
  readonly #first: number;
  readonly #bytes: DataView;

  constructor(exchange: ExchangeId, row: Readonly<Record<string, unknown>>) {
    const bytes = row["numbers"] instanceof Uint8Array ? row["numbers"] : new Uint8Array();
    this.#exchange = exchange;
    this.#first = Number(row["first"]);
    this.#bytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The index after the run's last message. */
  get size(): number {
    return this.#first + Math.floor(this.#bytes.byteLength / (8 * EACH));
  }

  has(exchange: ExchangeId, index: number): boolean {
    return exchange === this.#exchange && index >= this.#first && index < this.size;
  }

  /** The messages of this run whose index is at least `from` and below `to`. */
  messages(from: number, to: number): readonly StoredMessage[] {
    const messages: StoredMessage[] = [];
    for (let index = Math.max(from, this.#first); index < Math.min(to, this.size); index += 1) {
      const message = this.#message(index);
      if (message !== null) messages.push(message);
    }
    return messages;
  }

  /** The message; `null` if one of its numbers is damaged. */
  #message(index: number): StoredMessage | null {
    const [at, size, cut] = [this.#number(index, 0), this.#number(index, 3), this.#number(index, 4)];
    const side = SIDES[this.#number(index, 1)];
    const kind = MESSAGE_KINDS[this.#number(index, 2)];
    if (!Number.isFinite(at) || side === undefined || kind === undefined) return null;
    if (!Number.isSafeInteger(size) || size < 0 || (cut !== 0 && cut !== 1)) return null;
    const kept = lengthOf(this.payloadOf(index));
    return Object.freeze({ id: this.#exchange, index, at: at as Instant, side, kind, size, cut: cut === 1, kept });
  }

  /**
   * Extents of a message's payload: none if the payload is empty; `null` if they are damaged or the message is not in
   * this run.
   */
  payloadOf(index: number): readonly Extent[] | null {
    if (!this.has(this.#exchange, index)) return null;
    if (Number.isNaN(this.#number(index, EXTENT))) return [];
    return extentsOf([0, 1, 2, 3].map((at) => this.#number(index, EXTENT + at)));
  }

  #number(index: number, at: number): number {
    return this.#bytes.getFloat64(8 * ((index - this.#first) * EACH + at), true);
  }
}
