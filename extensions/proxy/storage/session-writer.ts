import type { DatabaseSync } from "node:sqlite";
import type { CaptureEvent, MessageCaptured } from "../../../src/engine/capture/event.ts";
import { InFlight } from "../../../src/engine/capture/in-flight.ts";
import type { Remark } from "../../../src/engine/model/remark.ts";
import { assertNever, type Bytes, type ExchangeId } from "../../../src/engine/model/units.ts";
import { Backlog } from "./backlog.ts";
import { BlockFile } from "./block-file.ts";
import { BodyWriter } from "./bodies.ts";
import { BodyPlaces } from "./body-places.ts";
import type { BrokenOff } from "./broken-off.ts";
import { isOther } from "./other-event.ts";
import { openPrivateFolder, wordsOf } from "./private-file.ts";
import { openForWriting, wasDeleted } from "./session-database.ts";
import { SessionReader } from "./session-reader.ts";
import { type Kept, SessionRows } from "./session-rows.ts";
import type { StoreStatus } from "./store-status.ts";

/** Our choice: `append` itself flushes when more than this waits, and the last flush went well. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** Few, since objects that wait longer outlive V8's cheap collections; with fewer, those in flight are written too often. */
const MOST_WAITING_ROWS = 2_000;

/**
 * Writes what is captured to one session's folder. `append` only remembers; `flush`, called at least every 500 ms by the owner,
 * writes it: bodies and blocks to their files first, then one transaction for everything that refers to them. Nothing is made on disk
 * before there is something to write, and nothing throws: when the disk cannot be written, the next flush tries again.
 */
export class SessionWriter {
  readonly #folder: string;
  readonly #bodies: BodyWriter;
  readonly #places: BodyPlaces;
  readonly #blockFile: BlockFile;
  /** It was not kept to so far. */
  #hasNewCap = false;
  #database: DatabaseSync | null = null;
  #rows: SessionRows | null = null;
  #reader: SessionReader | null = null;
  readonly #open: InFlight<Kept>;
  readonly #backlog = new Backlog();
  #exchanges = 0;
  /** As in the status. */
  #problem: string | null = null;
  /** Exchanges, and messages of others, that were given up. */
  #lostExchanges = 0;
  #lostMessages = 0;
  /** The latest batch that was taken, and the latest of which everything is on disk. */
  #batch = 0;
  #written = 0;

  /**
   * `bodyCap`: body bytes that the session may hold on disk. `broken`: where the recording that goes on broke off; only then
   * is something opened at once, and may throw what SQLite says.
   */
  constructor(folder: string, bodyCap: Bytes, broken: BrokenOff | null = null) {
    this.#folder = folder;
    this.#bodies = new BodyWriter(folder, bodyCap, broken?.segments);
    this.#places = new BodyPlaces(this.#bodies, () => this.#problem === null && this.#tried(() => this.#writeBodies()));
    this.#blockFile = new BlockFile(folder);
    this.#open = new InFlight(broken?.open);
    if (broken === null) return;
    this.#exchanges = broken.exchanges;
    this.#batch = broken.written;
    this.#written = broken.written;
    this.#opened();
  }

  /** Bodies that are over it go with the next flush. */
  set bodyCap(cap: Bytes) {
    this.#bodies.cap = cap;
    this.#hasNewCap = true;
  }

  /** Bytes of bodies on disk. */
  get bodies(): Bytes {
    return this.#bodies.held;
  }

  /** Exchanges that began in this session. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** The latest batch of which everything is on disk. */
  get written(): number {
    return this.#hasWork() ? this.#written : this.#batch;
  }

