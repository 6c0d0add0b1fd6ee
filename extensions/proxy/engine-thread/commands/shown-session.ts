import type { Shown } from "../../../../src/engine/messages/session-messages.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { type ExportSource, matchingSourceOf } from "../../../../src/engine/report/export-source.ts";
import {
  inSlices,
  type PickedRanges,
  pickedExchanges,
} from "../../../../src/engine/session/lists/matching-exchanges.ts";
import { commandPause } from "../../process/timeslicer.ts";
import type { OpenedSession, OpenedSessions } from "./opened-sessions.ts";

/** Which session a UI client shows: at first the current one. */
export class ShownSession {
  readonly #sessions: OpenedSessions;
  #opened: OpenedSession | null = null;
  /** Id of the session that is being read for this UI client; `null` if no session is being read. */
  #opening: string | null = null;

  constructor(sessions: OpenedSessions) {
    this.#sessions = sessions;
  }

  /** The stored session that is shown; `null` if the current session is shown. */
  get opened(): OpenedSession | null {
    return this.#opened === null ? null : this.#sessions.latest(this.#opened);
  }

  /** The id of the shown session; `null` if that is the current one before its first exchange. */
  idOr(current: { readonly id: string | null }): string | null {
    return this.opened?.facts.id ?? current.id;
  }

  /** Shows the session with this id. Throws a sentence if it cannot be opened; the shown session then stays. */
  async open(id: string): Promise<void> {
    if (this.#opening !== null) throw new Error("Another session is being opened.");
    if (this.opened?.facts.id === id) return;
    this.#opening = id;
    try {
      const opened = await this.#sessions.open(id);
      if (this.#opening !== id) return this.#sessions.release(id);
      this.#release();
      this.#opened = opened;
    } finally {
      if (this.#opening === id) this.#opening = null;
    }
  }

  /** Returns to the current session. A session that is still being opened will not be shown. */
  close(): void {
    this.#opening = null;
    this.#release();
  }

  state(): Shown {
    if (this.#opening !== null) {
      return { kind: "opening", session: this.#opening, progress: this.#sessions.progressOf(this.#opening) };
    }
    const { opened } = this;
    if (opened === null) return { kind: "current" };
    const { id, name, startedAt, endedAt } = opened.facts;
    return { kind: "stored", session: id, name, startedAt, endedAt, problem: opened.reader.problem };
  }

  #release(): void {
    const { opened } = this;
    this.#opened = null;
    if (opened !== null) this.#sessions.release(opened.facts.id);
  }
}

/**
 * The exchanges in the given ranges of the list that the UI client shows, oldest first; found in slices. Throws a
 * sentence if the filter is refused, or if another session is shown meanwhile, since its exchanges have the same ids.
 */
export async function pickedIn(
  sourceOf: (shown: ShownSession) => ExportSource,
  shown: ShownSession,
  picked: PickedRanges & { readonly filter: string },
): Promise<readonly ExchangeId[]> {
  const source = sourceOf(shown);
  const ids = unwrap(await inSlices(pickedExchanges(matchingSourceOf(source), picked), commandPause()));
  if (sourceOf(shown).session !== source.session) throw new Error("The list has changed meanwhile. Select again.");
  return ids;
}
