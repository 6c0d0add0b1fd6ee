import type { DatabaseSync } from "node:sqlite";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { type Annotation, isBlank } from "../../../src/engine/model/annotation.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { readDeletions, writeDeletions } from "./deleted-exchanges.ts";
import { errorText, openPrivateFolder } from "./private-file.ts";
import { openForWriting, releasePages, usedBytes, waitForLock, wasDeleted } from "./session-database.ts";
import { SessionReader } from "./session-reader.ts";
import type { StoreStatus } from "./store-status.ts";
import { BatchPacker, eventsByExchange, type OpenExchange, storedEvents, type WaitingBatch } from "./stored-batch.ts";

/**
 * Waiting bytes above which `append` flushes, if the last flush succeeded. Writing more would block the thread longer.
 */
const MOST_WAITING: Bytes = 2 * 1024 * 1024;

/** The most free bytes in the file, a sixteenth of the cap if that is less. */
const MOST_SPARE: Bytes = 16 * 1024 * 1024;

/** The most deletions of one flush, and how many of them a whole batch counts for, since its log is decoded. */
const MOST_DELETIONS = 200;
const WHOLE_BATCH = 10;

/**
 * Writes captured events to one session's folder. `append` buffers; `flush`, called at most 500 ms later, writes one
 * transaction. Nothing is created before the first write. No method throws: after a failure, the next flush retries.
 */
export class SessionWriter {
  readonly #folder: string;
  #cap: Bytes;
  /** Whether `cap` changed since the last flush. */
  #hasNewCap = false;
  #database: DatabaseSync | null = null;
  #reader: SessionReader | null = null;
  readonly #packer = new BatchPacker();
  #annotations = new Map<ExchangeId, Annotation>();
  #bodies: Bytes = 0;
  /** The number of exchanges that were deleted since the packer counts. */
  #deleted = 0;
  #problem: string | null = null;
  /** The latest batch appended, and the latest batch that is completely on disk. */
  #batch = 0;
  #written = 0;

  /** `cap`: the most bytes on disk. */
  constructor(folder: string, cap: Bytes) {
    this.#folder = folder;
    this.#cap = cap;
  }

  /** Continues an interrupted recording. Throws SQLite's error if the session cannot be read or written. */
  static resume(folder: string, cap: Bytes): SessionWriter {
    const writer = new SessionWriter(folder, cap);
    writer.#continue();
    return writer;
  }

  /** What is beyond the cap is deleted by the next flush. */
  set cap(cap: Bytes) {
    this.#cap = cap;
    this.#hasNewCap = true;
  }

  /** Bytes on disk that are in use. */
  get stored(): Bytes {
    return this.#database === null ? 0 : usedBytes(this.#database);
  }

  /** Exchanges that began in this session and were not deleted. */
  get exchanges(): number {
    return this.#packer.exchanges - this.#deleted;
  }

  /** The latest batch that is completely on disk. */
  get written(): number {
    return this.#packer.isEmpty ? this.#batch : this.#written;
  }

