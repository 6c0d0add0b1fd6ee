import type { Mark } from "../../../engine/model/remark.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { placeAfter } from "../../parts/menu-keys.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { MARK_CHOICES, type MarkChoice, markExchanges } from "../exchange-actions.ts";
import type { View } from "../mounted.ts";

/** Our choice: who stops typing for so long, in ms, has said something. */
const SETTLED_MS = 800;

interface RemarkForm {
  marks: readonly (MarkChoice & { readonly chosen: boolean })[];
  markName: string;
  comment: string;
  init(): void;
  destroy(): void;
  setMark(mark: Mark | null): void;
  onMarkKey(event: KeyboardEvent): void;
  type(text: string): void;
  save(): Promise<void>;
}

/** What is typed and not kept yet, and of which exchange. */
interface Draft {
  readonly exchange: ExchangeId;
  readonly text: string;
}

/** What a person says of the selected exchange. A comment keeps itself: soon, and before another exchange is shown. */
export function remarkForm(
  deps: Pick<ViewDependencies, "windows" | "commands" | "selection" | "copy" | "announce">,
): View<RemarkForm> {
  const { selection, windows, commands, announce } = deps;
  const ending: (() => void)[] = [];
  let exchange = selection.now.exchange;
  let draft: Draft | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;

  return {
    marks: marksOf(null),
    markName: "",
    comment: "",

    init() {
      if (exchange === null) return;
      const details = windows.value({ view: "exchange", exchange }, () => {
        const { remark, exchange: of } = details.value ?? {};
        if (remark === undefined || of?.id !== exchange) return;
        this.marks = marksOf(remark.mark);
        this.markName = this.marks.find(({ chosen }) => chosen)?.name ?? "";
        if (draft === null) this.comment = remark.comment;
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

    destroy() {
      for (const end of ending.splice(0)) end();
    },

    setMark(mark) {
      if (exchange !== null) void markExchanges(deps, exchange, mark);
    },

    /** ARIA radio group: the arrows choose. */
    onMarkKey(event) {
      const key = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key] ?? event.key;
      const at = this.marks.findIndex(({ chosen }) => chosen);
      const next = this.marks[placeAfter(key, at, this.marks.length) ?? -1];
      if (next === undefined) return;
      event.preventDefault();
      this.setMark(next.mark);
      this.$root.querySelector<HTMLElement>(`[role="radio"][aria-label="${next.name}"]`)?.focus();
    },

    type(text) {
      if (exchange === null) return;
      this.comment = text;
      draft = Object.freeze({ exchange, text });
      clearTimeout(settling);
      settling = setTimeout(() => void this.save(), SETTLED_MS);
    },

    async save() {
      clearTimeout(settling);
      const saved = draft;
      if (saved === null) return;
      const reply = await commands.send({ type: "comment-exchange", exchange: saved.exchange, comment: saved.text });
      if (!reply.ok) announce(reply.problem);
      // What was typed meanwhile is the next draft, and what could not be kept stays one.
      else if (draft === saved) draft = null;
    },
  };
}

function marksOf(mark: Mark | null): RemarkForm["marks"] {
  return Object.freeze(MARK_CHOICES.map((choice) => Object.freeze({ ...choice, chosen: choice.mark === mark })));
}
