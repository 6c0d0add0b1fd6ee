import { hash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { crc32, gzip } from "node:zlib";
import type { ContentReader, DecodedBody, Heads, StoredMessage } from "../../../src/engine/capture/content-reader.ts";
import type {
  CaptureEvent,
  HarFields,
  MessageCaptured,
  RequestStarted,
  ResponseStarted,
  Side,
} from "../../../src/engine/capture/event.ts";
import { type Annotation, annotationOf } from "../../../src/engine/model/annotation.ts";
import { NOTHING_AT_END } from "../../../src/engine/model/exchange-fields.ts";
import { startedAt } from "../../../src/engine/model/phases.ts";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { decodeBody, decodedAtOnce } from "../decoding/body-decoding.ts";
import { readDeletions } from "./deleted-exchanges.ts";
import { errorText } from "./private-file.ts";
import { isThere, openForReading } from "./session-database.ts";
import { eventsByExchange, isOfExchange, storedEvents } from "./stored-batch.ts";

/** The most decoded logs in memory, since the next exchange is mostly in the same log or in a neighbour. */
const MOST_LOGS = 4;
/** The most bytes of bodies in memory, unless one batch alone has more. */
const MOST_RECENT_BYTES: Bytes = 8 * 1024 * 1024;

/** The usual level for responses compressed on the fly. */
const GZIP_LEVEL = 6;

interface Piece {
  readonly batch: number;
  readonly offset: number;
  readonly length: Bytes;
  /** Of all bytes of the batch. */
  readonly checksum: unknown;
}

interface RecentBytes {
  readonly bytes: Buffer;
  readonly checksum: unknown;
}

/** A batch was purged since its log was read. */
const PURGED = failure("it was deleted");

/** A part of an exchange: the batch, and the index of the first message in it; `null` if it has no message. */
interface Part {
  readonly batch: number;
  readonly message: number | null;
}

/** The events of a log, and the checksum of its bytes then: after a purge they are others, at other places. */
interface KnownLog {
  readonly byExchange: ReadonlyMap<ExchangeId, readonly CaptureEvent[]>;
  readonly checksum: unknown;
}

/** How far a log was read: the last batch, and the exchanges without an end. */
export interface LogPosition {
  batch: number;
  readonly open: Map<ExchangeId, { started: RequestStarted; answered: ResponseStarted | null }>;
}

export function newLogPosition(): LogPosition {
  return { batch: 0, open: new Map() };
}

/**
 * Reads one session: an ended one, or one that this thread or another process is writing. Its methods never throw:
 * damaged parts are left out, and `problem` names them.
 */
export class SessionReader implements ContentReader {
  readonly folder: string;
  readonly #database: DatabaseSync;
  readonly #parts: StatementSync;
  readonly #partsBetween: StatementSync;
  /** The parts of exchanges that `readAhead` was told. */
  #partsAhead = new Map<ExchangeId, Part[]>();
  readonly #log: StatementSync;
  readonly #bytes: StatementSync;
  readonly #kept: StatementSync;
  readonly #logs = new Map<number, KnownLog>();
  /** The bytes of batches, the one used latest at the end. */
  readonly #recentBytes = new Map<number, RecentBytes>();
  #recentSize: Bytes = 0;
  /** The last key of `#recentBytes`. */
  #latest = 0;
  /** The batches whose bytes were there when they were looked up after the latest `readAhead`. */
  readonly #seenBytes = new Set<number>();
  #problem: string | null = null;

  /** The reader closes `database`. */
  constructor(folder: string, database: DatabaseSync) {
    this.folder = folder;
    this.#database = database;
    this.#parts = database.prepare("SELECT batch, message FROM parts WHERE exchange = ? ORDER BY batch");
    this.#partsBetween = database.prepare(
      "SELECT exchange, batch, message FROM parts WHERE exchange BETWEEN ? AND ? ORDER BY exchange, batch",
    );
    this.#log = database.prepare(
      "SELECT log, size, checksum FROM batches LEFT JOIN bytes ON batch = number WHERE number = ?",
    );
    this.#bytes = database.prepare("SELECT bytes, checksum FROM bytes WHERE batch = ?");
    this.#kept = database.prepare("SELECT checksum FROM bytes WHERE batch = ?");
  }

  /** Opens the session in this folder. A problem is a phrase. */
  static open(folder: string): Result<SessionReader> {
    try {
      return success(new SessionReader(folder, openForReading(folder)));
    } catch (error) {
      return failure(errorText(error));
    }
  }

  /** What could not be read so far, in words; `null` if nothing was damaged. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** True once nothing can be read: the reader was closed, or the session's files were deleted. */
  get isClosed(): boolean {
    return !this.#database.isOpen || !isThere(this.folder);
  }

  /**
   * Looks at once where the next exchanges are that will be read: one look-up for each costs as much as the rest of the
   * reading. Until the next call, bytes of theirs that are in memory may be read although they were deleted on disk.
   * `ids`: ascending and close together; exchanges whose end is in the log, so that they get no more parts.
   */
  readAhead(ids: readonly ExchangeId[]): void {
    const [first, last] = [ids[0], ids.at(-1)];
    this.#seenBytes.clear();
    if (first === undefined || last === undefined) return;
    const ahead = new Map<ExchangeId, Part[]>(ids.map((id) => [id, []]));
    const rows = this.#tried(() => this.#partsBetween.all(first, last));
    for (const row of rows ?? []) ahead.get(Number(row["exchange"]) as ExchangeId)?.push(partOf(row));
    this.#partsAhead = rows === null ? new Map() : ahead;
  }

  headsOf(id: ExchangeId): Heads | null {
    let started: RequestStarted | null = null;
    let answered: ResponseStarted | null = null;
    for (const event of this.#eventsOf(id)) {
      if (event.type === "request-started") started = event;
      if (event.type === "response-started") answered = event;
      if (started !== null && answered !== null) break;
    }
    if (started === null) return null;
    return { target: started.target, request: started.head, response: answered?.head ?? null };
  }

  /** The fields of the exchange's HAR entry that were kept; `null` if there are none. */
  fieldsOf(id: ExchangeId): HarFields | null {
    for (const event of this.#eventsOf(id)) if (event.type === "request-started") return event.fields ?? null;
    return null;
  }

  /** At most `count` bytes of an encoded body, from `from`. */
  readBody(id: ExchangeId, side: Side, from: number, count: number): Result<Buffer> {
    const read = () => this.#read(this.#piecesOf(id, side), from, count, this.#partsAhead.has(id));
    let found = read();
    // Each attempt forgets one batch that was purged.
    for (let left = this.#partsOf(id).length; found === PURGED && left > 0; left -= 1) found = read();
    return found;
  }

  async readBodyInTurns(id: ExchangeId, side: Side, count: number): Promise<Result<Buffer>> {
    const read: Buffer[] = [];
    let left = count;
    for (const [index, { batch }] of this.#partsOf(id).entries()) {
      if (left <= 0) break;
      if (index > 0) await setImmediate();
      const inBatch = () => this.#read(this.#piecesIn(batch, id, side), 0, left, this.#partsAhead.has(id));
      const first = inBatch();
      const part = first === PURGED ? inBatch() : first;
      if (!part.ok) return part;
      read.push(part.value);
      left -= part.value.length;
    }
    return success(joined(read));
  }

  /** How many bytes of a body can be read; 0 once a part of it was deleted. */
  keptOf(id: ExchangeId, side: Side): Bytes {
    const pieces = this.#piecesOf(id, side);
    const isKept = [...new Set(pieces.map(({ batch }) => batch))].every(
      (batch) => this.#tried(() => this.#kept.get(batch))?.["checksum"] != null,
    );
    return isKept ? pieces.reduce((sum, { length }) => sum + length, 0) : 0;
  }

  messageCount(id: ExchangeId): number {
    const last = this.#partsOf(id).findLast(({ message }) => message !== null);
    if (last === undefined) return 0;
    return (last.message ?? 0) + this.#messagesIn(last, id).length;
  }

  /** At most `count` messages, from the index `from`. */
  readMessages(id: ExchangeId, from: number, count: number): readonly StoredMessage[] {
    const parts = this.#partsOf(id).filter(({ message }) => message !== null);
    const first = Math.max(
      0,
      parts.findLastIndex(({ message }) => (message ?? 0) <= from),
    );
    const messages: StoredMessage[] = [];
    for (const part of parts.slice(first)) {
      if ((part.message ?? 0) >= from + count) break;
      for (const [at, { type: _, bytes, ...message }] of this.#messagesIn(part, id).entries()) {
        const index = (part.message ?? 0) + at;
        if (index >= from && index < from + count) messages.push({ ...message, index, kept: bytes.length });
      }
    }
    return messages;
  }

  readMessage(id: ExchangeId, index: number): Result<Buffer> {
    const found = this.#readMessage(id, index);
    return found === PURGED ? this.#readMessage(id, index) : found;
  }

  #readMessage(id: ExchangeId, index: number): Result<Buffer> {
    const part = this.#partsOf(id).findLast(({ message }) => message !== null && message <= index);
    const message = part === undefined ? undefined : this.#messagesIn(part, id)[index - (part.message ?? 0)];
    if (part === undefined || message === undefined) return failure("its place on disk is damaged");
    const { byteOffset: offset, length } = message.bytes;
    const { batch } = part;
    return this.#read([{ batch, offset, length, checksum: this.#logOf(batch)?.checksum }], 0, length, false);
  }

  /**
   * Events from which the session can be rebuilt, in the order in which they were written. Leaves out bodies and
   * messages. If the session `wasCutOff`, unfinished exchanges end with "proxy-stopped"; otherwise they stay in flight.
   */
  *events(wasCutOff: boolean): Generator<CaptureEvent> {
    for (const events of this.batches(wasCutOff)) yield* events;
  }

  /** As `events`, by batch; a batch that has only bodies and messages has no events here. */
  *batches(wasCutOff: boolean): Generator<readonly CaptureEvent[]> {
    const logPosition = newLogPosition();
    yield* this.batchesAfter(logPosition);
    if (wasCutOff) yield this.endsAt(logPosition);
  }

  /** An end with "proxy-stopped" for each exchange that is unfinished at `logPosition`. */
  endsAt({ open }: LogPosition): readonly CaptureEvent[] {
    return Array.from(open.values(), ({ started, answered }) => this.#cutShort(started, answered));
  }

  /**
   * The events written after `logPosition`, as in `batches`, without deleted exchanges. Moves `logPosition` behind each
   * batch that is read.
   */
  *batchesAfter(logPosition: LogPosition): Generator<readonly CaptureEvent[]> {
    const deleted = readDeletions(this.folder);
    for (const row of this.#allOf(() =>
      this.#database
        .prepare("SELECT number, log, size FROM batches WHERE number > ? ORDER BY number")
        .iterate(logPosition.batch),
    )) {
      logPosition.batch = Number(row["number"]);
      yield this.#rebuilding(row, logPosition, deleted);
    }
  }

  /** The events of one batch from which the session can be rebuilt. */
  #rebuilding(
    row: Readonly<Record<string, unknown>>,
    { open }: LogPosition,
    deleted: ReadonlySet<ExchangeId>,
  ): readonly CaptureEvent[] {
    return (this.#decoded(row) ?? []).filter((event) => {
      if (event.type === "body-captured" || event.type === "message-captured") return false;
      if (event.type === "request-started") {
        if (open.has(event.id)) return false; // written again, because its batch was deleted
        if (deleted.has(event.id)) return false;
        open.set(event.id, { started: event, answered: null });
      } else if (isOfExchange(event)) {
        const exchange = open.get(event.id);
        if (exchange === undefined) return false; // its start is damaged, or was deleted
        if (event.type === "response-started") exchange.answered = event;
        else if (event.type === "exchange-ended") open.delete(event.id);
      }
      return true;
    });
  }

  /** Annotations, to be applied after the exchanges' events. */
  *annotations(): Generator<readonly [ExchangeId, Annotation]> {
    const ask = () => this.#database.prepare("SELECT exchange, mark, comment FROM annotations").iterate();
    for (const row of this.#allOf(ask)) {
      yield [Number(row["exchange"]) as ExchangeId, annotationOf(row["mark"], row["comment"])];
    }
  }

  /** The number of the latest batch of the outbox whose events are all stored; 0 if there is none. */
  written(): number {
    const ask = () => this.#database.prepare("SELECT value FROM facts WHERE name = 'written'").get();
    return Number(this.#tried(ask)?.["value"] ?? 0);
  }

  async decode(body: Uint8Array, contentEncoding: string): Promise<DecodedBody> {
    return decodedAtOnce(body, contentEncoding) ?? decodeBody(body, contentEncoding);
  }

  hashOf(bytes: Uint8Array): string {
    return hash("sha1", bytes, "base64");
  }

  async gzipSizeOf(bytes: Uint8Array): Promise<Bytes> {
    return (await promisify(gzip)(bytes, { level: GZIP_LEVEL })).length;
  }

  close(): void {
    this.#database.close();
  }

  /** An end for an unfinished exchange: at its last known instant, with the sizes that were stored. */
  #cutShort({ id, at, tags }: RequestStarted, answered: ResponseStarted | null): CaptureEvent {
    const sizeOf = (side: Side) => this.#piecesOf(id, side).reduce((sum, { length }) => sum + length, 0);
    return Object.freeze({
      type: "exchange-ended",
      id,
      at: answered?.at ?? at,
      instants: Object.freeze(startedAt(at, null)),
      outcome: Object.freeze({
        kind: "failed",
        errorType: "proxy-stopped",
        detail: "The session ended before this exchange did.",
        status: answered?.status ?? null,
      }),
      requestBodySize: sizeOf("request"),
      encodedBodySize: sizeOf("response"),
      ...NOTHING_AT_END,
      uncertainty: 0,
      tags,
    });
  }

  #partsOf(id: ExchangeId): readonly Part[] {
    return this.#partsAhead.get(id) ?? (this.#tried(() => this.#parts.all(id)) ?? []).map(partOf);
  }

  /** The events of an exchange. Most exchanges are in one batch; of others, a batch is decoded once it is reached. */
  #eventsOf(id: ExchangeId): Iterable<CaptureEvent> {
    const [first, ...others] = this.#partsOf(id);
    if (first === undefined) return [];
    return others.length === 0 ? this.#eventsIn(first.batch, id) : this.#eventsOver([first, ...others], id);
  }

  *#eventsOver(parts: readonly Part[], id: ExchangeId): Generator<CaptureEvent> {
    for (const { batch } of parts) yield* this.#eventsIn(batch, id);
  }

  #messagesIn({ batch }: Part, id: ExchangeId): readonly MessageCaptured[] {
    return this.#eventsIn(batch, id).filter((event) => event.type === "message-captured");
  }

  #piecesOf(id: ExchangeId, side: Side): readonly Piece[] {
    return this.#partsOf(id).flatMap(({ batch }) => this.#piecesIn(batch, id, side));
  }

  #piecesIn(batch: number, id: ExchangeId, side: Side): readonly Piece[] {
    const pieces: Piece[] = [];
    for (const event of this.#eventsIn(batch, id)) {
      if (event.type !== "body-captured" || event.side !== side || event.bytes.length === 0) continue;
      const { byteOffset: offset, length } = event.bytes;
      pieces.push({ batch, offset, length, checksum: this.#logOf(batch)?.checksum });
    }
    return pieces;
  }

  #eventsIn(batch: number, id: ExchangeId): readonly CaptureEvent[] {
    return this.#logOf(batch)?.byExchange.get(id) ?? [];
  }

  #logOf(batch: number): KnownLog | null {
    const known = this.#logs.get(batch);
    if (known !== undefined) return known;
    const row = this.#tried(() => this.#log.get(batch));
    const events = row == null ? null : this.#decoded(row);
    if (events === null) return null;
    const log = { byExchange: eventsByExchange(events), checksum: row?.["checksum"] };
    this.#logs.set(batch, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > MOST_LOGS && oldest !== undefined) this.#logs.delete(oldest);
    return log;
  }

  #decoded({ log, size }: Readonly<Record<string, unknown>>): readonly CaptureEvent[] | null {
    try {
      return storedEvents(log instanceof Uint8Array ? log : new Uint8Array(), Number(size));
    } catch {
      this.#problem = "some exchanges are damaged";
      return null;
    }
  }

  /** At most `count` bytes of the joined pieces, from `from`. `isAhead`: of an exchange that `readAhead` announced. */
  #read(pieces: readonly Piece[], from: number, count: number, isAhead: boolean): Result<Buffer> {
    const read: Buffer[] = [];
    let start = 0;
    for (const { batch, offset, length, checksum } of pieces) {
      const [first, last] = [Math.max(0, from - start), Math.min(length, from + count - start)];
      start += length;
      if (first >= last) continue;
      const bytes = this.#bytesOf(batch, checksum, isAhead);
      if (!bytes.ok) return bytes;
      read.push(bytes.value.subarray(offset + first, offset + last));
    }
    return success(joined(read));
  }

  /** Requests and responses of one time alternate between a few batches. */
  #remembered(batch: number, known: RecentBytes): Buffer {
    const recent = this.#recentBytes;
    const { bytes } = known;
    if (this.#latest === batch) return bytes;
    if (!recent.delete(batch)) this.#recentSize += bytes.length;
    recent.set(batch, known);
    this.#latest = batch;
    for (const [oldest, { bytes: old }] of recent) {
      if (this.#recentSize <= MOST_RECENT_BYTES || oldest === batch) break;
      recent.delete(oldest);
      this.#recentSize -= old.length;
    }
    return bytes;
  }

  #forget(batch: number): void {
    this.#recentSize -= this.#recentBytes.get(batch)?.bytes.length ?? 0;
    this.#recentBytes.delete(batch);
    this.#logs.delete(batch);
    this.#latest = 0;
  }

  /**
   * Whether the bytes of a batch were neither deleted nor purged; looked up once for the exchanges of a `readAhead`.
   */
  #isStillKept(batch: number, checksum: unknown, isAhead: boolean): boolean {
    if (isAhead && this.#seenBytes.has(batch)) return true;
    const isKept = this.#kept.get(batch)?.["checksum"] === checksum;
    if (isKept) this.#seenBytes.add(batch);
    return isKept;
  }

  /** The bytes of a batch with this checksum. A problem is a phrase. */
  #bytesOf(batch: number, checksum: unknown, isAhead: boolean): Result<Buffer> {
    try {
      const recent = this.#recentBytes.get(batch);
      if (recent?.checksum === checksum && recent !== undefined && this.#isStillKept(batch, checksum, isAhead))
        return success(this.#remembered(batch, recent));
      const row = this.#bytes.get(batch);
      if (row === undefined) return failure("it was deleted, because the session had too many bytes");
      if (row["checksum"] !== checksum) {
        this.#forget(batch);
        return PURGED;
      }
      if (!(row["bytes"] instanceof Uint8Array)) return failure("the disk could not be written when it was captured");
      const bytes = Buffer.from(row["bytes"].buffer, row["bytes"].byteOffset, row["bytes"].length);
      if (crc32(bytes) !== row["checksum"]) return failure("its bytes on disk are damaged");
      return success(this.#remembered(batch, { bytes, checksum }));
    } catch (error) {
      return failure(errorText(error));
    }
  }

  /** Yields the values up to the first error, which `problem` then names. */
  *#allOf<Value>(ask: () => Iterable<Value>): Generator<Value> {
    try {
      yield* ask();
    } catch (error) {
      this.#problem = errorText(error);
    }
  }

  #tried<Value>(ask: () => Value): Value | null {
    try {
      return ask();
    } catch (error) {
      this.#problem = errorText(error);
      return null;
    }
  }
}

const NO_BYTES = Buffer.alloc(0);

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length > 1 ? Buffer.concat(pieces) : (pieces[0] ?? NO_BYTES);
}

function partOf({ batch, message }: Readonly<Record<string, unknown>>): Part {
  return { batch: Number(batch), message: message === null ? null : Number(message) };
}
