import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Remark } from "../../../src/engine/model/remark.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { remove, wordsOf } from "./private-file.ts";
import { type SessionFacts, writeFacts, writeFigures } from "./session-facts.ts";
import { SessionWriter } from "./session-writer.ts";
import { storageNotice } from "./store-status.ts";

/** Such a folder is no session (yet): a crash leaves nothing that looks like one. */
const UNFINISHED = ".import";

/** What is known of an import at its end. */
export interface ImportFacts {
  readonly name: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly baseline: boolean;
}

/** A session made from a file. It lies apart until it is whole; then it is one of the completed sessions. */
export class ImportedSession {
  readonly id: string;
  readonly #sessions: string;
  readonly #writer: SessionWriter;
  readonly #onFinished: () => void;

  constructor(sessions: string, id: string, bodyCap: Bytes, onFinished: () => void) {
    this.id = id;
    this.#sessions = sessions;
    this.#writer = new SessionWriter(join(sessions, id + UNFINISHED), bodyCap);
    this.#onFinished = onFinished;
  }

  append(events: readonly CaptureEvent[]): void {
    this.#writer.append(events);
  }

  remark(id: ExchangeId, remark: Remark): void {
    this.#writer.remark(id, remark);
  }

  /** Writes what waits. `null` is success, else a sentence; what was given up is none, though the disk may take the rest again. */
  flush(): string | null {
    return storageNotice(this.#writer.flush());
  }

  /** Makes it a completed session with these figures, any JSON data. `null` is success, else a sentence. */
  finish({ name, startedAt, endedAt, baseline }: ImportFacts, figures: unknown): string | null {
    const { exchanges } = this.#writer;
    const problem = storageNotice(this.#writer.close());
    const unfinished = this.id + UNFINISHED;
    const facts: SessionFacts = {
      id: unfinished,
      startedAt,
      endedAt,
      state: "completed",
      name,
      notes: "",
      exchanges,
      kept: true,
      imported: true,
      baseline,
    };
    const unsaved =
      problem ??
      writeFigures(this.#sessions, unfinished, figures) ??
      writeFacts(this.#sessions, facts) ??
      this.#rename();
    if (unsaved !== null) remove(join(this.#sessions, unfinished));
    else this.#onFinished();
    return unsaved;
  }

  /** Leaves no trace of it. */
  abandon(): void {
    this.#writer.close();
    remove(join(this.#sessions, this.id + UNFINISHED));
  }

  #rename(): string | null {
    try {
      renameSync(join(this.#sessions, this.id + UNFINISHED), join(this.#sessions, this.id));
      return null;
    } catch (error) {
      return wordsOf(error);
    }
  }
}

/** Removes what a crash in the midst of an import left behind. */
export function clearImports(sessions: string): void {
  try {
    for (const name of readdirSync(sessions)) if (name.endsWith(UNFINISHED)) remove(join(sessions, name));
  } catch {
    // Without the folder there is nothing to clear.
  }
}
