import type { Http2Session } from "node:http2";
import type { Bytes, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { BufferBudget } from "../sockets/buffer-budget.ts";
import { CODES } from "./codes.ts";
import { UNREAD_STREAMS, type Unread, type UnreadStreamBudget } from "./unread-stream-budget.ts";

const KIB: Bytes = 1024;
const MIB: Bytes = 1024 * KIB;

/**
 * The most streams at once per connection: the least that RFC 9113, 6.5.2, recommends, and what most servers allow.
 * Further streams of a client are refused (5.1.2). A server is assumed to allow as many before it announces its limit.
 */
export const STREAMS = 100;
/** The window of each stream while many are open: the initial value of RFC 9113, 6.9.2. */
export const STREAM_WINDOW: Bytes = 64 * KIB - 1;
/** What the open streams of a connection may share beyond that. */
const SHARED: Bytes = 2 * MIB;
/**
 * The most that one stream gets of it. Not a round number, because many bodies have round sizes. If a body exactly
 * fills the window, a Node server cannot send END_STREAM and resets the stream.
 */
const MOST_SHARED: Bytes = MIB + 4_099;
/** A smaller share is not worth a SETTINGS frame. */
const LEAST_SHARED: Bytes = 64 * KIB;
/**
 * From here on, the connection's window is not refilled. More than all streams may send once SETTINGS are acknowledged.
 */
const MOST_UNREAD: Bytes = 8 * MIB;
/** Replaces `MOST_UNREAD` while `UNREAD_STREAMS` is spent. */
const FAIR: Bytes = 256 * KIB;
/** What all streams of a connection hold for a peer that does not read, before each may hold only `LEAST_ROOM`. */
const MOST_UNSENT: Bytes = 2 * MIB;
/** Windows are raised at most once in this time, so that SETTINGS stay few. */
const RAISED_EVERY: Milliseconds = 1_000;

/**
 * Bounds the memory of one HTTP/2 connection. While few streams are open, each has a larger window (RFC 9113, 6.9.2).
 * Paused streams leave the connection's window to the others, up to `MOST_UNREAD`.
 */
export class ConnectionMemory implements Unread {
  /** Counts the bytes that wait to be sent to the peer, on all streams. */
  readonly unsent = new BufferBudget(MOST_UNSENT);
  readonly #session: Http2Session;
  readonly #now: () => Instant;
  readonly #budget: UnreadStreamBudget;
  #streams = 0;
  #unread: Bytes = 0;
  #streamWindow = STREAM_WINDOW;
  /** Node refills this window as bytes arrive, whether they are read or not. */
  #connectionWindow: Bytes = connectionWindowFor(1);
  #raisedAt = Number.NEGATIVE_INFINITY;
  /** How many SETTINGS the peer has not acknowledged. */
  #unacknowledged = 0;
  #isClosed = false;

  constructor(session: Http2Session, now: () => Instant, budget = UNREAD_STREAMS) {
    this.#session = session;
    this.#now = now;
    this.#budget = budget;
  }

  get unread(): Bytes {
    return this.#unread;
  }

  /** The window of each stream, once the peer has acknowledged it. */
  get streamWindow(): Bytes {
    return this.#streamWindow;
  }

  start(): void {
    this.#session.setLocalWindowSize(this.#connectionWindow);
  }

  /** Call this before a stream of ours is opened, and when the peer has opened one. Each call needs one of `closed`. */
  opened(): void {
    this.#streams += 1;
    const window = streamWindowFor(this.#streams);
    if (window < this.#streamWindow) this.#announce(window);
    this.#widen();
  }

  closed(): void {
    this.#streams -= 1;
  }

  /** Called with the size of each piece of a body. Raises the windows if few streams are open. */
  received(bytes: Bytes): void {
    if (bytes === 0 || streamWindowFor(this.#streams) <= this.#streamWindow) return;
    if (this.#unacknowledged > 0 || this.#isClosed || this.#budget.isSpent) return;
    const now = this.#now();
    if (now - this.#raisedAt < RAISED_EVERY) return;
    this.#raisedAt = now;
    // The peer must not fill the larger windows of many streams that it opens at the same time.
    this.#resize(connectionWindowFor(this.#streams));
    this.#announce(streamWindowFor(this.#streams));
  }

  /** Adds to the unread bytes; negative once they were read or dropped. */
  count(bytes: Bytes): void {
    if (bytes === 0) return;
    this.#unread += bytes;
    this.#budget.count(this, bytes);
    this.regulate();
  }

  regulate(): void {
    if (this.#session.destroyed) return;
    const most = this.#budget.isSpent ? FAIR : MOST_UNREAD;
    if (!this.#isClosed && this.#unread >= most) {
      this.#isClosed = true;
      this.#session.setLocalWindowSize(0);
    } else if (this.#isClosed && this.#unread < most / 2) {
      this.#isClosed = false;
      // The added bytes are announced at once. nghttp2 announces the others only when more data arrives.
      this.#session.setLocalWindowSize(this.#connectionWindow + STREAM_WINDOW);
      this.#session.setLocalWindowSize(this.#connectionWindow);
    }
  }

  overflow(): void {
    // Deferred, because Node may be reading from this session.
    setImmediate(() => this.#session.destroy(new Error("too many unread bytes"), CODES.enhanceYourCalm));
  }

  #announce(window: Bytes): void {
    if (this.#session.destroyed || this.#session.closed) return;
    this.#streamWindow = window;
    this.#unacknowledged += 1;
    this.#session.settings({ initialWindowSize: window }, () => {
      this.#unacknowledged -= 1;
      this.#widen();
    });
  }

  /** Makes the connection's window fit the open streams, once their own windows are as small as announced. */
  #widen(): void {
    const window = connectionWindowFor(this.#streams);
    if (window > this.#connectionWindow && this.#unacknowledged === 0) this.#resize(window);
  }

  #resize(window: Bytes): void {
    if (window === this.#connectionWindow || this.#session.destroyed) return;
    this.#connectionWindow = window;
    if (!this.#isClosed) this.#session.setLocalWindowSize(window);
  }
}

/** The window of each of `streams` streams. The same for all counts up to a power of two, so that it changes rarely. */
export function streamWindowFor(streams: number): Bytes {
  const share = Math.min(MOST_SHARED, Math.floor(SHARED / slotsFor(streams)));
  return share < LEAST_SHARED ? STREAM_WINDOW : STREAM_WINDOW + share;
}

/**
 * The window of a connection with `streams` streams: twice what they may send, because nghttp2 refills a window once
 * half of it is used. If it were used up, a Node server could not send END_STREAM, and would reset streams.
 */
export function connectionWindowFor(streams: number): Bytes {
  return 2 * slotsFor(streams) * streamWindowFor(streams);
}

function slotsFor(streams: number): number {
  return Math.min(STREAMS, 2 ** Math.ceil(Math.log2(Math.max(1, streams))));
}