  /** Buffers events. `batch`: the number of their batch, for `written`; `null` for events of the engine thread. */
  append(events: readonly CaptureEvent[], batch: number | null = null): void {
    this.#batch = batch ?? this.#batch;
    for (const event of events) this.#packer.add(event);
    if (this.#packer.waitingBytes <= MOST_WAITING) return;
    if (this.#problem === null) this.flush();
    else this.#packer.dropOldest();
  }

  annotate(id: ExchangeId, annotation: Annotation): void {
    this.#annotations.set(id, annotation);
  }

  /**
   * Changes which exchanges are deleted, after writing all events so far; `change` gets the present ones. They must
   * have ended. If that cannot be stored, returns a sentence.
   */
  changeDeletions(change: (deleted: Set<ExchangeId>) => void): Problem | null {
    const { problem } = this.flush();
    if (problem !== null) return problem;
    const before = readDeletions(this.#folder);
    const deleted = new Set(before);
    change(deleted);
    const unsaved = writeDeletions(this.#folder, deleted);
    if (unsaved !== null) return `${unsaved}.`;
    this.#deleted += deleted.size - before.size;
    return null;
  }

  /** Measures the stored bytes again, since a purge changes them through another connection. */
  recount(): void {
    this.#bodies = bodiesIn(this.#database);
  }

  flush(): StoreStatus {
    this.#problem = null;
    try {
      this.#write();
    } catch (error) {
      this.#problem = `Captured data cannot be written to ${this.#folder}: ${errorText(error)}.`;
      this.#undo();
      this.#packer.waiting();
      this.#packer.dropOldest();
    }
    return { problem: this.#problem, lost: this.#packer.lost };
  }

  /** A reader of everything appended so far; `null` if nothing has been written. The writer closes it. */
  reader(): SessionReader | null {
    this.flush();
    return this.#reader;
  }

  /** The number of the latest batch on disk; 0 if there is none. */
  get latestBatch(): number {
    return Number(this.#database?.prepare("SELECT max(number) AS latest FROM batches").get()?.["latest"] ?? 0);
  }

  /** Closes the session. Batches after this one are deleted, and events in memory are dropped. */
  closeAfter(batch: number): void {
    if (this.#database !== null) waitForLock(this.#database);
    try {
      this.#database?.exec(`
        BEGIN;
        DELETE FROM bytes WHERE batch > ${batch};
        DELETE FROM parts WHERE batch > ${batch};
        DELETE FROM batches WHERE number > ${batch};
        DELETE FROM annotations WHERE exchange NOT IN (SELECT exchange FROM parts);
        COMMIT`);
    } catch {
      this.#undo(); // the disk cannot be written: the later batches stay too
    }
    this.#closeAll();
  }

  close(): StoreStatus {
    if (this.#database !== null) waitForLock(this.#database);
    const status = this.flush();
    this.#closeAll();
    return status;
  }

  #continue(): void {
    const database = this.#opened();
    const reader = this.#reader as SessionReader;
    const open = new Map<ExchangeId, OpenExchange>();
    let exchanges = 0;
    for (const event of reader.events(false)) {
      if (event.type === "request-started") {
        exchanges += 1;
        open.set(event.id, { started: event, answered: null, messages: reader.messageCount(event.id) });
      } else if (event.type === "response-started") {
        const exchange = open.get(event.id);
        if (exchange !== undefined) exchange.answered = event;
      } else if (event.type === "exchange-ended") open.delete(event.id);
    }
    this.#packer.continueWith(open, exchanges);
    this.#batch = reader.written();
    this.#written = this.#batch;
    this.#bodies = bodiesIn(database);
  }

  #write(): void {
    if (this.#database !== null && wasDeleted(this.#folder)) {
      // The user deleted the folder with all that was stored. A new folder gets the events still in memory.
      this.#closeAll();
      this.#bodies = 0;
      this.#deleted = 0;
      this.#packer.loseStored();
    }
    const batches = this.#packer.waiting();
    const hasWork = batches.length > 0 || this.#annotations.size > 0;
    if (!hasWork && !this.#hasNewCap) return;
    if (hasWork) this.#writeBatches(batches);
    this.#keepWithinCap();
    this.#hasNewCap = false;
    // Starts that were in a deleted batch.
    if (!this.#packer.isEmpty) this.#writeBatches(this.#packer.waiting());
  }

  #writeBatches(batches: readonly WaitingBatch[]): void {
    const database = this.#opened();
    database.exec("BEGIN");
    putBatches(database, batches);
    putAnnotations(database, this.#annotations);
    if (this.#batch !== this.#written)
      database.prepare("INSERT OR REPLACE INTO facts VALUES ('written', ?)").run(this.#batch);
    database.exec("COMMIT");
    this.#written = this.#batch;
    for (const { bytes } of batches) this.#bodies += bytes?.length ?? 0;
    this.#packer.clear();
    this.#annotations = new Map();
  }

  /**
   * Deletes the oldest bodies and messages while they take more than half, else the oldest batches. At most
   * `MOST_DELETIONS` at once; the next flush goes on.
   */
  #keepWithinCap(): void {
    const database = this.#database;
    if (database === null || this.stored <= this.#cap) return;
    database.exec("BEGIN");
    for (let deletions = 0; deletions < MOST_DELETIONS && this.stored > this.#cap; ) {
      const isBodies = this.#bodies > this.stored / 2;
      if (!(isBodies ? this.#deleteBytes(database) : this.#deleteBatch(database))) break;
      deletions += isBodies ? 1 : WHOLE_BATCH;
    }
    database.exec("COMMIT");
    releasePages(database, Math.min(MOST_SPARE, this.#cap / 16));
  }

  /** Deletes the bodies and messages of the oldest batch that has some. Returns whether there was one. */
  #deleteBytes(database: DatabaseSync): boolean {
    const oldest = "DELETE FROM bytes WHERE batch = (SELECT min(batch) FROM bytes) RETURNING length(bytes) AS length";
    const row = database.prepare(oldest).get();
    this.#bodies -= Number(row?.["length"] ?? 0);
    return row !== undefined;
  }

  /** Deletes the oldest batch with its bytes. Exchanges in flight keep their start. Returns whether there was one. */
  #deleteBatch(database: DatabaseSync): boolean {
    const row = database.prepare("SELECT number, size, log FROM batches ORDER BY number LIMIT 1").get();
    if (row === undefined) return false;
    const number = Number(row["number"]);
    const bytes = database.prepare("DELETE FROM bytes WHERE batch = ? RETURNING length(bytes) AS length").get(number);
    this.#bodies -= Number(bytes?.["length"] ?? 0);
    database.prepare("DELETE FROM batches WHERE number = ?").run(number);
    try {
      const byExchange = eventsByExchange(storedEvents(row["log"] as Uint8Array, Number(row["size"])));
      const part = database.prepare("DELETE FROM parts WHERE exchange = ? AND batch = ?");
      for (const id of byExchange.keys()) part.run(id, number);
      this.#packer.addStartsAgain((id) => byExchange.get(id)?.[0]?.type === "request-started");
    } catch {
      database.prepare("DELETE FROM parts WHERE batch = ?").run(number); // a damaged log does not say which
    }
    return true;
  }

  #opened(): DatabaseSync {
    if (this.#database !== null) return this.#database;
    const problem = openPrivateFolder(this.#folder);
    if (problem !== null) throw new Error(problem);
    const database = openForWriting(this.#folder);
    this.#reader = new SessionReader(this.#folder, database);
    this.#database = database;
    return database;
  }

  #closeAll(): void {
    this.#database?.close();
    this.#database = null;
    this.#reader = null;
  }

  #undo(): void {
    try {
      if (this.#database?.isTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, or does so when the database is opened again.
    }
  }
}

function bodiesIn(database: DatabaseSync | null): Bytes {
  return Number(database?.prepare("SELECT total(length(bytes)) AS total FROM bytes").get()?.["total"] ?? 0);
}

function putBatches(database: DatabaseSync, batches: readonly WaitingBatch[]): void {
  const log = database.prepare("INSERT INTO batches (size, log) VALUES (?, ?)");
  const stored = database.prepare("INSERT INTO bytes VALUES (?, ?, ?)");
  const part = database.prepare("INSERT INTO parts VALUES (?, ?, ?)");
  for (const { log: frame, size, bytes, checksum, parts } of batches) {
    const number = log.run(size, frame).lastInsertRowid;
    if (size > 0) stored.run(number, bytes === null ? null : checksum, bytes);
    for (const [exchange, message] of parts) part.run(exchange, number, message);
  }
}

/** Writes annotations. A blank one deletes the exchange's annotation. */
export function putAnnotations(database: DatabaseSync, annotations: Iterable<readonly [ExchangeId, Annotation]>): void {
  const put = database.prepare("INSERT OR REPLACE INTO annotations VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM annotations WHERE exchange = ?");
  for (const [exchange, annotation] of annotations) {
    if (isBlank(annotation)) remove.run(exchange);
    else put.run(exchange, annotation.mark, annotation.comment);
  }
}