  /** `batch`: the number of the batch that they are, for `written`; `null` for events of our own. */
  append(events: readonly CaptureEvent[], batch: number | null = null): void {
    this.#batch = batch ?? this.#batch;
    for (const event of events) this.#take(event);
    const waitsLong = this.#backlog.exchanges > MOST_WAITING_ROWS || this.#bodies.waiting > MOST_WAITING_BYTES;
    if (waitsLong && this.#problem === null) this.flush();
  }

  /** Takes what a person says of an exchange of this session, in the place of what was said before. */
  remark(id: ExchangeId, remark: Remark): void {
    this.#backlog.addRemark(id, remark);
  }

  flush(): StoreStatus {
    for (const kept of this.#open.values()) this.#places.placeAll(kept);
    if (!this.#tried(() => this.#writeAll())) {
      this.#undo();
      this.#giveUpOldest();
    }
    const { messages, bodies } = this.#places.lost;
    return {
      problem: this.#problem,
      lost: { exchanges: this.#lostExchanges, messages: this.#lostMessages + messages, bodies },
    };
  }

  /** A reader of this session that sees everything appended so far; `null` while nothing has been written. Do not close it. */
  reader(): SessionReader | null {
    this.flush();
    return this.#reader;
  }

  close(): StoreStatus {
    const status = this.flush();
    this.#closeAll();
    return status;
  }

  #take(event: CaptureEvent): void {
    if (isOther(event)) {
      this.#backlog.addOther(event);
      return;
    }
    if (event.type === "request-started") {
      this.#exchanges += 1;
      this.#open.set(event.id, {
        started: event,
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
    if (kept === null) return; // it began in a session that was ended since
    kept.changed = true;
    switch (event.type) {
      case "response-started":
        kept.answered = event;
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

  #takeMessage(kept: Kept, message: MessageCaptured): void {
    this.#backlog.addMessage(kept.messages, message, this.#places.placeMessage(message.bytes));
    kept.messages += 1;
  }

  #hasWork(): boolean {
    if (!this.#backlog.isEmpty) return true;
    for (const kept of this.#open.values()) if (kept.changed) return true;
    return false;
  }

  /** Whether it went well; if not, `#problem` says why. */
  #tried(write: () => void): boolean {
    this.#problem = null;
    try {
      write();
    } catch (error) {
      this.#problem = `What is captured cannot be written to ${this.#folder}: ${wordsOf(error)}.`;
    }
    return this.#problem === null;
  }

  #writeAll(): void {
    if (this.#database !== null && wasDeleted(this.#folder)) this.#beginAnew();
    if (this.#hasWork()) this.#write();
    if (this.#hasNewCap) this.#bodies.dropOldest();
    this.#hasNewCap = false;
  }

  #writeBodies(): SessionRows {
    const rows = this.#opened();
    this.#bodies.write();
    return rows;
  }

  #write(): void {
    const rows = this.#writeBodies();
    const places = this.#blockFile.append(this.#backlog.blocks());
    this.#database?.exec("BEGIN");
    this.#backlog.put(rows, places);
    for (const kept of this.#open.values()) if (kept.changed) rows.putExchange(kept);
    if (this.#batch !== this.#written) rows.putWritten(this.#batch);
    this.#database?.exec("COMMIT");
    this.#blockFile.keep();
    this.#written = this.#batch;
    for (const kept of this.#open.values()) {
      kept.changed = false;
      kept.hasRow = true;
    }
    this.#backlog.clear();
    this.#blockFile.sync();
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

  /** Somebody has deleted the folder: what lay in it is lost, and counted, and what waits and comes is written to a new one. */
  #beginAnew(): void {
    this.#closeAll();
    this.#lostExchanges = this.#exchanges - this.#open.size - this.#backlog.exchanges;
    for (const kept of this.#open.values()) kept.changed = true;
    this.#opened();
  }

  #closeAll(): void {
    this.#bodies.close();
    this.#blockFile.close();
    this.#database?.close();
    this.#database = null;
    this.#rows = null;
    this.#reader = null;
  }

  #giveUpOldest(): void {
    const { exchanges, runs } = this.#backlog.giveUpOldest();
    this.#lostExchanges += exchanges;
    for (const [id, run] of runs) {
      this.#lostMessages += run.count - run.unsaid; // those were counted as they came
      // Later ones take their numbers: in lists a message's number is its place.
      const kept = this.#open.get(id);
      if (kept !== null) kept.messages = run.first;
    }
  }

  #undo(): void {
    try {
      if (this.#database?.isTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has undone it already, or will when it is opened again.
    }
  }
}
