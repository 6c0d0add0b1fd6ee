import type { Instant } from "../../src/engine/model/units.ts";
import type { Archive } from "../../src/engine/session/archive.ts";
import type { Findings } from "../../src/engine/session/findings.ts";
import type { History } from "../../src/engine/session/history.ts";
import { Session } from "../../src/engine/session/session.ts";
import { Bites } from "./errand.ts";
import { SessionFindings } from "./session-findings.ts";
import type { SessionFacts } from "./storage/session-facts.ts";
import type { SessionReader } from "./storage/session-reader.ts";
import type { SessionStore } from "./storage/sessions.ts";
import type { SettingsFile } from "./storage/settings-file.ts";
import { storedArchive } from "./stored-archive.ts";
import { keptFiguresOf, type StoredFigures } from "./stored-figures.ts";
import { StoredHistory } from "./stored-history.ts";

/** Exchanges of a stored session are folded again this many at a time. */
const EVENTS_AT_ONCE = 200;

/** Our choice: somebody waits for it, so up to two thirds of the thread's time go into it. */
const REST = 0.5;

/** A stored session that was read into memory. */
export interface OpenedSession {
  readonly facts: SessionFacts;
  readonly session: Session;
  readonly reader: SessionReader;
  readonly archive: Archive;
  readonly findings: Findings;
  readonly history: History;
}

interface Opening {
  /** `null` only while it is being made. */
  whole: Promise<OpenedSession> | null;
  /** Pages that show it or wait for it. */
  users: number;
  progress: number;
  opened: OpenedSession | null;
  closed: boolean;
}

interface OpenedSessionsOptions {
  readonly store: SessionStore;
  readonly settings: SettingsFile;
  readonly figures: StoredFigures;
  /** The session that is being recorded. */
  readonly recorded: () => Session;
}

/** The stored sessions that pages show, each once in memory, as long as some page shows it. */
export class OpenedSessions {
  readonly #options: OpenedSessionsOptions;
  readonly #openings = new Map<string, Opening>();

  constructor(options: OpenedSessionsOptions) {
    this.#options = options;
  }

  /** Throws the sentence why it cannot be opened. Each call needs one of `release`. */
  async open(id: string): Promise<OpenedSession> {
    const opening = this.#openings.get(id) ?? this.#begin(id);
    opening.users += 1;
    if (opening.whole === null) throw new Error("a session that nobody reads");
    return opening.whole;
  }

  release(id: string): void {
    const opening = this.#openings.get(id);
    if (opening === undefined) return;
    opening.users -= 1;
    if (opening.users === 0) this.close(id);
  }

  /** Whoever shows it goes back to the current one. */
  close(id: string): void {
    const opening = this.#openings.get(id);
    if (opening === undefined) return;
    this.#openings.delete(id);
    opening.closed = true;
    opening.opened?.reader.close();
  }

  isOpen(id: string): boolean {
    return this.#openings.has(id);
  }

  /** How much of it has been read, 0 to 1. */
  progressOf(id: string): number {
    return this.#openings.get(id)?.progress ?? 0;
  }

  /** Groups similar paths from now on, or no longer; between other work. */
  async regroup(grouped: boolean): Promise<void> {
    const bites = new Bites();
    for (const { opened } of [...this.#openings.values()]) {
      for (const _ of opened?.session.regrouping(grouped) ?? []) await bites.pause();
    }
  }

  closeAll(): void {
    for (const id of [...this.#openings.keys()]) this.close(id);
  }

  #begin(id: string): Opening {
    const { store } = this.#options;
    const facts = store.list().find((one) => one.id === id);
    const reader = facts === undefined ? "it is not there any more" : store.openEnded(id);
    if (facts === undefined || typeof reader === "string") throw new Error(`This session cannot be opened: ${reader}.`);
    const opening: Opening = { whole: null, users: 0, progress: 0, opened: null, closed: false };
    this.#openings.set(id, opening);
    opening.whole = this.#read(opening, facts, reader).catch((error: unknown) => {
      this.close(id);
      throw error;
    });
    return opening;
  }

  async #read(opening: Opening, facts: SessionFacts, reader: SessionReader): Promise<OpenedSession> {
    const { store, settings, figures, recorded } = this.#options;
    const session = new Session(undefined, settings.settings.groupSimilarPaths);
    const bites = new Bites(REST);
    const pause = async () => {
      await bites.pause();
      if (!opening.closed) return;
      reader.close();
      throw new Error("This session was closed before it was read.");
    };
    let count = 0;
    for (const event of reader.events(facts.state === "recovered")) {
      session.apply([event]);
      count += 1;
      if (count % EVENTS_AT_ONCE !== 0) continue;
      opening.progress = Math.min(1, session.exchanges / Math.max(1, facts.exchanges));
      await pause();
    }
    for (const [id, remark] of reader.remarks()) session.remark(id, remark);
    while (session.grouped !== settings.settings.groupSimilarPaths || session.isSparse)
      for (const _ of session.regrouping(settings.settings.groupSimilarPaths)) await pause();
    // Of one that was cut off the end is a file's time, by a clock that may have been set back.
    session.end(Math.max(facts.endedAt ?? Number.NEGATIVE_INFINITY, session.table.lastTime) as Instant);
    if (store.figuresOf(facts.id) === null) {
      store.keepFigures(facts.id, keptFiguresOf(session));
      figures.forget(facts.id);
    }
    const opened: OpenedSession = {
      facts,
      session,
      reader,
      archive: storedArchive(() => reader),
      findings: new SessionFindings({
        session,
        reader: () => reader,
        chainGap: () => settings.settings.chainGap,
        until: () => Number.POSITIVE_INFINITY as Instant,
      }),
      history: new StoredHistory(store, figures, recorded, facts.id),
    };
    opening.opened = opened;
    return opened;
  }
}
