import { basename } from "node:path";
import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import { HarConnections } from "../../src/engine/interchange/har-connections.ts";
import { eventsOfEntry } from "../../src/engine/interchange/har-import.ts";
import { HarReader } from "../../src/engine/interchange/har-reader.ts";
import type { ImportProgress, ImportStarted, SessionCommand } from "../../src/engine/messages/session-messages.ts";
import { isBlank, type Remark } from "../../src/engine/model/remark.ts";
import type { ExchangeId, Instant } from "../../src/engine/model/units.ts";
import { Session } from "../../src/engine/session/session.ts";
import { Bites } from "./errand.ts";
import type { ImportedSession } from "./storage/imported-session.ts";
import type { SessionStore } from "./storage/sessions.ts";
import { keptFiguresOf } from "./stored-figures.ts";

/** Our choice: files that are read at once. */
const MOST_IMPORTS = 4;

/** Our choice: characters of all comments of one file, since a session that is shown has them in memory; those beyond are left out. */
const MOST_COMMENTS = 16 * 1024 * 1024;

const TOO_LARGE = "An entry is too large.";

type ImportAs = Extract<SessionCommand, { readonly type: "import-har" }>["as"];

interface Import {
  /** The page that sends it. */
  readonly page: object;
  readonly name: string;
  readonly as: ImportAs;
  readonly reader: HarReader;
  readonly connections: HarConnections;
  readonly stored: ImportedSession;
  /** Folded for its figures. */
  readonly session: Session;
  start: Instant | null;
  end: Instant | null;
  exchanges: number;
  /** Characters of its comments. */
  comments: number;
  leftOut: number;
  problem: string | null;
  busy: boolean;
}

/** HAR files that pages send piece by piece, each of which becomes a completed session when it is whole. */
export class HarImports {
  readonly #store: SessionStore;
  readonly #imports = new Map<number, Import>();
  #count = 0;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** An opened one is left out of the baseline. `page`: whatever tells the page that sends it from others. */
  start(fileName: string, as: ImportAs, now: Instant, grouped: boolean, page: object): ImportStarted {
    if (this.#imports.size >= MOST_IMPORTS) throw new Error("Too many files are being read. Wait for one of them.");
    this.#count += 1;
    this.#imports.set(this.#count, {
      page,
      name: basename(fileName),
      as,
      reader: new HarReader(),
      connections: new HarConnections(),
      stored: this.#store.importSession(now),
      session: new Session(undefined, grouped),
      start: null,
      end: null,
      exchanges: 0,
      comments: 0,
      leftOut: 0,
      problem: null,
      busy: false,
    });
    return { importNumber: this.#count };
  }

  /** Throws the sentence that ends the import; then nothing is left of it. */
  async take(importNumber: number, text: string, last: boolean): Promise<ImportProgress & { readonly as: ImportAs }> {
    const one = this.#imports.get(importNumber);
    if (one === undefined) throw new Error("The import was cancelled.");
    if (one.busy) throw new Error("Send a piece after the reply to the last.");
    one.busy = true;
    try {
      const before = one.reader.tooLarge;
      const entries = one.reader.push(text);
      const tooLarge = one.reader.tooLarge - before;
      one.leftOut += tooLarge;
      if (tooLarge > 0) one.problem ??= TOO_LARGE;
      await this.#append(importNumber, one, entries);
      const problem = (last ? one.reader.end() : one.reader.problem) ?? one.stored.flush();
      if (problem !== null) throw new Error(problem);
      const session = last ? this.#finish(importNumber, one) : null;
      return { exchanges: one.exchanges, leftOut: one.leftOut, problem: one.problem, session, as: one.as };
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
    one?.stored.abandon();
  }

  cancelAll(): void {
    for (const importNumber of [...this.#imports.keys()]) this.cancel(importNumber);
  }

  /** That page is gone: of what it had begun to send the rest will never come. */
  leave(gone: object): void {
    for (const [importNumber, { page }] of [...this.#imports]) if (page === gone) this.cancel(importNumber);
  }

  async #append(importNumber: number, one: Import, entries: readonly object[]): Promise<void> {
    const bites = new Bites();
    for (const entry of entries) {
      const imported = eventsOfEntry(entry, (one.exchanges + 1) as ExchangeId, one.connections);
      if (imported.ok) {
        one.exchanges += 1;
        this.#keep(one, imported.events);
        this.#remark(one, imported.remark);
      } else {
        one.leftOut += 1;
        one.problem ??= imported.problem;
      }
      await bites.pause();
      if (!this.#imports.has(importNumber)) throw new Error("The import was cancelled.");
    }
  }

  #keep(one: Import, events: readonly CaptureEvent[]): void {
    one.session.apply(events);
    one.stored.append(events);
    for (const event of events) {
      if (event.type === "request-started") one.start = earlier(one.start, event.at);
      if (event.type === "exchange-ended") one.end = later(one.end, event.at);
    }
  }

  /** Of the entry that came last. */
  #remark(one: Import, remark: Remark): void {
    const hasRoom = one.comments + remark.comment.length <= MOST_COMMENTS;
    const kept = hasRoom ? remark : { ...remark, comment: "" };
    if (isBlank(kept)) return;
    one.comments += kept.comment.length;
    one.stored.remark(one.exchanges as ExchangeId, kept);
  }

  #finish(importNumber: number, one: Import): string {
    const { start, end, name, as, stored, session } = one;
    const baseline = as === "completed";
    if (start === null) throw new Error(nothingIn(one.problem));
    this.#imports.delete(importNumber);
    const unsaved = stored.finish({ name, startedAt: start, endedAt: end ?? start, baseline }, keptFiguresOf(session));
    if (unsaved !== null) throw new Error(`The session could not be kept: ${unsaved}`);
    return stored.id;
  }
}

/** `problem`: of the first entry that was left out; `null`: there was none. */
function nothingIn(problem: string | null): string {
  const nothing = "This file holds no exchange that could be read.";
  return problem === null ? nothing : `${nothing} ${problem}`;
}

function earlier(known: Instant | null, at: Instant): Instant {
  return known === null || at < known ? at : known;
}

function later(known: Instant | null, at: Instant): Instant {
  return known === null || at > known ? at : known;
}
