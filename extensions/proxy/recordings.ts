import type { CaptureEvent, ClientNamed } from "../../src/engine/capture/event.ts";
import type { Remark } from "../../src/engine/model/remark.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../src/engine/model/units.ts";
import { Session } from "../../src/engine/session/session.ts";
import { Bites } from "./errand.ts";
import { NamedClients } from "./named-clients.ts";
import type { SessionReader } from "./storage/session-reader.ts";
import type { SessionStore } from "./storage/sessions.ts";
import type { StoreStatus } from "./storage/store-status.ts";
import { keptFiguresOf } from "./stored-figures.ts";

/** decisions.md, Clear: undo is offered for so long. */
const UNDO_TIME: Milliseconds = 10_000;

interface Cleared {
  readonly session: Session;
  readonly until: Instant;
}

/**
 * The session that is being recorded, in memory and on disk, and how it ends. A session begins with the first exchange.
 * Until Clear can no longer be undone, what is captured is taken and written by two sessions, of which one then goes:
 *
 *   exchanges ── clear ── 10 s: to the old session and to the new ──┬─ the old one's exchanges are deleted
 *                                                                  └─ undo: the old one goes on, and the new one is deleted
 */
export class Recordings {
  readonly #store: SessionStore;
  #session: Session;
  #grouped: boolean;
  #rowCap: number;
  #cleared: Cleared | null = null;
  #batch = 0;
  readonly #clients = new NamedClients();

  /** A session that the store goes on with is folded again from the start. `grouped`, `rowCap`: as in `Session`. */
  constructor(store: SessionStore, grouped: boolean, rowCap: number = DEFAULT_SETTINGS.rowCap) {
    this.#store = store;
    this.#grouped = grouped;
    this.#rowCap = rowCap;
    this.#session = this.#newSession();
    for (const event of this.reader()?.events(false) ?? []) this.#session.apply([event]);
    for (const [id, remark] of this.reader()?.remarks() ?? []) this.#session.remark(id, remark);
    this.#batch = store.writer?.written ?? 0;
  }

  get session(): Session {
    return this.#session;
  }

  /** Reads what was captured, up to the last event; `null` while there is nothing. */
  reader(): SessionReader | null {
    return this.#store.writer?.reader() ?? null;
  }

  get undoUntil(): Instant | null {
    return this.#cleared?.until ?? null;
  }

  /** The latest batch that a kill would not lose. */
  get written(): number {
    return this.#store.written ?? this.#batch;
  }

  /** `batch`: the number of the batch that they are; `null` for events of the engine's own. */
  take(taken: readonly CaptureEvent[], batch: number | null = null): void {
    this.#batch = batch ?? this.#batch;
    const names = this.#clients.begin(taken);
    const events = names.length === 0 ? taken : [...taken, ...names];
    this.#session.apply(events);
    this.#write(events);
    this.#cleared?.session.apply(events);
  }

  /** Takes which programs clients are: each session hears it of those that appear in it. */
  name(clients: readonly ClientNamed[]): void {
    const seen = this.#clients.name(clients);
    // What is seen since Clear is not what was seen before it.
    this.take(this.#cleared === null ? seen : clients);
  }

  /** Takes what a person says of exchanges that are in the list. */
  remark(remarks: readonly (readonly [ExchangeId, Remark])[]): void {
    this.#store.remark(remarks);
    for (const [id, remark] of remarks) {
      this.#session.remark(id, remark);
      this.#cleared?.session.remark(id, remark);
    }
  }

  clear(now: Instant): void {
    this.#carryOutClear();
    const session = this.#session;
    if (session.exchanges === 0) return;
    this.#store.clear(now, keptFiguresOf(session));
    this.#cleared = { session, until: (now + UNDO_TIME) as Instant };
    this.#session = this.#newSession();
  }

  /** Whether there was something to undo. */
  undoClear(): boolean {
    if (this.#cleared === null) return false;
    this.#store.undoClear();
    this.#session = this.#cleared.session;
    this.#session.keep(this.#rowCap);
    void this.regroup(this.#grouped);
    this.#cleared = null;
    return true;
  }

  /** As `Session.keep`. */
  keep(rowCap: number): void {
    this.#rowCap = rowCap;
    this.#session.keep(rowCap);
  }

  /** Groups similar paths from now on, or no longer; between other work. */
  async regroup(grouped: boolean): Promise<void> {
    this.#grouped = grouped;
    const bites = new Bites();
    for (const _ of this.#session.regrouping(grouped)) await bites.pause();
  }

  /** Ends the session and forgets all of it, figures too. */
  discard(now: Instant): void {
    const cleared = this.#carryOutClear();
    const ended = this.#store.endSession(now, keptFiguresOf(this.#session))?.id ?? null;
    for (const id of [cleared, ended]) if (id !== null) this.#store.deleteSession(id);
    this.#session = this.#newSession();
  }

  /** Ends the session and keeps everything of it. Throws the sentence why it cannot be kept: then it is recorded further. */
  begin(now: Instant): void {
    this.#carryOutClear();
    const figures = keptFiguresOf(this.#session);
    const problem = this.#store.saveSession(figures);
    if (problem !== null) throw new Error(`A new session can begin once this one can be kept. ${problem}`);
    this.#store.endSession(now, figures);
    this.#session = this.#newSession();
  }

  /** Writes what waits, and carries out what has waited long enough. Call it at least twice a second. */
  tick(now: Instant): StoreStatus {
    if (this.#cleared !== null && now >= this.#cleared.until) this.#carryOutClear();
    if (this.#session.isSparse) void this.regroup(this.#grouped);
    return this.#store.flush();
  }

  /** The program ends. `null`: everything is kept; else the sentence why it is not. */
  end(now: Instant): string | null {
    this.#carryOutClear();
    const figures = keptFiguresOf(this.#session);
    const problem = this.#store.saveSession(figures);
    this.#store.endSession(now, figures);
    return problem;
  }

  #newSession(): Session {
    this.#clients.forgetSeen();
    return new Session(this.#rowCap, this.#grouped);
  }

  /** As of the store. */
  #carryOutClear(): string | null {
    this.#cleared = null;
    return this.#store.carryOutClear();
  }

  #write(events: readonly CaptureEvent[]): void {
    if (this.#store.current === null) {
      const first = events.find((event) => event.type === "request-started");
      if (first !== undefined) this.#store.startSession(first.at);
    }
    this.#store.append(events, this.#batch);
  }
}
