import { basename } from "node:path";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import type { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import { HarEntries, type HarExchange } from "../../../../src/engine/interchange/har-entries.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { ImportProgress, ImportStarted, LeftOut } from "../../../../src/engine/messages/session-messages.ts";
import { isBlank } from "../../../../src/engine/model/annotation.ts";
import type { Bytes, Instant } from "../../../../src/engine/model/units.ts";
import { HarText } from "../../../../src/engine/report/har-text.ts";
import { OperationReader } from "../../../../src/engine/report/operation-reader.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { inflateFile, openUnpacker } from "../../decoding/unpacker.ts";
import { keptFiguresOf } from "../../export/stored-figures.ts";
import { Timeslicer } from "../../process/timeslicer.ts";
import type { ImportedSession } from "../../storage/imported-session.ts";
import type { SessionStore } from "../../storage/sessions.ts";

/** The most files that are imported at the same time. */
const MOST_IMPORTS = 4;

/**
 * The most characters of a file's comments together. Comments beyond the limit are
 * dropped, because a shown session holds its comments in memory.
 */
const MOST_COMMENTS = 16 * 1024 * 1024;

/** Decompressed characters after which the import flushes to disk. */
const HELD: Bytes = 1024 * 1024;

type ImportAs = Extract<Command, { readonly type: "import-har" }>["as"];

interface Import {
  /** The UI client that sends the file. */
  readonly page: object;
  readonly name: string;
  readonly as: ImportAs;
  readonly text: HarText;
  readonly entries: HarEntries;
  readonly stored: ImportedSession;
  /** The session in memory, from which the figures are computed. */
  readonly session: Session;
  readonly operations: OperationReader;
  start: Instant | null;
  end: Instant | null;
  exchanges: number;
  /** The number of characters in the comments read so far. */
  comments: number;
  busy: boolean;
}

/** HAR files that UI clients send in pieces. Each file becomes a completed session once its last piece has arrived. */
export class HarImports {
  readonly #store: SessionStore;
  readonly #imports = new Map<number, Import>();
  #count = 0;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /**
   * Starts an import. A file that is only opened is left out of the baseline. `page`: the UI client that sends the
   * file.
   */
  start(fileName: string, as: ImportAs, now: Instant, templates: PathTemplates | null, page: object): ImportStarted {
    if (this.#imports.size >= MOST_IMPORTS)
      throw new Error("Too many files are being read. Wait until one has been read.");
    this.#count += 1;
    const text = new HarText(openUnpacker, inflateFile);
    this.#imports.set(this.#count, {
      page,
      name: basename(fileName),
      as,
      text,
      entries: new HarEntries(text.attached),
      stored: this.#store.importSession(now),
      session: new Session(undefined, templates),
      operations: new OperationReader(),
      start: null,
      end: null,
      exchanges: 0,
      comments: 0,
      busy: false,
    });
    return { importNumber: this.#count };
  }

  /** Adds a piece of the file. If the import fails, deletes what it has stored and throws a sentence for the user. */
  async addPiece(
    importNumber: number,
    bytes: Uint8Array,
    last: boolean,
  ): Promise<ImportProgress & { readonly as: ImportAs }> {
    const one = this.#imports.get(importNumber);
    if (one === undefined) throw new Error("The import was cancelled.");
    if (one.busy) throw new Error("Wait for the reply to the last piece before the next is sent.");
    one.busy = true;
    try {
      let held = 0;
      const slicer = new Timeslicer();
      for await (const text of one.text.decode(bytes, last)) {
        await this.#append(importNumber, one, one.entries.push(text), slicer);
        held += text.length;
        if (held > HELD) check(one.entries.problem ?? one.stored.flush());
        if (held > HELD) held = 0;
      }
      if (last) await this.#append(importNumber, one, one.entries.rest(), slicer);
      this.#checkRunning(importNumber);
      check(one.text.problem ?? (last ? one.entries.finish() : one.entries.problem) ?? one.stored.flush());
      const session = last ? this.#finish(importNumber, one) : null;
      const { leftOut, leftOutCount } = one.entries;
      return { exchanges: one.exchanges, leftOutCount, leftOut: [...leftOut], session, as: one.as };
    } catch (error) {
      this.cancel(importNumber);
      throw error;
    } finally {
      one.busy = false;
    }
  }

  cancel(importNumber: number): void {
    const one = this.#imports.get(importNumber);
    this.#imports.delete(importNumber);
    one?.text.close();
    one?.stored.abandon();
  }

  cancelAll(): void {
    for (const importNumber of [...this.#imports.keys()]) this.cancel(importNumber);
  }

  /** Cancels the imports of a UI client that has disconnected, since the rest of their files cannot arrive. */
  cancelFor(gone: object): void {
    for (const [importNumber, { page }] of [...this.#imports]) if (page === gone) this.cancel(importNumber);
  }

  async #append(
    importNumber: number,
    one: Import,
    exchanges: Iterable<HarExchange | null>,
    slicer: Timeslicer,
  ): Promise<void> {
    for (const exchange of exchanges) {
      if (exchange !== null) {
        one.exchanges += 1;
        this.#keep(one, exchange.events);
        this.#annotate(one, exchange);
      }
      await slicer.pause();
      this.#checkRunning(importNumber);
    }
    await slicer.pause();
    this.#checkRunning(importNumber);
  }

  /** Throws if the import was cancelled meanwhile. */
  #checkRunning(importNumber: number): void {
    if (!this.#imports.has(importNumber)) throw new Error("The import was cancelled.");
  }

  #keep(one: Import, given: readonly CaptureEvent[]): void {
    const events = one.operations.read(given);
    one.session.apply(events);
    one.stored.append(events);
    for (const event of events) {
      if (event.type === "request-started") one.start = earlier(one.start, event.at);
      if (event.type === "exchange-ended") one.end = later(one.end, event.at);
    }
  }

  #annotate(one: Import, { id, annotation }: HarExchange): void {
    const hasRoom = one.comments + annotation.comment.length <= MOST_COMMENTS;
    const kept = hasRoom ? annotation : { ...annotation, comment: "" };
    if (isBlank(kept)) return;
    one.comments += kept.comment.length;
    one.stored.annotate(id, kept);
  }

  #finish(importNumber: number, one: Import): string {
    const { start, end, name, as, stored, session } = one;
    const baseline = as === "completed";
    if (start === null) throw new Error(nothingIn(one.entries.leftOut));
    this.#imports.delete(importNumber);
    one.text.close();
    session.apply(one.entries.pages);
    stored.append(one.entries.pages);
    session.learn();
    const notes = one.text.unreadBodies ?? "";
    const facts = { name, startedAt: start, endedAt: end ?? start, baseline, notes };
    const unsaved = stored.finish(facts, keptFiguresOf(session));
    if (unsaved !== null) throw new Error(`The session could not be stored: ${unsaved}`);
    return stored.id;
  }
}

/** Throws the sentence `problem`, if it is not `null`. */
function check(problem: string | null): void {
  if (problem !== null) throw new Error(problem);
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
