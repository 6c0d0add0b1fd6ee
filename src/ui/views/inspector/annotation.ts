import type { Annotated } from "../../../engine/messages/annotation-decode.ts";
import type { Mark } from "../../../engine/model/annotation.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { menuIndexAfter } from "../../parts/menu-keys.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { annotationStep, MARK_CHOICES, type MarkChoice, markExchanges } from "../exchange-actions.ts";
import { view } from "../view.ts";

/** Milliseconds without typing before a comment is saved. */
const SETTLED_MS = 800;

/** A comment that is not saved yet, with its exchange. */
interface Draft {
  readonly exchange: ExchangeId;
  readonly text: string;
}

/**
 * The annotation of the selected exchange. A comment is saved after a pause in typing, and before another exchange is
 * shown.
 */
export function annotationForm(
  deps: Pick<ViewDependencies, "windows" | "commands" | "selection" | "copy" | "announce" | "undo">,
) {
  const { selection, windows, commands, announce, undo } = deps;
  const ending: (() => void)[] = [];
  let exchange = selection.now.exchange;
  let draft: Draft | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;

  return view({
    marks: marksOf(null),
    markName: "",
    comment: "",

    init(): void {
      if (exchange === null) return;
      const details = windows.value({ view: "exchange", exchange }, () => {
        const { annotation, exchange: of } = details.value ?? {};
        if (annotation === undefined || of?.id !== exchange) return;
        this.marks = marksOf(annotation.mark);
        this.markName = this.marks.find(({ chosen }) => chosen)?.name ?? "";
        if (draft === null) this.comment = annotation.comment;
      });
      ending.push(
        () => details.close(),
        () => void this.save(),
        selection.watch((now) => {
          if (now.exchange === null || now.exchange === exchange) return;
          void this.save();
          draft = null;
          exchange = now.exchange;
          details.update({ view: "exchange", exchange });
        }),
      );
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
    },

    setMark(mark: Mark | null): void {
      if (exchange !== null) void markExchanges(deps, exchange, mark);
    },

    /** ARIA radio group: arrow keys move and select. */
    onMarkKey(event: KeyboardEvent): void {
      const key = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key] ?? event.key;
      const at = this.marks.findIndex(({ chosen }) => chosen);
      const next = this.marks[menuIndexAfter(key, at, this.marks.length) ?? -1];
      if (next === undefined) return;
      event.preventDefault();
      this.setMark(next.mark);
      this.$root.querySelector<HTMLElement>(`[role="radio"][aria-label="${next.name}"]`)?.focus();
    },

    type(text: string): void {
      if (exchange === null) return;
      this.comment = text;
      draft = Object.freeze({ exchange, text });
      clearTimeout(settling);
      settling = setTimeout(() => void this.save(), SETTLED_MS);
    },

    async save(): Promise<void> {
      clearTimeout(settling);
      const saved = draft;
      if (saved === null) return;
      const sent = commands.send({ type: "comment-exchange", exchange: saved.exchange, comment: saved.text });
      const reply = await undo.pushReplied(sent, (value) => annotationStep(commands, value as Annotated, "Comment"));
      if (!reply.ok) announce(reply.problem);
      // Text typed while saving is the next draft. After a failure, the unsaved text stays the draft.
      else if (draft === saved) draft = null;
    },
  });
}

function marksOf(mark: Mark | null): readonly (MarkChoice & { readonly chosen: boolean })[] {
  return Object.freeze(MARK_CHOICES.map((choice) => Object.freeze({ ...choice, chosen: choice.mark === mark })));
}
