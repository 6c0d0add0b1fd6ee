import type { Command } from "../../../src/engine/messages/messages.ts";
import { type Annotation, annotationOf } from "../../../src/engine/model/annotation.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { pickedExchanges } from "../../../src/engine/session/lists/matching-exchanges.ts";
import { type ExportSource, matchingSourceOf } from "../export/export-source.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { SessionStore } from "../storage/sessions.ts";
import type { Handlers, Sender } from "./execute.ts";
import type { ShownSession } from "./shown-session.ts";

/**
 * The most exchanges that one command annotates, since more would delay other work.
 */
const MOST_AT_ONCE = 10_000;

interface AnnotationCommandsOptions {
  readonly store: SessionStore;
  readonly recordings: CurrentSession;
  readonly sourceOf: (shown: ShownSession) => ExportSource;
}

/** Stores annotations of exchanges in the session that the UI client shows. */
export class AnnotationCommands {
  readonly handlers: Handlers<"mark-exchange" | "mark-picked" | "comment-exchange"> = {
    "mark-exchange": ({ exchange, mark }, sender) =>
      this.#annotate(
        sender,
        () => [exchange],
        ({ comment }) => annotationOf(mark, comment),
      ),
    "mark-picked": (command, sender) =>
      this.#annotate(
        sender,
        () => this.#picked(command, sender.shown),
        ({ comment }) => annotationOf(command.mark, comment),
      ),
    "comment-exchange": ({ exchange, comment }, sender) =>
      this.#annotate(
        sender,
        () => [exchange],
        ({ mark }) => annotationOf(mark, comment),
      ),
  };
  readonly #options: AnnotationCommandsOptions;

  constructor(options: AnnotationCommandsOptions) {
    this.#options = options;
  }

  /** Annotates the exchanges that are in the table, and returns their number. Throws a sentence if there are none. */
  #annotate(
    { shown }: Sender,
    idsOf: () => readonly ExchangeId[],
    changed: (annotation: Annotation) => Annotation,
  ): number {
    const session = shown.opened?.session ?? this.#options.recordings.session;
    const annotations = idsOf().flatMap((id): (readonly [ExchangeId, Annotation])[] => {
      const row = session.table.rowOf(id);
      return row === null ? [] : [[id, changed(session.table.annotations.at(row))]];
    });
    if (annotations.length === 0) throw new Error("This exchange is no longer in the list.");
    this.#store(annotations, shown);
    return annotations.length;
  }

  #picked(command: Extract<Command, { readonly type: "mark-picked" }>, shown: ShownSession): readonly ExchangeId[] {
    const picked = unwrap(pickedExchanges(matchingSourceOf(this.#options.sourceOf(shown)), command));
    if (picked.length > MOST_AT_ONCE) throw new Error("At most 10,000 exchanges can be marked at once. Select fewer.");
    return picked;
  }

  #store(annotations: readonly (readonly [ExchangeId, Annotation])[], { opened }: ShownSession): void {
    const { store, recordings } = this.#options;
    if (opened === null) return recordings.annotate(annotations);
    const problem = store.annotateEnded(opened.facts.id, annotations);
    if (problem !== null) throw new Error(problem);
    for (const [id, annotation] of annotations) opened.session.annotate(id, annotation);
  }
}
