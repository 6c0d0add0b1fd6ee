import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { untrustedJsonOf } from "../../../src/engine/model/json.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../../../src/engine/model/units.ts";
import { BatchWriter } from "../event-codec/event-batch.ts";
import { errorText, readPrivateFile, remove, writePrivateFile } from "./private-file.ts";
import { DATABASE_FILE, openForErasing, shrinkOnce } from "./session-database.ts";
import { eventsByExchange, isOfExchange, logOf, storedEvents } from "./stored-batch.ts";

/** How long the files are kept open at once; a batch takes some 10 ms. */
const SLICE: Milliseconds = 8;

/** How often, and at which interval, the files are shrunk while another program reads them. */
const MOST_TRIES = 25;
const TRY_EVERY: Milliseconds = 200;

type Deleted = ReadonlySet<ExchangeId>;

/**
 * Removes the session's deleted exchanges from its database batch by batch, overwrites their bytes, and shrinks the
 * files. After a kill, the batches are whole and the list names the rest. `undoable`: deleted exchanges that are kept
 * for now. No file is open during `pause`. Returns a sentence if the list is not done; the next call goes on.
 */
export async function purgeDeleted(
  folder: string,
  undoable: Deleted,
  pause: () => Promise<void>,
): Promise<Problem | null> {
  const deleted = new Set([...readDeletions(folder)].filter((id) => !undoable.has(id)));
  if (deleted.size === 0) return null;
  try {
    for (let ids: readonly ExchangeId[] = [...deleted]; ids.length > 0; await pause()) {
      const left = ids;
      ids = erased(folder, (database) => purgeSome(database, left, deleted)) ?? [];
    }
    for (let tries = 0; ; ) {
      const shrunk = erased(folder, shrinkOnce) ?? "done";
      if (shrunk === "done") break;
      await pause();
      if (shrunk === "more") continue;
      tries += 1;
      if (tries > MOST_TRIES) return `Deleted exchanges are still on the disk, because ${folder} is being read.`;
      await setTimeout(TRY_EVERY, undefined, { ref: false });
    }
  } catch (error) {
    return `Deleted exchanges are still on the disk, in ${folder}: ${errorText(error)}.`;
  }
  // Exchanges that were deleted meanwhile stay in the list for the next call.
  return writeDeletions(folder, new Set([...readDeletions(folder)].filter((id) => !deleted.has(id))));
}

/** `null` if the session's database was deleted. */
function erased<Value>(folder: string, work: (database: DatabaseSync) => Value): Value | null {
  if (!existsSync(join(folder, DATABASE_FILE))) return null;
  const database = openForErasing(folder);
  try {
    return work(database);
  } finally {
    database.close(); // without a commit, this rolls back
  }
}

/** Purges for one slice of time, and returns the exchanges that are left. */
function purgeSome(database: DatabaseSync, ids: readonly ExchangeId[], deleted: Deleted): readonly ExchangeId[] {
  const part = database.prepare("SELECT batch FROM parts WHERE exchange = ? LIMIT 1");
  const began = performance.now();
  for (let index = 0; index < ids.length; ) {
    if (performance.now() - began >= SLICE) return ids.slice(index);
    const batch = part.get(ids[index] as ExchangeId)?.["batch"];
    if (batch === undefined) index += 1;
    else purgeBatch(database, Number(batch), deleted);
  }
  return [];
}

/** Writes a batch without the deleted exchanges. It keeps its number, by which readers follow the log. */
function purgeBatch(database: DatabaseSync, number: number, deleted: Deleted): void {
  const row = database.prepare("SELECT log, size FROM batches WHERE number = ?").get(number);
  const stored = database.prepare("SELECT bytes, checksum FROM bytes WHERE batch = ?").get(number);
  const bytes = stored?.["bytes"] instanceof Uint8Array ? stored["bytes"] : null;
  const events = decoded(row, bytes);
  const writer = new BatchWriter();
  for (const event of events ?? []) {
    const isDeleted = (isOfExchange(event) || event.type === "body-decoded") && deleted.has(event.id);
    if (!isDeleted) writer.add(event);
  }
  const batch = writer.finish();
  const isDamaged = bytes !== null && crc32(bytes) !== stored?.["checksum"];
  database.exec("BEGIN IMMEDIATE");
  const replaced = database.prepare("UPDATE batches SET size = ?, log = ? WHERE number = ?");
  replaced.run(batch.bytes.length, logOf(batch), number);
  const kept = database.prepare("UPDATE bytes SET checksum = ?, bytes = ? WHERE batch = ?");
  if (batch.bytes.length === 0) database.prepare("DELETE FROM bytes WHERE batch = ?").run(number);
  else if (bytes !== null) kept.run(isDamaged ? null : crc32(batch.bytes), batch.bytes, number);
  const part = database.prepare("DELETE FROM parts WHERE exchange = ? AND batch = ?");
  const annotation = database.prepare("DELETE FROM annotations WHERE exchange = ?");
  for (const id of eventsByExchange(events ?? []).keys()) {
    if (!deleted.has(id)) continue;
    part.run(id, number);
    annotation.run(id);
  }
  // Of a damaged log nothing can be read, so that nothing of it is kept.
  if (events === null) database.prepare("DELETE FROM parts WHERE batch = ?").run(number);
  database.exec("COMMIT");
}

function decoded(
  row: Readonly<Record<string, unknown>> | undefined,
  bytes: Uint8Array | null,
): readonly CaptureEvent[] | null {
  try {
    return storedEvents(row?.["log"] as Uint8Array, Number(row?.["size"]), bytes);
  } catch {
    return null;
  }
}

/** In a session's folder, while exchanges were deleted from it that its database still holds. */
export const DELETIONS_FILE = "deleted.json";

/** The most bytes and ids of the file: more than those of a session's exchanges. */
const MOST_BYTES: Bytes = 32 * 1024 * 1024;
const MOST_IDS = 4_000_000;

const NONE: ReadonlySet<ExchangeId> = new Set();

/** The exchanges that were deleted from the session in this folder and are to be purged, at most so many. */
export function readDeletions(folder: string, most = MOST_IDS): ReadonlySet<ExchangeId> {
  const file = readPrivateFile(join(folder, DELETIONS_FILE), MOST_BYTES);
  if (!file.ok || file.value === null) return NONE;
  const ranges = untrustedJsonOf(String(file.value));
  if (!Array.isArray(ranges)) return NONE;
  const ids = new Set<ExchangeId>();
  let room = most;
  for (const range of ranges) {
    const [first, last] = Array.isArray(range) ? range : [range, range];
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) continue;
    for (let id = first; id <= last && room > 0; id += 1, room -= 1) ids.add(id);
  }
  return ids;
}

/** Ascending, each an id, or the first and the last of several in a row. */
function rangesOf(ids: ReadonlySet<ExchangeId>): readonly (number | readonly [number, number])[] {
  const sorted = Float64Array.from(ids).sort();
  const ranges: (number | readonly [number, number])[] = [];
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at] as number;
    let last = first;
    for (at += 1; sorted[at] === last + 1; at += 1) last += 1;
    ranges.push(first === last ? first : [first, last]);
  }
  return ranges;
}

/** Replaces the list at once; an empty one has no file. */
export function writeDeletions(folder: string, ids: ReadonlySet<ExchangeId>): Problem | null {
  const path = join(folder, DELETIONS_FILE);
  return ids.size === 0 ? remove(path) : writePrivateFile(path, JSON.stringify(rangesOf(ids)));
}
