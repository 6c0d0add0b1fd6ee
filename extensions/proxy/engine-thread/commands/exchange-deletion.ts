import { setTimeout } from "node:timers/promises";
import { type Deleted, UNDO_TIME } from "../../../../src/engine/messages/deletion-messages.ts";
import type { Problem } from "../../../../src/engine/model/result.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import type { ExportSource } from "../../../../src/engine/report/export-source.ts";
import type { Clock } from "../../process/clock.ts";
import { Timeslicer } from "../../process/timeslicer.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { DeletionChange } from "../recording/deleted-rows.ts";
import type { Handlers } from "./execute.ts";
import type { OpenedSessions } from "./opened-sessions.ts";
import { pickedIn, type ShownSession } from "./shown-session.ts";

/** docs/specification.md, Delete exchanges: the most at once. */
const MOST_AT_ONCE = 10_000;

/** How long a purge at the end of the program may take; the next start does the rest. */
const LAST_PURGE: Milliseconds = 1_000;

/** When a purge that failed is tried again. */
const AGAIN_AFTER: Milliseconds = 30_000;

interface Deletion {
  readonly session: string;
  readonly ids: readonly ExchangeId[];
  readonly until: Instant;
}

interface ExchangeDeletionOptions {
  readonly store: SessionStore;
  readonly currentSession: CurrentSession;
  readonly opened: OpenedSessions;
  readonly clock: Clock;
  readonly sourceOf: (shown: ShownSession) => ExportSource;
  /** Called after a session's purge: with a sentence if deleted data is still on the disk, else with `null`. */
  readonly onPurged: (session: string, problem: Problem | null) => void;
}

/**
 * Deletes exchanges of the session that a UI client shows. While that can be undone, all readers of the session leave
 * them out; later they are purged from its files:
 *
 *   delete ── 60 s: left out ──┬─ purged
 *                              └─ undo: read again
 */
export class ExchangeDeletion {
  readonly handlers: Handlers<"delete-exchange" | "delete-picked" | "undo-deletion"> = {
    "delete-exchange": ({ exchange }, { shown }) => this.#delete([exchange], shown),
    "delete-picked": async (command, { shown }) => {
      const picked = await pickedIn(this.#options.sourceOf, shown, command);
      if (picked.length > MOST_AT_ONCE)
        throw new Error("At most 10,000 exchanges can be deleted at once. Select fewer.");
      return this.#delete(picked, shown);
    },
    "undo-deletion": ({ deletion }, { shown }) => this.#undo(deletion, shown),
  };
  readonly #options: ExchangeDeletionOptions;
  /** The deletions that can be undone, the earliest first. */
  readonly #deletions = new Map<number, Deletion>();
  #latest = 0;
  /** The sessions with exchanges to purge. */
  readonly #waiting: Set<string>;
  /** Those that an earlier process has left. */
  readonly #interrupted: Set<string>;
  #isPurging = false;
  #purgeAt = Number.NEGATIVE_INFINITY;

  constructor(options: ExchangeDeletionOptions) {
    this.#options = options;
    this.#waiting = new Set(options.store.unpurged());
    this.#interrupted = new Set(this.#waiting);
  }

  /** Purges what can no longer be undone. May be called often. */
  tick(): void {
    const now = this.#options.clock.now();
    for (const [number, { session, until }] of this.#deletions) {
      if (now < until) break;
      this.#deletions.delete(number);
      this.#waiting.add(session);
    }
    if (this.#waiting.size > 0 && !this.#isPurging && now >= this.#purgeAt) void this.#purge();
  }

  /** Purges before the program ends; what that does not reach within a second, the next start purges. */
  async finish(): Promise<void> {
    for (const { session } of this.#deletions.values()) this.#waiting.add(session);
    this.#deletions.clear();
    const late = setTimeout(LAST_PURGE, undefined, { ref: false });
    await Promise.race([this.#options.currentSession.onceDeleted(() => this.#purge()), late]);
  }

  async #delete(wanted: readonly ExchangeId[], shown: ShownSession): Promise<Deleted> {
    const { clock } = this.#options;
    const { session } = shown.opened ?? this.#options.currentSession;
    const known = wanted.filter((id) => session.table.rowOf(id) !== null);
    // What never ended in a stored session will not end.
    const { table } = session;
    const ids = shown.opened === null ? known.filter((one) => table.hasEndedAt(table.rowOf(one) ?? 0)) : known;
    if (known.length === 0) throw new Error("This exchange is no longer in the list.");
    if (ids.length === 0) throw new Error("An exchange in flight cannot be deleted. Delete it once it has ended.");
    const id = shown.idOr(this.#options.currentSession);
    if (id === null) throw new Error("This exchange is no longer in the list.");
    await this.#change(shown, { gone: ids, back: [] });
    this.#latest += 1;
    this.#deletions.set(this.#latest, { session: id, ids, until: (clock.now() + UNDO_TIME) as Instant });
    return { count: ids.length, inFlight: known.length - ids.length, deletion: this.#latest };
  }

  async #undo(number: number, shown: ShownSession): Promise<null> {
    const deletion = this.#deletions.get(number);
    if (deletion === undefined) throw new Error("The exchanges were deleted for good, so this cannot be undone.");
    if (deletion.session !== shown.idOr(this.#options.currentSession))
      throw new Error("The deletion cannot be undone, because its session is not shown.");
    this.#deletions.delete(number);
    await this.#change(shown, { gone: [], back: deletion.ids });
    return null;
  }

  #change({ opened }: ShownSession, change: DeletionChange): Promise<void> {
    const { currentSession, opened: sessions } = this.#options;
    return opened === null ? currentSession.changeDeletions(change) : sessions.changeDeletions(opened.facts.id, change);
  }

  /** Purges the waiting sessions one after another. */
  async #purge(): Promise<void> {
    const { store, clock, opened, onPurged } = this.#options;
    this.#isPurging = true;
    for (const id of [...this.#waiting]) {
      this.#waiting.delete(id);
      const undoable = [...this.#deletions.values()].flatMap(({ session, ids }) => (session === id ? ids : []));
      const slicer = new Timeslicer();
      const problem = await store.purgeDeleted(id, new Set(undoable), () => slicer.pause());
      if (problem !== null) this.#waiting.add(id);
      if (problem !== null) this.#purgeAt = clock.now() + AGAIN_AFTER;
      // The figures of a session whose deletion was interrupted may be older than the deletion.
      else if (this.#interrupted.delete(id) && store.current?.id !== id) await opened.readAgain(id).catch(() => {});
      onPurged(id, problem);
    }
    this.#isPurging = false;
  }
}
