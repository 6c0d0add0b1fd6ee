import {
  type BodyCaptured,
  type CaptureEvent,
  type CaptureSink,
  type MessageCaptured,
  SIDES,
  type Side,
} from "../../../src/engine/capture/event.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import type { ToWorker } from "../threads.ts";
import type { Batch } from "./batch.ts";
import { ROOM_BYTES } from "./batch-rooms.ts";
import { BatchWriter } from "./batch-writer.ts";
import { Progress } from "./progress.ts";

/** Our choice: a row is on screen within a quarter second; this is the outbox's share of it. */
const INTERVAL: Milliseconds = 20;

/**
 * Our choice: a batch is sent early once it holds this many events, or bytes of heads, bodies and messages: before the next read of a
 * socket makes its room grow, whose memory nobody would use again.
 */
const BATCH = 2_000;
const BATCH_BYTES = ROOM_BYTES - 64 * 1024;

/** Our choice: bytes on their way to the engine. Over the first, bodies are no longer kept; over the second, exchanges. */
const BODY_LIMIT = 64 * 1024 * 1024;
const LIMIT = 128 * 1024 * 1024;

/** Our choice: once traffic has stopped, what was handed over is let go at most so long after it was written. */
const LETTING_GO: Milliseconds = 1_000;

/** What an event weighs besides its bytes; an estimate, for the limits only. */
const EVENT_WEIGHT = 300;

const NOTHING = new Uint8Array(0);

/** A number for one body of an exchange. */
function sideOf(id: ExchangeId, side: Side): number {
  return 2 * id + SIDES.indexOf(side);
}

interface OutboxOptions {
  /** Hands a batch to the engine's thread. */
  readonly post: (message: ToWorker) => void;
  readonly now: () => Instant;
  /** Whether a host is in the capture scope. */
  readonly inScope: (host: string) => boolean;
}

interface Numbered {
  readonly number: number;
  readonly batch: Batch;
  readonly weight: number;
}

/**
 * Collects what the network describes and hands it to the engine's thread in batches, which it keeps until they are on disk:
 * an engine that takes over from one that failed gets those again. Bounded: when the engine falls behind, bodies and then
 * whole exchanges and messages are left out, counted, and the count is shown.
 */
export class Outbox implements CaptureSink {
  readonly #options: OutboxOptions;
  #recording = true;
  #lastId = 0;
  readonly #writer = new BatchWriter();
  /** Bodies of which a piece was left out, by `sideOf`. */
  readonly #cut = new Set<number>();
  #progress = new Progress();
  /** Not known to be on disk, oldest first; those up to number `#folded` have arrived. */
  #batches: Numbered[] = [];
  #kept = 0;
  #number = 0;
  #folded = 0;
  #underWay = 0;
  #waits = false;
  #left = 0;
  #timer: NodeJS.Timeout | null = null;
  #lettingGo: NodeJS.Timeout | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get recording(): boolean {
    return this.#recording;
  }

  set recording(on: boolean) {
    this.#recording = on;
  }

  wanted(host: string): boolean {
    if (!this.#recording || !this.#options.inScope(host)) return false;
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
    if (this.#cut.size > 0 && event.type === "exchange-ended")
      for (const side of SIDES) this.#cut.delete(sideOf(event.id, side));
    this.#add(event);
  }

  /** Hands over what has been collected, now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#left > 0) {
      this.#writer.add({ type: "events-dropped", at: this.#options.now(), count: this.#left });
      this.#left = 0;
    }
    if (this.#writer.count === 0) return;
    this.#catchUp();
    this.#number += 1;
    const weight = this.#weight;
    const numbered = { number: this.#number, batch: this.#writer.take(), weight };
    this.#batches.push(numbered);
    this.#underWay += weight;
    this.#kept += weight;
    this.#post(numbered);
    this.#letGoLater();
  }

  /** The engine has failed: nothing is handed over until there is one again. */
  holdBack(): void {
    this.#waits = true;
  }

  /** There is an engine, perhaps a new one. It has read what is on disk, up to that batch, and gets everything after it. */
  goOn(written: number, progress: Progress): void {
    this.#progress = progress;
    this.#letGo(written);
    this.#waits = false;
    this.#folded = (this.#batches[0]?.number ?? this.#number + 1) - 1;
    this.#underWay = this.#kept;
    for (const numbered of this.#batches) this.#post(numbered);
  }

  /** Of what has been collected. */
  get #weight(): Bytes {
    return this.#writer.bytes + this.#writer.count * EVENT_WEIGHT;
  }

  #add(event: CaptureEvent): void {
    this.#writer.add(event);
    if (this.#writer.count >= BATCH || this.#writer.bytes >= BATCH_BYTES) this.flush();
    else this.#schedule();
  }

  /** What is kept of a body is its beginning: once a piece is left out, so is the rest. */
  #keeps(event: BodyCaptured): boolean {
    const side = sideOf(event.id, event.side);
    if (this.#cut.size > 0 && this.#cut.has(side)) return false;
    if (!this.#isOver(BODY_LIMIT)) return true;
    this.#cut.add(side);
    return false;
  }

  /** A message that is left out is still told, by its size; where there is no room even for that, it is counted. */
  #shorten(message: MessageCaptured): void {
    if (!this.#isOver(LIMIT)) return this.#add({ ...message, bytes: NOTHING, cut: message.cut || message.size > 0 });
    this.#left += 1;
    this.#schedule();
  }

  /** Whether that many bytes are on their way. */
  #isOver(limit: number): boolean {
    if (this.#weight + this.#underWay <= limit) return false;
    this.#catchUp();
    return this.#weight + this.#underWay > limit;
  }

  /** Reads how far the engine has come since. */
  #catchUp(): void {
    const { folded, written } = this.#progress;
    for (const { number, weight } of this.#batches) {
      if (number > this.#folded && number <= folded) this.#underWay -= weight;
    }
    this.#folded = Math.max(this.#folded, folded);
    this.#letGo(written);
    // While the disk cannot be written, batches are not kept without end for an engine that may never fail.
    for (const { number } of [...this.#batches]) if (this.#kept > LIMIT && number <= this.#folded) this.#forget(number);
  }

  /** Everything up to that batch is on disk. */
  #letGo(written: number): void {
    for (const { batch } of this.#forget(written)) this.#writer.giveBack(batch);
  }

  #letGoLater(): void {
    this.#lettingGo ??= setTimeout(() => {
      this.#lettingGo = null;
      this.#catchUp();
      if (this.#batches.length > 0) this.#letGoLater();
    }, LETTING_GO).unref();
  }

  /** The batches up to that one, which are kept no longer. */
  #forget(number: number): readonly Numbered[] {
    const first = this.#batches.findIndex((one) => one.number > number);
    const forgotten = this.#batches.splice(0, first < 0 ? this.#batches.length : first);
    for (const { weight } of forgotten) this.#kept -= weight;
    return forgotten;
  }

  #post({ number, batch }: Numbered): void {
    if (!this.#waits) this.#options.post({ type: "batch", number, batch });
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL);
  }
}
