import {
  type BodyCaptured,
  type CaptureEvent,
  type CaptureSink,
  type ExchangeEnded,
  type MessageCaptured,
  SIDES,
  type Side,
} from "../../../src/engine/capture/event.ts";
import type { Pause } from "../../../src/engine/messages/status-messages.ts";
import { hasOneOf, type Tag, UNCERTAIN_FROM, UNTIMED_TAGS } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { type Batch, BatchWriter, BUFFER_BYTES } from "../event-codec/event-batch.ts";
import type { ToWorker } from "../threads.ts";

/** How long events are collected before they are posted. A new exchange must be visible as a row within 250 ms. */
const FLUSH_INTERVAL: Milliseconds = 20;

/** The least time between two messages with the number of requests that passed while recording is paused. */
const COUNT_INTERVAL: Milliseconds = 250;

/**
 * The most events of a batch, and the most bytes of its heads, bodies and messages. A full batch is sent at once, so
 * that its buffers need not grow.
 */
const BATCH = 2_000;
const BATCH_BYTES = BUFFER_BYTES - 64 * 1024;

/**
 * Limits of the bytes that the engine has not folded yet. Above the first limit, bodies are dropped; above the second,
 * exchanges.
 */
const BODY_LIMIT = 64 * 1024 * 1024;
const LIMIT = 128 * 1024 * 1024;

/** An event's estimated size apart from its bytes. Used only for the limits. */
const EVENT_WEIGHT = 300;

const NOTHING = new Uint8Array(0);

/** A number that identifies one body of one exchange. */
function sideOf(id: ExchangeId, side: Side): number {
  return 2 * id + SIDES.indexOf(side);
}

interface OutboxOptions {
  readonly post: (message: ToWorker) => void;
  readonly now: () => Instant;
  readonly inScope: (host: string) => boolean;
  readonly lateness: Pick<LoopLateness, "exchangeStarted" | "exchangeEnded">;
}

interface Numbered {
  readonly number: number;
  readonly batch: Batch;
  readonly weight: number;
}

/**
 * Collects capture events and posts them in batches to the engine thread. Keeps each batch until it is on disk, and
 * sends it again to an engine that replaces a failed one. If the engine falls behind, drops bodies; then drops and
 * counts whole exchanges and messages.
 */
export class Outbox implements CaptureSink {
  readonly #options: OutboxOptions;
  #pause: Pause | null = null;
  #counting: NodeJS.Timeout | null = null;
  #lastId = 0;
  readonly #writer = new BatchWriter();
  /** Bodies (by `sideOf`) of which a piece was dropped. */
  readonly #cut = new Set<number>();
  /** Batches that may not be on disk yet, oldest first. Batches up to number `#folded` are folded. */
  #batches: Numbered[] = [];
  #kept = 0;
  #number = 0;
  #folded = 0;
  #underWay = 0;
  #waits = false;
  #left = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The pause of recording; `null` while recording is on. */
  get pause(): Pause | null {
    return this.#pause;
  }

