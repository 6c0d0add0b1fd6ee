import type { DatabaseSync } from "node:sqlite";
import type { CaptureEvent, MessageCaptured } from "../../../src/engine/capture/event.ts";
import { InFlight } from "../../../src/engine/capture/in-flight.ts";
import type { Annotation } from "../../../src/engine/model/annotation.ts";
import { STORED_HEAD, storedHead } from "../../../src/engine/model/head.ts";
import { assertNever, type Bytes, type ExchangeId } from "../../../src/engine/model/units.ts";
import { Backlog } from "./backlog.ts";
import { BodyWriter } from "./bodies.ts";
import { BodyPlaces } from "./body-places.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { isOther } from "./other-event.ts";
import { errorText, openPrivateFolder } from "./private-file.ts";
import { openForWriting, releasePages, usedBytes, wasDeleted } from "./session-database.ts";
import { SessionReader } from "./session-reader.ts";
import { type PendingExchange, SessionRows } from "./session-rows.ts";
import type { StoreStatus } from "./store-status.ts";

/** Buffered bytes above which `append` flushes, if the last flush succeeded. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/**
 * Ended exchanges in memory above which `append` flushes. With more, V8 would move
 * them to its old generation; with fewer, exchanges in flight would be rewritten too often.
 */
const MOST_WAITING_ROWS = 2_000;
/** Messages in memory above which `append` flushes, so that a flush stays short. */
const MOST_WAITING_MESSAGES = 8_192;

/** The most deletions of one flush, since each takes a part of a millisecond. */
const MOST_DELETIONS = 200;

/**
 * Writes captured events to one session's folder. `append` buffers; `flush`, called at most 500 ms later, writes bodies
 * first, then one transaction with everything that refers to them. Nothing is created before the first write. No method
 * throws: after a failure, the next flush retries.
 */
export class SessionWriter {
  readonly #folder: string;
  readonly #bodies: BodyWriter;
  #cap: Bytes;
  readonly #places: BodyPlaces;
  /** Whether `cap` changed since the last flush. */
  #hasNewCap = false;
  #database: DatabaseSync | null = null;
  #rows: SessionRows | null = null;
  #reader: SessionReader | null = null;
  readonly #open: InFlight<PendingExchange>;
  readonly #backlog = new Backlog();
  #exchanges = 0;
  /** As `StoreStatus.problem`. */
  #problem: string | null = null;
  /** Dropped exchanges, and dropped messages of exchanges that were kept. */
  #lostExchanges = 0;
  #lostMessages = 0;
  /** The latest batch appended, and the latest batch that is completely on disk. */
  #batch = 0;
  #written = 0;

  /**
   * `cap`: the most bytes on disk, at least half of it for bodies. `broken`: the checkpoint to continue from. With a checkpoint, opens
   * the database at once, and throws SQLite's error if that fails.
   */
  constructor(folder: string, cap: Bytes, broken: Checkpoint | null = null) {
    this.#folder = folder;
    this.#bodies = new BodyWriter(folder, cap, broken?.segments);
    this.#cap = cap;
    this.#places = new BodyPlaces(this.#bodies, () => this.#problem === null && this.#tried(() => this.#writeBodies()));
    this.#open = new InFlight(broken?.open);
    if (broken === null) return;
    this.#exchanges = broken.exchanges;
    this.#batch = broken.written;
    this.#written = broken.written;
    this.#opened();
  }

  /** What is beyond the cap is deleted by the next flush. */
  set cap(cap: Bytes) {
    this.#cap = cap;
    this.#hasNewCap = true;
  }

  /** Bytes on disk: bodies, and what the database uses for heads, messages, annotations and the rest. */
  get stored(): Bytes {
    return this.#bodies.held + this.#usedBytes();
  }

  /** Exchanges that began in this session. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** The latest batch that is completely on disk. */
  get written(): number {
    return this.#hasWork() ? this.#written : this.#batch;
  }

  /** Buffers events. `batch`: the number of their batch, for `written`; `null` for events of the engine thread. */
  append(events: readonly CaptureEvent[], batch: number | null = null): void {
    this.#batch = batch ?? this.#batch;
    for (const event of events) this.#addEvent(event);
    const waiting = this.#bodies.waiting + this.#backlog.bytes;
    const waitsLong =
      this.#backlog.exchanges > MOST_WAITING_ROWS ||
      this.#backlog.messages > MOST_WAITING_MESSAGES ||
      waiting > MOST_WAITING_BYTES;
    if (waitsLong && this.#problem === null) this.flush();
  }

  /** Replaces the annotation of an exchange of this session. */
  annotate(id: ExchangeId, annotation: Annotation): void {
    this.#backlog.addAnnotation(id, annotation);
  }

  flush(): StoreStatus {
    for (const kept of this.#open.values()) this.#places.placeAll(kept);
    if (!this.#tried(() => this.#writeAll())) {
      this.#undo();
      this.#dropOldest();
    }
    const { messages, bodies } = this.#places.lost;
    return {
      problem: this.#problem,
      lost: { exchanges: this.#lostExchanges, messages: this.#lostMessages + messages, bodies },
    };
  }

  /** A reader of everything appended so far; `null` if nothing has been written. The writer closes it. */
  reader(): SessionReader | null {
    this.flush();
    return this.#reader;
  }

  close(): StoreStatus {
    const status = this.flush();
    this.#closeAll();
    return status;
  }

  #addEvent(event: CaptureEvent): void {
    if (isOther(event)) {
      this.#backlog.addOther(event);
      return;
    }
    if (event.type === "request-started") {
      this.#exchanges += 1;
      this.#open.set(event.id, {
        started: withStoredHead(event),
        answered: null,
        ended: null,
        request: null,
        response: null,
        messages: 0,
        changed: true,
        hasRow: false,
      });
      return;
    }
    const kept = this.#open.get(event.id);
    if (kept === null) return; // the exchange began in an earlier session
    kept.changed = true;
    switch (event.type) {
      case "response-started":
        kept.answered = withStoredHead(event);
        return;
      case "body-captured":
        this.#places.gather(kept, event);
        return;
      case "message-captured":
        this.#takeMessage(kept, event);
        return;
      case "exchange-ended":
        this.#open.delete(event.id);
        kept.ended = event;
        this.#places.placeAll(kept);
        this.#backlog.addExchange(kept);
        return;
      default:
        assertNever(event);
    }
  }

