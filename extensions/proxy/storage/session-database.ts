import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPrivateFile } from "./private-file.ts";

export const DATABASE_FILE = "session.sqlite";

/** "Weir": tells our files from any other SQLite file. */
const APPLICATION = 0x57656972;

/**
 * The formats, oldest first: `FORMATS[n]` makes version n + 1 of version n, and version 0 is an empty file.
 * One old file per version is kept as a test fixture.
 *
 * exchanges: one row each, of those that lasted (before version 4: of all); numbers and words as in exchange-row.ts, bodies as
 *   extents of bodies.ts. block_places (since version 5): all others, many to a block, which lies in the file of block-file.ts.
 *   blocks (of version 4): blocks in rows, as in row-block.ts. Version 6 has the same tables, but its blocks are compressed.
 * runs (since version 4): WebSocket messages and events of streams, counted from 0 per exchange, many to a row, as in
 *   message-run.ts. messages (before): a row each, payload as one extent; an exchange's come before those of its runs.
 * events: what belongs to no exchange's row (connections, decoded sizes, drops), as the JSON of the event.
 * remarks (since version 2): what a person says of an exchange, where something is said.
 * Version 3 has no other tables, but longer rows of exchanges: their streams, and the clients' connections.
 */
const FORMATS = [
  `
  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY, numbers BLOB NOT NULL, words TEXT NOT NULL,
    request_head TEXT NOT NULL, response_head TEXT, request_body TEXT, response_body TEXT
  );
  CREATE TABLE messages (
    exchange INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, side TEXT NOT NULL, kind TEXT NOT NULL,
    size INTEGER NOT NULL, cut INTEGER NOT NULL, payload TEXT, PRIMARY KEY (exchange, number)
  ) WITHOUT ROWID;
  CREATE TABLE events (number INTEGER PRIMARY KEY, type TEXT NOT NULL, event TEXT NOT NULL);
  `,
  `
  CREATE TABLE remarks (exchange INTEGER PRIMARY KEY, mark TEXT, comment TEXT NOT NULL);
  `,
  "",
  `
  CREATE TABLE blocks (
    span INTEGER NOT NULL, count INTEGER NOT NULL, numbers BLOB NOT NULL, words TEXT NOT NULL, heads TEXT NOT NULL
  );
  CREATE INDEX block_spans ON blocks (span);
  CREATE TABLE runs (exchange INTEGER NOT NULL, first INTEGER NOT NULL, numbers BLOB NOT NULL);
  CREATE UNIQUE INDEX run_starts ON runs (exchange, first);
  `,
  `
  CREATE TABLE block_places (
    span INTEGER NOT NULL, count INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, checksum INTEGER NOT NULL
  );
  CREATE INDEX block_place_spans ON block_places (span);
  `,
  "",
];

/** Our choice: many rows to a page make a transaction cheaper than SQLite's own 4 KiB do (docs/measurements.md). */
const PAGE = 16 * 1024;
/** Our choice, in pages: a checkpoint costs an fsync, and 16 MiB are read back quickly after a crash. */
const CHECKPOINT = 1_000;
/** Our choice, ms: another process may hold the file for the length of one of its reads. */
const PATIENCE = 200;

/** Opens or makes the database in a session's folder, for its one writer. Throws what SQLite or the system says. */
export function openForWriting(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  const problem = openPrivateFile(path);
  if (problem !== null) throw new Error(problem);
  return opened(new DatabaseSync(path, { timeout: PATIENCE }), (database) => {
    const version = versionOf(database); // first: a file of somebody else's is not touched
    database.exec(`PRAGMA page_size = ${PAGE}`); // of a new file; one that is there keeps its own
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT}`);
    if (version === FORMATS.length) return;
    const steps = FORMATS.slice(version).join("");
    database.exec(
      `BEGIN; ${steps} PRAGMA user_version = ${FORMATS.length}; PRAGMA application_id = ${APPLICATION}; COMMIT`,
    );
  });
}

/**
 * Opens it to read, also while its writer lives in another process. One of an earlier version is read as it is: what that did
 * not hold is absent. Throws what SQLite says.
 */
export function openForReading(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  // SQLite would follow a link, and wait for who writes to a pipe.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it is no session of Weir");
  return opened(new DatabaseSync(path, { readOnly: true, timeout: PATIENCE }), (database) => {
    if (versionOf(database) === 0) throw new Error("it is no session of Weir");
  });
}

/** Whether it lies in that folder still: who has it open can read on when it was deleted, but nothing that lies beside it. */
export function isThere(folder: string): boolean {
  return existsSync(join(folder, DATABASE_FILE));
}

/** Whether it lies there no more. Throws what the system says where that cannot be told. */
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

/** 0 for an empty file. Throws for what is no database of ours, or of a newer version. */
function versionOf(database: DatabaseSync): number {
  const version = pragma(database, "user_version");
  const application = pragma(database, "application_id");
  const { count } = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get() ?? {};
  if (application !== APPLICATION && count !== 0) throw new Error("it is no session of Weir");
  if (version > FORMATS.length) throw new Error("it was made by a newer version of Weir");
  return version;
}

function pragma(database: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
