import type { DatabaseSync } from "node:sqlite";
import type { CaptureEvent, HarFields, Side } from "../../../src/engine/capture/event.ts";
import { type Annotation, annotationOf } from "../../../src/engine/model/annotation.ts";
import { startedAt } from "../../../src/engine/model/phases.ts";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import type { Heads } from "./exchange-block.ts";
import type { StoredExchange } from "./exchange-row.ts";
import { areKept, type Extent, lengthOf, ReadAhead, readBytes } from "./extents.ts";
import type { StoredMessage } from "./message-run.ts";
import { otherEventOf } from "./other-event.ts";
import { errorText } from "./private-file.ts";
import { isThere, openForReading } from "./session-database.ts";
import { WRITTEN_ROW } from "./session-rows.ts";
import { StoredBlocks } from "./stored-blocks.ts";
import { StoredMessages } from "./stored-messages.ts";
import { StoredRows } from "./stored-rows.ts";

/**
 * Reads one session: an ended one, or one that this thread or another process is writing. Its methods never throw:
 * damaged parts are left out, and `problem` names them.
 */
export class SessionReader {
  readonly #folder: string;
  readonly #database: DatabaseSync;
  readonly #rows: StoredRows;
  readonly #blocks: StoredBlocks;
  readonly #messages: StoredMessages;
  readonly #ahead = new ReadAhead();
  #problem: string | null = null;

  /** The reader closes `database`. */
  constructor(folder: string, database: DatabaseSync) {
    this.#folder = folder;
    this.#database = database;
    this.#rows = new StoredRows(database);
    this.#blocks = new StoredBlocks(database);
    this.#messages = new StoredMessages(database);
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
    return !this.#database.isOpen || !isThere(this.#folder);
  }

