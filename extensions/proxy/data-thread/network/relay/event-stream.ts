import type { ModelStreamForm } from "../../../../../src/engine/model/endpoint.ts";
import { JsonElements } from "../../../../../src/engine/model/json.ts";
import type { MessageMemory } from "../sockets/message-memory.ts";

const CR = 0x0d;
const LF = 0x0a;

/** The most bytes kept of an event. Longer events are recorded with their full size. */
const MOST_BYTES = 256 * 1024;

/** docs/security.md L10: the most bytes that are split between two looks at the slice, since each may end an event. */
export const MOST_SPLIT = 512;

/** The first allocation for an event, in bytes. */
const LEAST_ROOM = 512;

const NOTHING = Buffer.alloc(0);

/** One event as sent: its lines, without the empty line that ends it. */
export interface StreamedEvent {
  readonly bytes: Buffer;
  readonly size: number;
  /** Whether `bytes` is truncated. */
  readonly cut: boolean;
}

/** What separates events: an empty line, each line's end, or the commas of one JSON list. */
export type EventForm = "event-stream" | ModelStreamForm;

/**
 * Splits a stream into events (WHATWG HTML, 9.2.5 and 9.2.6). Lines end with CR LF, LF or CR; an empty line ends an
 * event. An event without data is ignored. In the form `lines`, each line that is not blank is an event; in the form
 * `elements`, each object of the list.
 */
export class EventStream {
  /** The current event, in one growing buffer, since it may arrive in pieces of one byte. */
  #held = NOTHING;
  #size = 0;
  #kept = 0;
  readonly #memory: MessageMemory;
  /** Whether the memory had no room for a part of the event, so that all later parts are left out, too. */
  #isFull = false;
  #lineLength = 0;
  #afterCr = false;
  /** Whether the next event is the stream's first, which may begin with a byte order mark. */
  #isFirst = true;
  readonly #form: EventForm;
  readonly #elements = new JsonElements();

  constructor(memory: MessageMemory, form: EventForm = "event-stream") {
    this.#memory = memory;
    this.#form = form;
  }

  /** Bytes of memory that are allocated for the current event. */
  get held(): number {
    return this.#held.length;
  }

  /** Returns the events that end within `bytes`. */
  feed(bytes: Buffer): readonly StreamedEvent[] {
    return this.#form === "elements" ? this.#feedList(bytes) : this.#feedLines(bytes);
  }

  #feedList(bytes: Buffer): readonly StreamedEvent[] {
    const events: StreamedEvent[] = [];
    let from = this.#elements.isInside ? 0 : bytes.length;
    for (let at = 0; at < bytes.length; at += 1) {
      const edge = this.#elements.take(bytes[at] as number);
      if (edge === "first") from = at;
      if (edge !== "last") continue;
      this.#hold(bytes.subarray(from, at + 1));
      events.push(...this.#event());
      from = bytes.length;
    }
    this.#hold(bytes.subarray(from));
    return events;
  }

  #feedLines(bytes: Buffer): readonly StreamedEvent[] {
    const events: StreamedEvent[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      const secondHalf = byte === LF && this.#afterCr;
      this.#afterCr = byte === CR;
      if (secondHalf) continue;
      if (byte !== CR && byte !== LF) {
        this.#lineLength += 1;
        continue;
      }
      if ((this.#lineLength === 0) === (this.#form === "event-stream")) {
        this.#hold(bytes.subarray(from, at));
        events.push(...this.#event());
        from = at + 1;
      }
      this.#lineLength = 0;
    }
    this.#hold(bytes.subarray(from));
    return events;
  }

  /** Drops the current event so far, and gives back its memory. */
  drop(): void {
    this.#memory.give(this.#held.length);
    this.#held = NOTHING;
    this.#isFull = false;
    this.#size = 0;
    this.#kept = 0;
  }

  #hold(bytes: Buffer): void {
    this.#size += bytes.length;
    const room = Math.min(bytes.length, MOST_BYTES - this.#kept);
    if (room <= 0 || this.#isFull) return;
    const end = this.#kept + room;
    if (end > this.#held.length) {
      const size = Math.min(MOST_BYTES, Math.max(LEAST_ROOM, 2 * end));
      this.#isFull = !this.#memory.take(size - this.#held.length);
      if (this.#isFull) return;
      const larger = Buffer.allocUnsafe(size);
      this.#held.copy(larger, 0, 0, this.#kept);
      this.#held = larger;
    }
    bytes.copy(this.#held, this.#kept, 0, room);
    this.#kept = end;
  }

  #event(): readonly StreamedEvent[] {
    const text = this.#held.toString("latin1", 0, this.#kept);
    const lines = withoutLastLineEnds(text.replace(this.#isFirst ? /^(?:\xef\xbb\xbf)?[\r\n]*/ : /^[\r\n]+/, ""));
    this.#isFirst = false;
    const cut = this.#kept < this.#size;
    const size = cut ? this.#size : lines.length;
    this.drop();
    const hasData = this.#form === "event-stream" ? /(?:^|[\r\n])data(?:$|[:\r\n])/.test(lines) : /\S/.test(lines);
    return hasData ? [{ bytes: Buffer.from(lines, "latin1"), size, cut }] : [];
  }
}

function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === CR || text.charCodeAt(end - 1) === LF)) end -= 1;
  return text.slice(0, end);
}