  #takeMessage(kept: PendingExchange, message: MessageCaptured): void {
    this.#backlog.addMessage(kept.messages, message, this.#places.placeMessage(message.bytes));
    kept.messages += 1;
  }

  #hasWork(): boolean {
    if (!this.#backlog.isEmpty) return true;
    for (const kept of this.#open.values()) if (kept.changed) return true;
    return false;
  }

  /** Runs `write` and returns whether it succeeded. If not, `#problem` says why. */
  #tried(write: () => void): boolean {
    this.#problem = null;
    try {
      write();
    } catch (error) {
      this.#problem = `Captured data cannot be written to ${this.#folder}: ${errorText(error)}.`;
    }
    return this.#problem === null;
  }

  #writeAll(): void {
    if (this.#database !== null && wasDeleted(this.#folder)) this.#beginAnew();
    const hasWork = this.#hasWork();
    if (hasWork) this.#write();
    if (hasWork || this.#hasNewCap) this.#keepWithinCap();
    this.#hasNewCap = false;
  }

  #writeBodies(): SessionRows {
    const rows = this.#opened();
    this.#bodies.write();
    return rows;
  }

  #write(): void {
    const rows = this.#writeBodies();
    this.#database?.exec("BEGIN");
    this.#backlog.put(rows);
    for (const kept of this.#open.values()) if (kept.changed) rows.putExchange(kept);
    if (this.#batch !== this.#written) rows.putWritten(this.#batch);
    this.#database?.exec("COMMIT");
    this.#written = this.#batch;
    for (const kept of this.#open.values()) {
      kept.changed = false;
      kept.hasRow = true;
    }
    this.#backlog.clear();
  }

  /**
   * Deletes the oldest bodies, and the oldest exchanges and messages. Each of the two has at least half of the cap, so
   * that a flood of one leaves the other. At most `MOST_DELETIONS` at once; the next flush goes on.
   */
  #keepWithinCap(): void {
    const half = this.#cap / 2;
    this.#bodies.cap = Math.max(half, this.#cap - this.#usedBytes());
    this.#bodies.dropOldest();
    const most = Math.max(half, this.#cap - this.#bodies.held);
    const [database, rows] = [this.#database, this.#rows];
    if (database === null || rows === null || this.#usedBytes() <= most) return;
    let firstOpen = Number.MAX_SAFE_INTEGER;
    for (const { started } of this.#open.values()) firstOpen = Math.min(firstOpen, started.id);
    database.exec("BEGIN");
    for (let deletions = 0; deletions < MOST_DELETIONS && this.#usedBytes() > most; deletions += 1)
      if (!rows.deleteOldest(firstOpen)) break;
    database.exec("COMMIT");
    releasePages(database);
  }

  #usedBytes(): Bytes {
    return this.#database === null ? 0 : usedBytes(this.#database);
  }

  #opened(): SessionRows {
    if (this.#rows !== null) return this.#rows;
    const problem = openPrivateFolder(this.#folder);
    if (problem !== null) throw new Error(problem);
    this.#database ??= openForWriting(this.#folder);
    this.#reader = new SessionReader(this.#folder, this.#database);
    this.#rows = new SessionRows(this.#database);
    return this.#rows;
  }

  /**
   * Starts a new folder, because the user deleted the old one. Counts the deleted exchanges as lost, and writes the
   * buffered ones to the new folder.
   */
  #beginAnew(): void {
    this.#closeAll();
    this.#lostExchanges = this.#exchanges - this.#open.size - this.#backlog.exchanges;
    for (const kept of this.#open.values()) kept.changed = true;
    this.#opened();
  }

  #closeAll(): void {
    this.#bodies.close();
    this.#database?.close();
    this.#database = null;
    this.#rows = null;
    this.#reader = null;
  }

  #dropOldest(): void {
    const { exchanges, runs } = this.#backlog.dropOldest();
    this.#lostExchanges += exchanges;
    for (const [id, run] of runs) {
      this.#lostMessages += run.count - run.withoutPayload; // messages without payload were counted before
      // A message's number is its index in lists, so later messages take the numbers of the dropped ones.
      const kept = this.#open.get(id);
      if (kept !== null) kept.messages = run.first;
    }
  }

  #undo(): void {
    try {
      if (this.#database?.isTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, or does so when the database is opened again.
    }
  }
}

/** The event with its head as it is stored. Most heads are short, and need no copy. */
function withStoredHead<Event extends { readonly head: string }>(event: Event): Event {
  return event.head.length <= STORED_HEAD ? event : { ...event, head: storedHead(event.head) };
}