  headsOf(id: ExchangeId): Heads | null {
    return this.#tried(() => {
      // An exchange is either in a row or in a block. If its block was already read, no query is needed.
      const known = this.#blocks.knownBlockOf(id);
      return known?.headsOf(id) ?? this.#rows.headsOf(id) ?? this.#blocks.blockOf(id)?.headsOf(id) ?? null;
    });
  }

  /** The fields of the exchange's HAR entry that were kept (`RequestStarted.fields`); `null` if there are none. */
  fieldsOf(id: ExchangeId): HarFields | null {
    return this.#tried(() => {
      const block = this.#blocks.knownBlockOf(id);
      return block?.fieldsOf(id) ?? this.#rows.fieldsOf(id) ?? this.#blocks.blockOf(id)?.fieldsOf(id) ?? null;
    });
  }

  /** Extents of the captured part of a body; `null` if they cannot be read. */
  extentsOf(id: ExchangeId, side: Side): readonly Extent[] | null {
    return this.#tried(() => {
      const known = this.#blocks.knownBlockOf(id);
      if (known !== null) return known.extentsOf(id, side);
      const body = this.#rows.bodyOf(id, side);
      if (body !== null) return body.extents;
      const block = this.#blocks.blockOf(id);
      return block === null ? [] : block.extentsOf(id, side);
    });
  }

  /** At most `count` bytes of an encoded body, from `from`. */
  readBody(id: ExchangeId, side: Side, from: number, count: number): Result<Buffer> {
    return readBytes(this.#folder, this.extentsOf(id, side), from, count, this.#ahead);
  }

  /** How many bytes of a body can be read; 0 once one of its segments was deleted. */
  keptOf(id: ExchangeId, side: Side): Bytes {
    const extents = this.extentsOf(id, side);
    return areKept(this.#folder, extents ?? []) ? lengthOf(extents) : 0;
  }

  messageCount(id: ExchangeId): number {
    return this.#tried(() => this.#messages.count(id)) ?? 0;
  }

  /** At most `count` messages, from the index `from`. */
  readMessages(id: ExchangeId, from: number, count: number): readonly StoredMessage[] {
    return this.#tried(() => this.#messages.list(id, from, count)) ?? [];
  }

  /** The stored payload of one message. */
  readMessage(id: ExchangeId, index: number): Result<Buffer> {
    const extents = this.#tried(() => this.#messages.payloadOf(id, index));
    return readBytes(this.#folder, extents, 0, lengthOf(extents), this.#ahead);
  }

  /**
   * Events from which the session can be rebuilt: connections, clients' names and pages, then exchanges by id, then decoded
   * sizes and drops. Leaves out bodies and messages. If the session `wasCutOff`, unfinished exchanges end with
   * "proxy-stopped"; otherwise they stay in flight.
   */
  *events(wasCutOff: boolean): Generator<CaptureEvent> {
    yield* this.#otherEvents("connection-opened");
    yield* this.#otherEvents("client-named");
    yield* this.#otherEvents("page-described");
    const inRows = this.#allOf(() => this.#rows.exchanges());
    const inBlocks = this.#allOf(() => this.#blocks.exchanges());
    for (const [, exchange] of merged(inRows, inBlocks)) {
      if (exchange === null) {
        this.#problem = "some exchanges are damaged";
        continue;
      }
      yield exchange.started;
      if (exchange.answered !== null) yield exchange.answered;
      if (exchange.ended !== null) yield exchange.ended;
      else if (wasCutOff) yield this.#cutShort(exchange);
    }
    yield* this.#otherEvents("body-decoded");
    yield* this.#otherEvents("events-dropped");
  }

  /** Annotations, to be applied after the exchanges' events. */
  *annotations(): Generator<readonly [ExchangeId, Annotation]> {
    const ask = () => this.#database.prepare("SELECT exchange, mark, comment FROM remarks").iterate();
    for (const row of this.#allOf(ask)) {
      yield [Number(row["exchange"]) as ExchangeId, annotationOf(row["mark"], row["comment"])];
    }
  }

  /** The number of the latest batch whose events are all stored; 0 if there is none. */
  written(): number {
    const ask = () => this.#database.prepare("SELECT event FROM events WHERE number = ?").get(WRITTEN_ROW);
    return Number(this.#tried(ask)?.["event"] ?? 0);
  }

  close(): void {
    this.#database.close();
  }

  /** An end for an unfinished exchange: at its last known instant, with the sizes that were stored. */
  #cutShort({ started, answered }: StoredExchange): CaptureEvent {
    const at = answered?.at ?? started.at;
    return Object.freeze({
      type: "exchange-ended",
      id: started.id,
      at,
      instants: Object.freeze(startedAt(started.at, null)),
      outcome: Object.freeze({
        kind: "failed",
        errorType: "proxy-stopped",
        detail: "The session ended before this exchange did.",
        status: answered?.status ?? null,
      }),
      requestBodySize: lengthOf(this.extentsOf(started.id, "request")),
      encodedBodySize: lengthOf(this.extentsOf(started.id, "response")),
      connection: null,
      reused: null,
      stream: null,
      waitedFor: null,
      uncertainty: 0,
      tags: started.tags,
    });
  }

  *#otherEvents(type: CaptureEvent["type"]): Generator<CaptureEvent> {
    const ask = () => this.#database.prepare("SELECT event FROM events WHERE type = ? ORDER BY number").iterate(type);
    for (const row of this.#allOf(ask)) {
      const event = otherEventOf(String(row["event"]));
      if (event !== null) yield event;
      else this.#problem = "some connections or sizes are damaged";
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

  #tried<Result>(ask: () => Result): Result | null {
    try {
      return ask();
    } catch (error) {
      this.#problem = errorText(error);
      return null;
    }
  }
}

/** Merges two sequences that are sorted by id. */
function* merged<Value>(
  one: Generator<readonly [ExchangeId, Value]>,
  other: Generator<readonly [ExchangeId, Value]>,
): Generator<readonly [ExchangeId, Value]> {
  let [first, second] = [one.next(), other.next()];
  while (first.done !== true || second.done !== true) {
    if (second.done === true || (first.done !== true && first.value[0] < second.value[0])) {
      if (first.done !== true) yield first.value;
      first = one.next();
    } else {
      yield second.value;
      second = other.next();
    }
  }
}
