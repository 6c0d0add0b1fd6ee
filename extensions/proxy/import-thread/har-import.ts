import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { HarEntries, type HarExchange } from "../../../src/engine/interchange/har-entries.ts";
import type { LeftOut } from "../../../src/engine/messages/session-messages.ts";
import { isBlank } from "../../../src/engine/model/annotation.ts";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { HarText } from "../../../src/engine/report/har-text.ts";
import { OperationReader } from "../../../src/engine/report/operation-reader.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { inflateFile, openUnpacker } from "../decoding/unpacker.ts";
import { keptFiguresOf } from "../export/stored-figures.ts";
import { ImportedSession } from "../storage/imported-session.ts";
import type { FromImport, ImportStart } from "./import-messages.ts";

/**
 * The most characters of a file's comments together. Comments beyond the limit are
 * dropped, because a shown session holds its comments in memory.
 */
const MOST_COMMENTS = 16 * 1024 * 1024;

/** Decompressed characters after which the import flushes to disk. */
const HELD: Bytes = 1024 * 1024;

/** A HAR file that arrives in pieces and becomes a completed session with the last one. */
export class HarImport {
  readonly #start: ImportStart;
  readonly #text = new HarText(openUnpacker, inflateFile);
  readonly #entries = new HarEntries(this.#text.attached);
  readonly #stored: ImportedSession;
  /** The session in memory, from which the figures are computed. */
  readonly #session: Session;
  readonly #operations = new OperationReader();
  #startedAt: Instant | null = null;
  #endedAt: Instant | null = null;
  #exchanges = 0;
  /** The number of characters in the comments read so far. */
  #comments = 0;

  constructor(start: ImportStart) {
    const { target, grouping } = start;
    this.#start = start;
    this.#stored = new ImportedSession(target);
    this.#session = new Session(
      undefined,
      grouping === null ? null : new PathTemplates(grouping.rules, grouping.folds),
    );
  }

  /** Adds a piece of the file. Exchanges that end in it are stored before the reply; if that fails, the session is deleted. */
  async addPiece(bytes: Uint8Array, last: boolean): Promise<FromImport> {
    const problem = await this.#read(bytes, last);
    const read = problem === null ? success(null) : failure(problem);
    const session: Result<string | null> = read.ok && last ? this.#finish() : read;
    if (!session.ok) {
      this.#text.close();
      this.#stored.abandon();
      return session;
    }
    const { leftOut, leftOutCount } = this.#entries;
    return success({ exchanges: this.#exchanges, leftOutCount, leftOut: [...leftOut], session: session.value });
  }

  async #read(bytes: Uint8Array, last: boolean): Promise<Problem | null> {
    let held = 0;
    for await (const text of this.#text.decode(bytes, last)) {
      this.#append(this.#entries.push(text));
      held += text.length;
      if (held <= HELD) continue;
      held = 0;
      const problem = this.#entries.problem ?? this.#stored.flush();
      if (problem !== null) return problem;
    }
    if (last) this.#append(this.#entries.rest());
    return this.#text.problem ?? (last ? this.#entries.finish() : this.#entries.problem) ?? this.#stored.flush();
  }

  #append(exchanges: Iterable<HarExchange | null>): void {
    for (const exchange of exchanges) {
      if (exchange === null) continue;
      this.#exchanges += 1;
      this.#keep(exchange.events);
      this.#annotate(exchange);
    }
  }

  #keep(given: readonly CaptureEvent[]): void {
    const events = this.#operations.read(given);
    this.#session.apply(events);
    this.#stored.append(events);
    for (const event of events) {
      if (event.type === "request-started") this.#startedAt = earlier(this.#startedAt, event.at);
      if (event.type === "exchange-ended") this.#endedAt = later(this.#endedAt, event.at);
    }
  }

  #annotate({ id, annotation }: HarExchange): void {
    const hasRoom = this.#comments + annotation.comment.length <= MOST_COMMENTS;
    const kept = hasRoom ? annotation : { ...annotation, comment: "" };
    if (isBlank(kept)) return;
    this.#comments += kept.comment.length;
    this.#stored.annotate(id, kept);
  }

  /** Returns the id of the session. */
  #finish(): Result<string> {
    const { name, baseline } = this.#start;
    if (this.#startedAt === null) return failure(nothingIn(this.#entries.leftOut));
    this.#text.close();
    this.#session.apply(this.#entries.pages);
    this.#stored.append(this.#entries.pages);
    this.#session.learn();
    const notes = this.#text.unreadBodies ?? "";
    const facts = { name, startedAt: this.#startedAt, endedAt: this.#endedAt ?? this.#startedAt, baseline, notes };
    const unsaved = this.#stored.finish(facts, keptFiguresOf(this.#session));
    return unsaved === null ? success(this.#stored.id) : failure(`The session could not be stored: ${unsaved}`);
  }
}

function nothingIn([first]: readonly LeftOut[]): string {
  const nothing = "This file holds no exchange that could be read.";
  return first === undefined ? nothing : `${nothing} Entry ${first.entry}: ${first.reason}.`;
}

function earlier(known: Instant | null, at: Instant): Instant {
  return known === null || at < known ? at : known;
}

function later(known: Instant | null, at: Instant): Instant {
  return known === null || at > known ? at : known;
}
