import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { newLogPlace, type SessionReader } from "../storage/session-reader.ts";
import type { AnalysisStart, Grouping } from "./analysis-messages.ts";

/** A session in memory that follows its log, which another thread may be writing. */
export class FollowedSession {
  readonly session: Session;
  readonly reader: SessionReader;
  readonly #place = newLogPlace();
  #annotated: readonly ExchangeId[] = [];

  /** `rowCap`: as in `Session`. Reads the whole log. */
  constructor(reader: SessionReader, { wasCutOff, endedAt }: AnalysisStart, grouping: Grouping, rowCap: number) {
    this.reader = reader;
    this.session = new Session(rowCap, templatesOf(grouping));
    if (wasCutOff) for (const event of reader.events(true)) this.session.apply([event]);
    else this.follow();
    if (endedAt !== null) this.session.freeze(endedAt as Instant);
  }

  /** Applies the events written since the last call. */
  follow(): void {
    if (this.session.endedAt !== null) return;
    for (const event of this.reader.eventsAfter(this.#place)) this.session.apply([event]);
  }

  /** Applies the annotations as they are stored now. */
  annotate(): void {
    const stored = new Map(this.reader.annotations());
    for (const id of this.#annotated) if (!stored.has(id)) this.session.annotate(id, NO_ANNOTATION);
    for (const [id, annotation] of stored) this.session.annotate(id, annotation);
    this.#annotated = [...stored.keys()];
  }

  regroup(grouping: Grouping): void {
    this.session.regroup(templatesOf(grouping));
  }
}

function templatesOf(grouping: Grouping): PathTemplates | null {
  return grouping === null ? null : new PathTemplates(grouping.rules, grouping.folds);
}
