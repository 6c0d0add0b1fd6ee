import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import type { HarExchange } from "../../../src/engine/interchange/har-entries.ts";
import { isBlank } from "../../../src/engine/model/annotation.ts";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { HarSession } from "../../../src/engine/report/har-session.ts";
import { HarText } from "../../../src/engine/report/har-text.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { inflateFile, openUnpacker } from "../decoding/unpacker.ts";
import { keptFiguresOf } from "../export/stored-figures.ts";
import { ImportedSession } from "../storage/imported-session.ts";
import type { FromImport, ImportStart } from "./import-messages.ts";

/**
 * The most characters of a file's comments together. Comments beyond the limit are dropped, because a shown session
 * holds its comments in memory.
 */
const MOST_COMMENTS = 16 * 1024 * 1024;

/** A HAR file that arrives in pieces and becomes a completed session with the last one. */
export class HarImport {
  readonly #start: ImportStart;
  readonly #har: HarSession;
  readonly #stored: ImportedSession;
  #startedAt: Instant | null = null;
  #endedAt: Instant | null = null;
  /** The number of characters in the comments read so far. */
  #comments = 0;

  constructor(start: ImportStart) {
    const { target, grouping } = start;
    this.#start = start;
    this.#stored = new ImportedSession(target);
    const templates = grouping === null ? null : new PathTemplates(grouping.rules, grouping.folds);
    const session = new Session(undefined, templates);
    this.#har = new HarSession(session, new HarText(openUnpacker, inflateFile), (events, noted) => {
      this.#keep(events);
      if (noted !== null) this.#annotate(noted);
    });
  }

  /**
   * Adds a piece of the file. Exchanges that end in it are stored before the reply; if that fails, the session is
   * deleted.
   */
  async addPiece(bytes: Uint8Array, last: boolean): Promise<FromImport> {
    const problem = (await this.#har.read(bytes, last)) ?? this.#stored.flush();
    const read = problem === null ? success(null) : failure(problem);
    const session: Result<string | null> = read.ok && last ? this.#finish() : read;
    if (last || !session.ok) this.#har.close();
    if (!session.ok) {
      this.#stored.abandon();
      return session;
    }
    const { exchanges, leftOut, leftOutCount } = this.#har;
    return success({ exchanges, leftOutCount, leftOut: [...leftOut], session: session.value });
  }

  #keep(events: readonly CaptureEvent[]): void {
    this.#stored.append(events);
    for (const event of events) {
      if (event.type === "request-started") this.#startedAt = earlier(this.#startedAt, event.at);
      if (event.type === "exchange-ended") this.#endedAt = later(this.#endedAt, event.at);
    }
  }

  #annotate({ id, annotation }: Pick<HarExchange, "id" | "annotation">): void {
    const hasRoom = this.#comments + annotation.comment.length <= MOST_COMMENTS;
    const kept = hasRoom ? annotation : { ...annotation, comment: "" };
    if (isBlank(kept)) return;
    this.#comments += kept.comment.length;
    this.#stored.annotate(id, kept);
  }

  /** Returns the id of the session. */
  #finish(): Result<string> {
    const { name, baseline } = this.#start;
    const notes = this.#har.unreadBodies ?? "";
    // An exchange was read, so there is a start.
    const startedAt = this.#startedAt as Instant;
    const facts = { name, startedAt, endedAt: this.#endedAt ?? startedAt, baseline, notes };
    const unsaved = this.#stored.finish(facts, keptFiguresOf(this.#har.session));
    return unsaved === null ? success(this.#stored.id) : failure(`The session could not be stored: ${unsaved}`);
  }
}

function earlier(known: Instant | null, at: Instant): Instant {
  return known === null || at < known ? at : known;
}

function later(known: Instant | null, at: Instant): Instant {
  return known === null || at > known ? at : known;
}
