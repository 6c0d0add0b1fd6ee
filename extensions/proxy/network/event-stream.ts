const CR = 0x0d;
const LF = 0x0a;

/** Our choice: an event longer than this is shown as far as it goes, and its true size is told. */
const MOST_BYTES = 256 * 1024;

/** One event as it was sent: its lines, without the empty one that ends it. */
export interface StreamedEvent {
  readonly bytes: Buffer;
  /** Of all of it, in bytes. */
  readonly size: number;
  /** Whether `bytes` holds less. */
  readonly cut: boolean;
}

/**
 * Tells apart the events of a stream (WHATWG HTML, 9.2.5 and 9.2.6): lines end with CR LF, LF or CR, an empty line ends an
 * event, and one without data is none.
 */
export class EventStream {
  #held: Buffer[] = [];
  #size = 0;
  #kept = 0;
  #lineLength = 0;
  #afterCr = false;
  /** Of the stream: a byte order mark may stand before it. */
  #isFirst = true;

  /** The events that end in these bytes. */
  take(bytes: Buffer): readonly StreamedEvent[] {
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
      if (this.#lineLength === 0) {
        this.#hold(bytes.subarray(from, at));
        events.push(...this.#event());
        from = at + 1;
      }
      this.#lineLength = 0;
    }
    this.#hold(bytes.subarray(from));
    return events;
  }

  #hold(bytes: Buffer): void {
    this.#size += bytes.length;
    const room = Math.min(bytes.length, MOST_BYTES - this.#kept);
    if (room <= 0) return;
    // The relay uses its buffers again.
    this.#held.push(Buffer.from(bytes.subarray(0, room)));
    this.#kept += room;
  }

  #event(): readonly StreamedEvent[] {
    const text = Buffer.concat(this.#held).toString("latin1");
    const lines = text.replace(this.#isFirst ? /^(?:\xef\xbb\xbf)?[\r\n]*/ : /^[\r\n]+/, "").replace(/[\r\n]+$/, "");
    this.#isFirst = false;
    const cut = this.#kept < this.#size;
    const size = cut ? this.#size : lines.length;
    this.#held = [];
    this.#size = 0;
    this.#kept = 0;
    const hasData = /(?:^|[\r\n])data(?:$|[:\r\n])/.test(lines);
    return hasData ? [{ bytes: Buffer.from(lines, "latin1"), size, cut }] : [];
  }
}
