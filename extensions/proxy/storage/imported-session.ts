import { renameSync } from "node:fs";
import { join } from "node:path";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Annotation } from "../../../src/engine/model/annotation.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { errorText, remove } from "./private-file.ts";
import { type SessionFacts, writeFacts, writeFigures } from "./session-facts.ts";
import { SessionWriter } from "./session-writer.ts";
import { storageNotice } from "./store-status.ts";

/** The suffix of an unfinished import's folder. With it, the folder is not taken for a session after a crash. */
export const UNFINISHED = ".import";

export interface ImportFacts {
  readonly name: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly baseline: boolean;
  readonly notes?: string;
}

/** Where an import is stored: the folder of the sessions, the id of its session, and the most bytes on disk. */
export interface ImportTarget {
  readonly sessions: string;
  readonly id: string;
  readonly cap: Bytes;
}

/** A session made from a file. Its folder has the suffix `UNFINISHED` until the session is complete. */
export class ImportedSession {
  readonly id: string;
  readonly #sessions: string;
  readonly #writer: SessionWriter;

  constructor({ sessions, id, cap }: ImportTarget) {
    this.id = id;
    this.#sessions = sessions;
    this.#writer = new SessionWriter(join(sessions, id + UNFINISHED), cap);
  }

  append(events: readonly CaptureEvent[]): void {
    this.#writer.append(events);
  }

  annotate(id: ExchangeId, annotation: Annotation): void {
    this.#writer.annotate(id, annotation);
  }

  /** Writes the buffered rows. Returns a problem if that fails, or if exchanges were dropped earlier. */
  flush(): Problem | null {
    return storageNotice(this.#writer.flush());
  }

  /** Makes the import a completed session. `figures`: any JSON data. If this fails, deletes the import. */
  finish({ name, startedAt, endedAt, baseline, notes = "" }: ImportFacts, figures: unknown): Problem | null {
    const { exchanges } = this.#writer;
    const problem = storageNotice(this.#writer.close());
    const unfinished = this.id + UNFINISHED;
    const facts: SessionFacts = {
      id: unfinished,
      startedAt,
      endedAt,
      state: "completed",
      name,
      title: "",
      notes,
      exchanges,
      kept: true,
      imported: true,
      baseline,
      trashedAt: null,
    };
    const unsaved =
      problem ??
      writeFigures(this.#sessions, unfinished, figures) ??
      writeFacts(this.#sessions, facts) ??
      this.#rename();
    if (unsaved !== null) remove(join(this.#sessions, unfinished));
    return unsaved;
  }

  /** Deletes everything written so far. */
  abandon(): void {
    this.#writer.close();
    remove(join(this.#sessions, this.id + UNFINISHED));
  }

  #rename(): Problem | null {
    try {
      renameSync(join(this.#sessions, this.id + UNFINISHED), join(this.#sessions, this.id));
      return null;
    } catch (error) {
      return errorText(error);
    }
  }
}

/** Deletes what an import has stored whose thread has ended. */
export function removeImport({ sessions, id }: ImportTarget): Problem | null {
  return remove(join(sessions, id + UNFINISHED));
}
