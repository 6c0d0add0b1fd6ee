import type { Bytes, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { LineClock } from "../../../process/clock.ts";

/** One direction of a line. `rate` is in bytes per ms; 0 means unlimited. */
export interface LineFigures {
  readonly delay: Milliseconds;
  readonly rate: number;
}

/** The most bytes that one connection sends before the next one has its turn: one TCP segment over Ethernet. */
const SEGMENT: Bytes = 1_460;
/** Fast lines send as much at once as passes in this time, so that a timer is not needed for each segment. */
const AT_ONCE: Milliseconds = 1;
/** How much a connection may have queued before the line, as time on that line, and in bytes. */
const QUEUED: Milliseconds = 100;
const LEAST_QUEUED: Bytes = 16 * 1024;
const MOST_QUEUED: Bytes = 128 * 1024;
/** The most bytes that one connection may have under way; for an unlimited rate also the usual number. */
const MOST_UNDER_WAY: Bytes = 4 * 1024 * 1024;

interface Piece {
  readonly lane: Lane;
  readonly bytes: Buffer;
  readonly due: Milliseconds;
}

/**
 * One direction of a line, shared by the connections of a client: a token bucket, then a delay.
 *
 *   lanes (one for each connection) ─▶ one after another at the rate ─▶ under way for the delay ─▶ delivered
 */
export class LineDirection {
  readonly #clock: LineClock;
  #figures: LineFigures;
  #waiting: Lane[] = [];
  #underWay: Piece[] = [];
  /** When the line has sent what it began to send. */
  #freeAt: Milliseconds = 0;
  #cancel: (() => void) | null = null;

  constructor(figures: LineFigures, clock: LineClock) {
    this.#figures = figures;
    this.#clock = clock;
  }

  /** The new figures apply to bytes that are not under way yet. */
  set figures(figures: LineFigures) {
    this.#figures = figures;
    this.#freeAt = Math.min(this.#freeAt, this.#clock.now());
    this.#run();
  }

  get clock(): LineClock {
    return this.#clock;
  }

  /** The most bytes that one connection may have queued or under way. */
  get room(): Bytes {
    const { delay, rate } = this.#figures;
    if (rate === 0) return delay === 0 ? MOST_QUEUED : MOST_UNDER_WAY;
    return Math.min(MOST_QUEUED, Math.max(LEAST_QUEUED, rate * QUEUED)) + Math.min(MOST_UNDER_WAY, rate * delay);
  }

  add(lane: Lane): void {
    if (this.#waiting.length === 0) this.#freeAt = Math.max(this.#freeAt, this.#clock.now());
    this.#waiting.push(lane);
    this.#run();
  }

  /** Takes out all pieces of `lane` that are under way, in order. */
  takeOut(lane: Lane): readonly Buffer[] {
    this.#waiting = this.#waiting.filter((other) => other !== lane);
    const own = this.#underWay.filter((piece) => piece.lane === lane);
    this.#underWay = this.#underWay.filter((piece) => piece.lane !== lane);
    this.#wakeLater();
    return own.map(({ bytes }) => bytes);
  }

  readonly #run = (): void => {
    const now = this.#clock.now();
    const { delay, rate } = this.#figures;
    while (this.#waiting.length > 0 && this.#freeAt <= now) {
      const lane = this.#waiting.shift() as Lane;
      const bytes = lane.nextBytes(
        rate === 0 ? Number.POSITIVE_INFINITY : Math.max(SEGMENT, Math.floor(rate * AT_ONCE)),
      );
      if (rate > 0) this.#freeAt += bytes.length / rate;
      // Pieces never overtake each other, also after the figures have changed.
      const due = Math.max((rate > 0 ? this.#freeAt : now) + delay, this.#underWay.at(-1)?.due ?? 0);
      this.#underWay.push({ lane, bytes, due });
      if (lane.isQueued) this.#waiting.push(lane);
    }
    let arrived = 0;
    while ((this.#underWay[arrived]?.due ?? Number.POSITIVE_INFINITY) <= now) arrived += 1;
    for (const { lane, bytes } of this.#underWay.splice(0, arrived)) lane.arrived(bytes);
    this.#wakeLater();
  };

  #wakeLater(): void {
    this.#cancel?.();
    this.#cancel = null;
    const next = Math.min(
      this.#underWay[0]?.due ?? Number.POSITIVE_INFINITY,
      this.#waiting.length > 0 ? this.#freeAt : Number.POSITIVE_INFINITY,
    );
    if (next !== Number.POSITIVE_INFINITY)
      this.#cancel = this.#clock.after(Math.max(0, next - this.#clock.now()), this.#run);
  }
}

/** The bytes of one connection in one direction. Bytes are delivered in the order in which they were pushed. */
export class Lane {
  readonly #direction: LineDirection;
  readonly #deliver: (bytes: Buffer) => void;
  #queue: Buffer[] = [];
  #queued: Bytes = 0;
  #held: Bytes = 0;
  #isOn = true;
  #cancelOpening: (() => void) | null = null;
  /** When the latest stretch began in which bytes were held, and when it ended; `null` while it lasts. */
  #since: Milliseconds = 0;
  #until: Milliseconds | null = 0;
  #heldBefore: Milliseconds = 0;

  constructor(direction: LineDirection, deliver: (bytes: Buffer) => void) {
    this.#direction = direction;
    this.#deliver = deliver;
  }

  /** The number of bytes queued and under way. */
  get held(): Bytes {
    return this.#held;
  }

  get isQueued(): boolean {
    return this.#queued > 0;
  }

  get hasRoom(): boolean {
    return this.#held < this.#direction.room;
  }

  /** For how long bytes were held so far, in ms. */
  get heldTime(): Milliseconds {
    return this.#heldBefore + (this.#until === null ? this.now() - this.#since : 0);
  }

  /** For how long bytes were held after `at`, in the latest stretch. */
  heldSince(at: Milliseconds): Milliseconds {
    return Math.max(0, (this.#until ?? this.now()) - Math.max(at, this.#since));
  }

  /** From now on, bytes wait `time` before they enter the line: the handshake of TCP, which was not slowed. */
  openAfter(time: Milliseconds): void {
    if (time <= 0) return;
    this.#cancelOpening?.();
    this.#cancelOpening = this.#direction.clock.after(time, () => {
      this.#cancelOpening = null;
      if (this.isQueued && this.#isOn) this.#direction.add(this);
    });
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (!this.#isOn) return this.#deliver(bytes);
    if (this.#held === 0) {
      this.#since = this.now();
      this.#until = null;
    }
    const isNew = this.#queued === 0;
    this.#queue.push(bytes);
    this.#queued += bytes.length;
    this.#held += bytes.length;
    if (isNew && this.#cancelOpening === null) this.#direction.add(this);
  }

  /** Switches the line on or off for this connection. Off delivers what is held at once, in order. */
  set isOn(isOn: boolean) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    if (isOn) return;
    for (const bytes of [...this.#takeAll()]) this.arrived(bytes);
  }

  close(): void {
    this.#takeAll();
    this.#held = 0;
    this.#stop();
  }

  /** Called by the direction: the next bytes to send, at most `most`. */
  nextBytes(most: Bytes): Buffer {
    const first = this.#queue[0] ?? Buffer.alloc(0);
    const taken = first.length <= most ? first : first.subarray(0, most);
    if (taken.length === first.length) this.#queue.shift();
    else this.#queue[0] = first.subarray(taken.length);
    this.#queued -= taken.length;
    return taken;
  }

  /** Called by the direction when bytes have arrived at the other end. */
  arrived(bytes: Buffer): void {
    this.#held -= bytes.length;
    if (this.#held === 0) this.#stop();
    this.#deliver(bytes);
  }

  #takeAll(): readonly Buffer[] {
    this.#cancelOpening?.();
    this.#cancelOpening = null;
    const all = [...this.#direction.takeOut(this), ...this.#queue];
    this.#queue = [];
    this.#queued = 0;
    return all;
  }

  #stop(): void {
    if (this.#until !== null) return;
    this.#until = this.now();
    this.#heldBefore += this.#until - this.#since;
  }

  now(): Milliseconds {
    return this.#direction.clock.now();
  }
}

/** The line of one client, shared by its connections. */
export interface EmulatedLine {
  readonly up: LineDirection;
  readonly down: LineDirection;
}
