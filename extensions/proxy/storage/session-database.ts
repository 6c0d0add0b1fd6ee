import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Bytes } from "../../../src/engine/model/units.ts";
import { openPrivateFile } from "./private-file.ts";
import { FORMAT } from "./session-facts.ts";

export const DATABASE_FILE = "session.sqlite";

/** "Weir" in ASCII: distinguishes our files from other SQLite files. */
const APPLICATION = 0x57656972;

/**
 * exchanges: one row for each exchange that was in flight at a flush; numbers and words as in exchange-row.ts, bodies
 *   as extents of bodies.ts.
 * blocks: all other exchanges, as in exchange-block.ts and block-coding.ts.
 * runs: WebSocket messages and events of streams, many of them per row, as in message-run.ts. `first`: the index of the
 *   row's first message in its exchange, from 0.
 * events: events that belong to no exchange's row (connections, clients' names, decoded sizes, drops), as JSON.
 * remarks: one annotation for each annotated exchange.
 */
const TABLES = `
  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY, numbers BLOB NOT NULL, words TEXT NOT NULL,
    request_head TEXT NOT NULL, response_head TEXT, request_body TEXT, response_body TEXT
  );
  CREATE TABLE blocks (span INTEGER NOT NULL, count INTEGER NOT NULL, block BLOB NOT NULL);
  CREATE INDEX block_spans ON blocks (span);
  CREATE TABLE runs (exchange INTEGER NOT NULL, first INTEGER NOT NULL, numbers BLOB NOT NULL);
  CREATE UNIQUE INDEX run_starts ON runs (exchange, first);
  CREATE TABLE events (number INTEGER PRIMARY KEY, type TEXT NOT NULL, event TEXT NOT NULL);
  CREATE TABLE remarks (exchange INTEGER PRIMARY KEY, mark TEXT, comment TEXT NOT NULL);
`;

/**
 * The page size. With more rows per page, a transaction is cheaper than with
 * SQLite's default of 4 KiB.
 */
const PAGE = 16 * 1024;
/**
 * Pages between checkpoints. A checkpoint costs an fsync, and 16 MiB are read back
 * quickly after a crash.
 */
const CHECKPOINT = 1_000;
/**
 * How long to wait for the file's lock, ms. Another process may hold the lock during
 * one of its reads.
 */
const PATIENCE = 200;

/**
 * Opens or creates the database in a session's folder, for its only writer. Throws the error of SQLite or the system.
 */
export function openForWriting(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  const problem = openPrivateFile(path);
  if (problem !== null) throw new Error(problem);
  return opened(new DatabaseSync(path, { timeout: PATIENCE }), (database) => {
    const isNew = isEmpty(database); // checked first, so that a file that is not ours stays untouched
    // Both affect a new file only. Incremental: the file can shrink.
    database.exec(`PRAGMA page_size = ${PAGE}; PRAGMA auto_vacuum = INCREMENTAL`);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT}`);
    database.exec(`PRAGMA journal_size_limit = ${CHECKPOINT * PAGE}`);
    if (!isNew) return;
    database.exec(`BEGIN; ${TABLES} PRAGMA user_version = ${FORMAT}; PRAGMA application_id = ${APPLICATION}; COMMIT`);
  });
}

/** Bytes of the database that are in use. Free pages, which the next writes use, do not count. */
export function usedBytes(database: DatabaseSync): Bytes {
  return PAGE * (pragma(database, "page_count") - pragma(database, "freelist_count"));
}

/** Shrinks the file by its free pages, except some for the next writes. */
export function releasePages(database: DatabaseSync): void {
  const surplus = pragma(database, "freelist_count") - CHECKPOINT;
  if (surplus > 0) database.exec(`PRAGMA incremental_vacuum(${surplus})`);
}

/** Opens a database for reading, also while another process writes it; throws SQLite's error. */
export function openForReading(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  // SQLite would follow a link, and would block on a pipe.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it is not a session of Weir");
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
  const { count } = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get() ?? {};
  if (count === 0) return true;
  if (pragma(database, "application_id") !== APPLICATION) throw new Error("it is not a session of Weir");
  if (pragma(database, "user_version") !== FORMAT) throw new Error("it was made by another version of Weir");
  return false;
}

function pragma(
  database: DatabaseSync,
  name: "user_version" | "application_id" | "page_count" | "freelist_count",
): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
