import { rmSync, watch } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import { errorText, openPrivateFile, readJsonFile, writePrivateFile } from "./private-file.ts";

/** The process that uses a data folder, as a second start shows it to the user. */
export interface Owner {
  readonly pid: number;
  /** `host:port` of the proxy, `null` until it listens. */
  readonly proxy: string | null;
  /** URL of the UI, without its ticket; `null` if it is not served. */
  readonly ui: string | null;
  /** The ticket of the UI, for commands in a terminal (docs/security.md S1); `null` if there is none. */
  readonly ticket: string | null;
  readonly paused: boolean;
}

export type TakenLock =
  | { readonly kind: "held"; readonly lock: Lock }
  /** `owner`: `null` if the other process has not announced itself yet. */
  | { readonly kind: "taken"; readonly owner: Owner | null };

const LOCK_FILE = "lock.sqlite";
export const OWNER_FILE = "owner.json";
const MOST_BYTES = 64 * 1024;

/**
 * Gives a data folder one owner (docs/security.md R4), by an exclusive lock on an empty SQLite file. The system
 * releases the lock however the process ends; the owner's pid and addresses are in a file next to it.
 */
export class Lock {
  readonly #database: DatabaseSync;
  readonly #folder: string;
  /**
   * This listener references the database. Otherwise garbage collection would close the database and release the lock.
   */
  readonly #whenProcessEnds = () => this.release();

  constructor(database: DatabaseSync, folder: string) {
    this.#database = database;
    this.#folder = folder;
    process.once("exit", this.#whenProcessEnds);
  }

  announce(owner: Owner): Problem | null {
    return writePrivateFile(join(this.#folder, OWNER_FILE), `${JSON.stringify(owner)}\n`);
  }

  release(): void {
    process.removeListener("exit", this.#whenProcessEnds);
    rmSync(join(this.#folder, OWNER_FILE), { force: true });
    this.#database.close();
  }
}

/** Takes the folder's lock, or returns its owner. Never waits. */
export function takeLock(folder: string): Result<TakenLock> {
  const path = join(folder, LOCK_FILE);
  const problem = openPrivateFile(path);
  if (problem !== null) return failure(`The data folder cannot be used: ${problem}.`);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    // A killed owner leaves its file behind, and the pid in it may now be that of another program.
    rmSync(join(folder, OWNER_FILE), { force: true });
    return success({ kind: "held", lock: new Lock(database, folder) });
  } catch (error) {
    database?.close();
    return isBusy(error)
      ? success({ kind: "taken", owner: ownerOf(folder) })
      : failure(`The data folder cannot be used: ${path}: ${errorText(error)}.`);
  }
}

/** The retry interval, ms. */
const AGAIN = 50;

/** Takes the lock once its owner has exited. After `patience` ms, returns the owner instead. */
export async function awaitLock(folder: string, patience: number): Promise<Result<TakenLock>> {
  const end = performance.now() + patience;
  for (;;) {
    const result = takeLock(folder);
    if (!result.ok || result.value.kind === "held" || performance.now() >= end) return result;
    await setTimeout(AGAIN);
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

/**
 * The owner as its file says; `null` without a file. After a kill, that of the killed process, until the lock is taken.
 */
export function ownerOf(folder: string): Owner | null {
  const file = readJsonFile(join(folder, OWNER_FILE), MOST_BYTES, storedOwner);
  return file.ok ? file.value : null;
}

const text = v.fallback(v.nullable(v.string()), null);
const storedOwner: v.GenericSchema<unknown, Owner> = v.object({
  pid: v.number(),
  proxy: text,
  ui: text,
  ticket: text,
  paused: v.fallback(v.boolean(), false),
});

/**
 * A second start writes this file, and the running Weir watches it. The file needs no secret, because only the folder's
 * owner can write it.
 */
const SIGNAL_FILE = "knock";

/** Asks the running Weir of this data folder to show its window. */
export function signalRunningInstance(folder: string): Problem | null {
  return writePrivateFile(join(folder, SIGNAL_FILE), `${process.pid}\n`);
}

/**
 * Calls `listener` when a second start signals, until the returned function is called. If folders cannot be watched,
 * `listener` is never called.
 */
export function onSecondStart(folder: string, listener: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === SIGNAL_FILE) listener();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Without a watcher, a second start does not bring the window to the front; everything else works.
    return () => {};
  }
}
