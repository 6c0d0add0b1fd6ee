import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FORMAT } from "../../../src/engine/capture/record.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";
import { isLink, openPrivateFile } from "./private-file.ts";

export const DATABASE_FILE = "session.sqlite";

/** "Weir" in ASCII: distinguishes our files from other SQLite files. */
const APPLICATION = 0x57656972;

/**
 * batches: events in the order of their writing, as in stored-batch.ts. `size`: bytes of the batch's bodies and
 * messages. bytes: these bytes; `bytes` is NULL if the disk could not be written when they were captured. parts: the
 * batches with events of an exchange. `message`: the index of its first message there, from 0. annotations: one for
 * each annotated exchange. facts: `written` is the outbox's number of the latest batch that is stored.
 */
const TABLES = `
  CREATE TABLE batches (number INTEGER PRIMARY KEY, size INTEGER NOT NULL, log BLOB NOT NULL);
  CREATE TABLE bytes (batch INTEGER PRIMARY KEY, checksum INTEGER, bytes BLOB);
  CREATE TABLE parts (
    exchange INTEGER NOT NULL, batch INTEGER NOT NULL, message INTEGER, PRIMARY KEY (exchange, batch)
  ) WITHOUT ROWID;
  CREATE TABLE annotations (exchange INTEGER PRIMARY KEY, mark TEXT, comment TEXT NOT NULL);
  CREATE TABLE facts (name TEXT PRIMARY KEY, value);
`;

/** The page size. With more rows per page, a transaction is cheaper than with SQLite's default of 4 KiB. */
const PAGE = 16 * 1024;
/** Pages between checkpoints. A checkpoint costs an fsync, and 16 MiB are read back quickly after a crash. */
const CHECKPOINT = 1_000;
/**
 * How long opening, reading and closing wait for the file's lock, ms. Another process may hold the lock for a moment.
 */
const PATIENCE = 200;

/**
 * Opens or creates the database in a session's folder, for its only writer. Throws the error of SQLite or the system. A
 * later statement that needs the lock of another process throws at once, so that the writer tries again in a later
 * turn.
 */
export function openForWriting(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  const problem = openPrivateFile(path);
  if (problem !== null) throw new Error(problem);
  return opened(new DatabaseSync(path, { timeout: PATIENCE }), (database) => {
    const isNew = isEmpty(database); // checked first, so that a file that is not ours stays untouched
    // Both affect a new file only. Incremental: the file can shrink.
    database.exec(`PRAGMA page_size = ${PAGE}; PRAGMA auto_vacuum = INCREMENTAL`);
    // An empty database is not worth waiting for a busy disk.
    database.exec(`PRAGMA synchronous = ${isNew ? "OFF" : "NORMAL"}; PRAGMA journal_mode = WAL`);
    // SQLite zeroes what it moves or deletes on pages that it writes anyway, so that no copy of a body stays
    // (deleted-exchanges.ts).
    database.exec("PRAGMA secure_delete = FAST");
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT}; PRAGMA journal_size_limit = ${CHECKPOINT * PAGE}`);
    if (isNew) {
      database.exec(`BEGIN; ${TABLES} PRAGMA user_version = ${FORMAT}; PRAGMA application_id = ${APPLICATION}; COMMIT`);
      database.exec("PRAGMA synchronous = NORMAL");
    }
    database.exec("PRAGMA busy_timeout = 0");
  });
}

/** Lets the last statements wait for the lock of another process, since no later turn follows. */
export function waitForLock(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
}

/** Bytes of the database that are in use. Free pages, which the next writes use, do not count. */
export function usedBytes(database: DatabaseSync): Bytes {
  return PAGE * (pragma(database, "page_count") - pragma(database, "freelist_count"));
}

/** Shrinks the files by their free pages, except `spare` bytes for the next writes. */
export function releasePages(database: DatabaseSync, spare: Bytes): void {
  const surplus = pragma(database, "freelist_count") - Math.floor(spare / PAGE);
  if (surplus > 0) database.exec(`PRAGMA incremental_vacuum(${surplus}); PRAGMA wal_checkpoint(TRUNCATE)`);
}

/** Opens a session's database, which may have a writer, so that deleted bytes are overwritten. */
export function openForErasing(folder: string): DatabaseSync {
  const database = openForWriting(folder);
  database.exec("PRAGMA secure_delete = ON");
  return database;
}

/** The most pages that `shrinkOnce` releases, which takes some 10 ms. */
const RELEASED_AT_ONCE = 256;

/**
 * Releases some free pages, and writes all changes from the write-ahead log into the database. `"done"`: nothing is
 * left in the log or of the free pages; `"more"`: pages were released, and others are left; `"busy"`: nothing could be
 * done, because another connection reads or writes.
 */
export function shrinkOnce(database: DatabaseSync): "done" | "more" | "busy" {
  const before = pragma(database, "freelist_count");
  database.exec(`PRAGMA incremental_vacuum(${RELEASED_AT_ONCE})`);
  if (database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] !== 0) return "busy";
  const left = pragma(database, "freelist_count");
  if (left === 0) return "done";
  return left < before ? "more" : "busy";
}

/** Opens a database for reading, also while another process writes it; throws SQLite's error. */
export function openForReading(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  // SQLite would follow a link, and would block on a pipe.
  if (isLink(folder) || lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error("it is not a session of Weir");
  return opened(new DatabaseSync(path, { readOnly: true, timeout: PATIENCE }), (database) => {
    if (isEmpty(database)) throw new Error("it is not a session of Weir");
  });
}

/**
 * Whether the database file exists. An open database can still be read after its file was deleted, but the files next
 * to it cannot.
 */
export function isThere(folder: string): boolean {
  return existsSync(join(folder, DATABASE_FILE));
}

/** Whether the database file was deleted. Throws the system's error if that cannot be determined. */
export function wasDeleted(folder: string): boolean {
  return lstatSync(join(folder, DATABASE_FILE), { throwIfNoEntry: false }) === undefined;
}

function opened(database: DatabaseSync, prepare: (database: DatabaseSync) => void): DatabaseSync {
  try {
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether the database has no tables. Throws if the database is not Weir's or has another format. */
function isEmpty(database: DatabaseSync): boolean {
  const schema = schemaOf(database);
  if (schema === NO_SCHEMA) return true;
  if (pragma(database, "application_id") !== APPLICATION) throw new Error("it is not a session of Weir");
  if (pragma(database, "user_version") !== FORMAT) throw new Error("it was made by another version of Weir");
  // A view or trigger of somebody else would run its own statements when Weir reads or writes.
  if (schema !== ownSchema()) throw new Error("it is not a session of Weir");
  return false;
}

/** All tables, indexes, views and triggers with their definitions, as text that equal schemas share. */
function schemaOf(database: DatabaseSync): string {
  return JSON.stringify(database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all());
}

const NO_SCHEMA = "[]";
let knownSchema: string | null = null;

function ownSchema(): string {
  if (knownSchema !== null) return knownSchema;
  const database = new DatabaseSync(":memory:");
  database.exec(TABLES);
  knownSchema = schemaOf(database);
  database.close();
  return knownSchema;
}

function pragma(
  database: DatabaseSync,
  name: "user_version" | "application_id" | "page_count" | "freelist_count",
): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
