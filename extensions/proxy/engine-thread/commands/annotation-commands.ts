import type { Annotated } from "../../../../src/engine/messages/annotation-decode.ts";
import { type Annotation, annotationOf } from "../../../../src/engine/model/annotation.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { ExportSource } from "../../../../src/engine/report/export-source.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { Handlers, Sender } from "./execute.ts";
import { pickedIn, type ShownSession } from "./shown-session.ts";

/** The most exchanges that one command annotates, since more would delay other work. */
const MOST_AT_ONCE = 10_000;

/** The most changes that can be undone; each has up to `MOST_AT_ONCE` annotations. */
const MOST_CHANGES = 20;

type Annotations = readonly (readonly [ExchangeId, Annotation])[];

interface AnnotationCommandsOptions {
  readonly store: SessionStore;
  readonly currentSession: CurrentSession;
  readonly sourceOf: (shown: ShownSession) => ExportSource;
}

/** Stores annotations of exchanges in the session that the UI client shows. */
export class AnnotationCommands {
  readonly handlers: Handlers<"mark-exchange" | "mark-picked" | "comment-exchange" | "undo-annotations"> = {
    "mark-exchange": ({ exchange, mark }, sender) =>
      this.#annotate(sender, [exchange], ({ comment }) => annotationOf(mark, comment)),
    "mark-picked": async (command, sender) => {
      const picked = await pickedIn(this.#options.sourceOf, sender.shown, command);
      if (picked.length > MOST_AT_ONCE)
        throw new Error("At most 10,000 exchanges can be marked at once. Select fewer.");
      return this.#annotate(sender, picked, ({ comment }) => annotationOf(command.mark, comment));
    },
    "comment-exchange": ({ exchange, comment }, sender) =>
      this.#annotate(sender, [exchange], ({ mark }) => annotationOf(mark, comment)),
    "undo-annotations": ({ change }, { shown }) => {
      const found = this.#changes.get(change);
      if (found === undefined) throw new Error("This change is too old to be undone.");
      if (found.session !== shown.idOr(this.#options.currentSession))
        throw new Error("The mark cannot be undone, because its session is no longer shown.");
      this.#store(found.before, shown);
      this.#changes.delete(change);
      return null;
    },
  };
  readonly #options: AnnotationCommandsOptions;
  /** The annotations before the latest changes, and the id of their session. */
  readonly #changes = new Map<number, { readonly session: string | null; readonly before: Annotations }>();
  #latest = 0;

  constructor(options: AnnotationCommandsOptions) {
    this.#options = options;
  }

  /** Annotates the exchanges that are in the table. Throws a sentence if there are none. */
  #annotate({ shown }: Sender, ids: readonly ExchangeId[], changed: (annotation: Annotation) => Annotation): Annotated {
    const session = shown.opened?.session ?? this.#options.currentSession.session;
    const before = ids.flatMap((id): (readonly [ExchangeId, Annotation])[] => {
      const row = session.table.rowOf(id);
      return row === null ? [] : [[id, session.table.annotations.at(row)]];
    });
    if (before.length === 0) throw new Error("This exchange is no longer in the list.");
    this.#store(
      before.map(([id, annotation]) => [id, changed(annotation)]),
      shown,
    );
    this.#latest += 1;
    this.#changes.set(this.#latest, { session: shown.idOr(this.#options.currentSession), before });
    evictOldest(this.#changes, MOST_CHANGES);
    return { count: before.length, change: this.#latest };
  }

  #store(annotations: Annotations, { opened }: ShownSession): void {
    const { store, currentSession } = this.#options;
    if (opened === null) return currentSession.annotate(annotations);
    const problem = store.annotateEnded(opened.facts.id, annotations);
    if (problem !== null) throw new Error(problem);
    for (const [id, annotation] of annotations) opened.session.annotate(id, annotation);
  }
}
