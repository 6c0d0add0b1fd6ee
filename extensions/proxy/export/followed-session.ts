import type { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { newLogPosition, type SessionReader } from "../storage/session-reader.ts";

export interface LogEnd {
  /** Whether the session was cut off, so that its unfinished exchanges end with "proxy-stopped". */
  readonly wasCutOff: boolean;
  /** `null` while the session may be recorded. */
  readonly endedAt: Instant | null;
}

/** A session in memory that follows its log, which another thread may be writing. */
export class FollowedSession {
  readonly session: Session;
  readonly reader: SessionReader;
  readonly #logPosition = newLogPosition();
  #annotated: readonly ExchangeId[] = [];

  /** `templates`, `rowCap`: as in `Session`. Reads the whole log. */
  constructor(reader: SessionReader, { wasCutOff, endedAt }: LogEnd, templates: PathTemplates | null, rowCap: number) {
    this.reader = reader;
    this.session = new Session(rowCap, templates);
    if (wasCutOff) for (const events of reader.batches(true)) this.session.apply(events);
    else this.follow();
    if (endedAt !== null) this.session.freeze(endedAt);
  }

  /** Applies the events written since the last call. */
  follow(): void {
    if (this.session.endedAt !== null) return;
    for (const events of this.reader.batchesAfter(this.#logPosition)) this.session.apply(events);
  }

  /** Applies the annotations as they are stored now. */
  annotate(): void {
    const stored = new Map(this.reader.annotations());
    for (const id of this.#annotated) if (!stored.has(id)) this.session.annotate(id, NO_ANNOTATION);
    for (const [id, annotation] of stored) this.session.annotate(id, annotation);
    this.#annotated = [...stored.keys()];
  }

  regroup(templates: PathTemplates | null): void {
    this.session.regroup(templates);
  }
}