  /** Pauses or resumes recording, and posts that. */
  set recording(on: boolean) {
    if (on !== (this.#pause === null)) this.#pause = on ? null : { since: this.#options.now(), passed: 0 };
    this.postPause();
  }

  /** Posts the pause, with the number of requests that have passed. */
  postPause(): void {
    if (this.#counting !== null) clearTimeout(this.#counting);
    this.#counting = null;
    this.#options.post({ type: "pause", pause: this.#pause });
  }

  wanted(host: string): boolean {
    if (!this.#options.inScope(host)) return false;
    if (this.#pause !== null) {
      this.#pause = { ...this.#pause, passed: this.#pause.passed + 1 };
      this.#counting ??= setTimeout(() => this.postPause(), COUNT_INTERVAL);
      return false;
    }
    if (!this.#isOver(LIMIT)) return true;
    this.#left += 1;
    this.#schedule();
    return false;
  }

  nextId(): ExchangeId {
    this.#lastId += 1;
    return this.#lastId as ExchangeId;
  }

  emit(event: CaptureEvent): void {
    if (event.type === "body-captured" && !this.#keeps(event)) return;
    if (event.type === "message-captured" && this.#isOver(BODY_LIMIT)) return this.#shorten(event);
    const { lateness } = this.#options;
    if (event.type === "request-started") lateness.exchangeStarted(event.id, event.tags);
    if (event.type !== "exchange-ended") return this.#add(event);
    if (this.#cut.size > 0) for (const side of SIDES) this.#cut.delete(sideOf(event.id, side));
    const uncertainty = lateness.exchangeEnded(event);
    // Most exchanges have exact times and need no copy.
    this.#add(uncertainty === 0 ? event : { ...event, uncertainty });
  }

  /** Posts the events collected so far, without waiting for the timer. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#left > 0) {
      this.#writer.add({ type: "events-dropped", at: this.#options.now(), count: this.#left });
      this.#left = 0;
    }
    if (this.#writer.count === 0) return;
    this.#number += 1;
    const weight = this.#weight;
    const numbered = { number: this.#number, batch: this.#writer.finish(), weight };
    this.#batches.push(numbered);
    this.#underWay += weight;
    this.#kept += weight;
    this.#post(numbered);
  }

  /** Posts nothing until `resume`, because the engine has failed. */
  suspend(): void {
    this.#waits = true;
  }

  /**
   * Called when the engine, or its replacement, is ready. Batches up to `written` are on disk; all later ones are
   * posted. If the engine continues the session of a killed process, ids and batches follow its last ones.
   */
  resume(written: number, lastId = 0): void {
    this.#lastId = Math.max(this.#lastId, lastId);
    this.#number = Math.max(this.#number, written);
    this.#remove(written);
    this.#waits = false;
    this.#folded = (this.#batches[0]?.number ?? this.#number + 1) - 1;
    this.#underWay = this.#kept;
    for (const numbered of this.#batches) this.#post(numbered);
  }

  /** Called when the engine has folded all batches up to `folded`, and all batches up to `written` are on disk. */
  acknowledge(folded: number, written: number): void {
    for (const { number, weight } of this.#batches) {
      if (number > this.#folded && number <= folded) this.#underWay -= weight;
    }
    this.#folded = Math.max(this.#folded, folded);
    this.#remove(written);
    // While the disk cannot be written, batches pile up. Beyond `LIMIT`, the oldest folded batches are removed; a
    // replacement engine then lacks them.
    for (const { number } of [...this.#batches]) if (this.#kept > LIMIT && number <= this.#folded) this.#remove(number);
  }

  get #weight(): Bytes {
    return this.#writer.bytes + this.#writer.count * EVENT_WEIGHT;
  }

  #add(event: CaptureEvent): void {
    this.#writer.add(event);
    if (this.#writer.count >= BATCH || this.#writer.bytes >= BATCH_BYTES) this.flush();
    else this.#schedule();
  }

  /**
   * Whether a piece of a body is kept. Once a piece is dropped, all later ones are dropped too, so that the kept part
   * has no gap.
   */
  #keeps(event: BodyCaptured): boolean {
    const side = sideOf(event.id, event.side);
    if (this.#cut.size > 0 && this.#cut.has(side)) return false;
    if (!this.#isOver(BODY_LIMIT)) return true;
    this.#cut.add(side);
    return false;
  }

  /** Emits a message without its bytes; past `LIMIT`, only counts it. */
  #shorten(message: MessageCaptured): void {
    if (!this.#isOver(LIMIT)) return this.#add({ ...message, bytes: NOTHING, cut: message.cut || message.size > 0 });
    this.#left += 1;
    this.#schedule();
  }

  /** Whether more than `limit` bytes are not yet folded. */
  #isOver(limit: number): boolean {
    return this.#weight + this.#underWay > limit;
  }

  #remove(number: number): void {
    const first = this.#batches.findIndex((one) => one.number > number);
    for (const { weight } of this.#batches.splice(0, first < 0 ? this.#batches.length : first)) this.#kept -= weight;
  }

  #post({ number, batch }: Numbered): void {
    if (!this.#waits) this.#options.post({ type: "batch", number, batch });
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_INTERVAL);
  }
}

/** The interval of measurements. While exchanges are in flight, measuring takes some 2 % of a core. */
export const TICK_INTERVAL: Milliseconds = 5;

/** How many late moments are kept. The oldest are dropped. */
const MOST_MOMENTS = 64;

/**
 * A period in which a callback blocked the thread. Bytes that arrived during the period were read up to `by` ms late.
 */
interface LateMoment {
  readonly from: Instant;
  readonly to: Instant;
  readonly by: Milliseconds;
}

/**
 * Measures with a timer how late this thread's event loop is while exchanges are in flight. Instants are taken in
 * callbacks, which may run later than the bytes arrive.
 *
 *   tick ── tick ──────── busy ────────── tick ── tick
 *           └──────── late moment ────────┘
 */
export class LoopLateness {
  readonly #now: () => Instant;
  readonly #inFlight = new Set<ExchangeId>();
  #timer: NodeJS.Timeout | null = null;
  #last: Instant;
  readonly #moments: LateMoment[] = [];

  constructor(now: () => Instant) {
    this.#now = now;
    this.#last = now();
  }

  /** Starts measuring for an exchange. Ignores streams and tunnels, since their times are no latencies. */
  exchangeStarted(id: ExchangeId, tags: readonly Tag[]): void {
    if (hasOneOf(tags, UNTIMED_TAGS)) return;
    this.#inFlight.add(id);
    if (this.#timer !== null) return;
    this.#last = this.#now();
    this.#timer = setInterval(() => this.tick(), TICK_INTERVAL).unref();
  }

  /**
   * Ends measuring for the exchange. Returns the most ms by which its instants may be late, rounded up; 0 if no late
   * moment concerns them.
   */
  exchangeEnded({ id, instants, at }: Pick<ExchangeEnded, "id" | "instants" | "at">): Milliseconds {
    const uncertainty = this.#uncertaintyOf(instants, at);
    this.#inFlight.delete(id);
    if (this.#inFlight.size === 0) this.stop();
    return uncertainty;
  }

  /** Called by the timer. Stores the time since the last tick if this tick is late. */
  tick(): void {
    const now = this.#now();
    const moment = this.#momentUntil(now);
    if (moment !== null) this.#moments.push(moment);
    if (this.#moments.length > MOST_MOMENTS) this.#moments.shift();
    this.#last = now;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The period since the last tick, if the next tick is overdue by `UNCERTAIN_FROM` or more; else `null`. */
  #momentUntil(now: Instant): LateMoment | null {
    const by = now - this.#last;
    return by - TICK_INTERVAL < UNCERTAIN_FROM ? null : { from: this.#last, to: now, by };
  }

  #uncertaintyOf(instants: Instants, end: Instant): Milliseconds {
    let most = 0;
    const see = ({ from, to, by }: LateMoment): void => {
      // Bytes that arrived in the period are read just after the tick at `to`. So instants up to `TICK_INTERVAL` after `to`
      // count too.
      if (by > most && isWithin(instants, end, from, to + TICK_INTERVAL)) most = by;
    };
    for (const moment of this.#moments) if (moment.to >= instants.startTime - TICK_INTERVAL) see(moment);
    const running = this.#timer === null ? null : this.#momentUntil(end);
    if (running !== null) see(running);
    return Math.ceil(most);
  }
}

function isWithin(at: Instants, end: Instant, from: number, to: number): boolean {
  const all: readonly (Instant | null)[] = [...Object.values(at), end];
  return all.some((instant) => instant !== null && instant >= from && instant <= to);
}
