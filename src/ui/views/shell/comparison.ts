import type { ComparedWith, ExchangeComparison } from "../../../engine/messages/difference-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import type { ComparisonWish, ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { type ComparisonTexts, comparisonTextsOf } from "./comparison-rows.ts";

/** Something to compare an exchange with. */
export interface ComparisonChoice {
  readonly name: string;
  readonly other: ComparedWith;
}

const CHOICES: readonly ComparisonChoice[] = Object.freeze([
  { name: "Its usual twin", other: "twin" },
  { name: "The marked request", other: "marked" },
]);

/** The dialog that shows in what two exchanges differ. */
export function comparisonDialog(
  { commands, selection }: Pick<ViewDependencies, "commands" | "selection">,
  onWish: (listener: (wish: ComparisonWish) => void) => void,
) {
  let exchange: ExchangeId | null = null;
  /** The number of the latest question, so that a late answer to an earlier one is dropped. */
  let latest = 0;

  return view({
    choices: CHOICES,
    chosen: "twin" as ComparedWith,
    found: null as ComparisonTexts | null,
    ids: Object.freeze([]) as readonly ExchangeId[],
    problem: "",
    /** The text that assistive technology reads. */
    announcement: "",

    init(): void {
      onWish((wish) => {
        exchange = wish.exchange;
        this.choices =
          typeof wish.other === "number"
            ? Object.freeze([{ name: "The other selected row", other: wish.other }, ...CHOICES])
            : CHOICES;
        this.compareWith(wish.other);
        this.$root.closest("dialog")?.showModal();
      });
    },

    compareWith(other: ComparedWith): void {
      if (exchange === null) return;
      latest += 1;
      const number = latest;
      Object.assign(this, {
        chosen: other,
        found: null,
        ids: Object.freeze([]),
        problem: "",
        announcement: "Comparing.",
      });
      void commands.send({ type: "compare-exchanges", exchange, other }).then((reply) => {
        if (number !== latest) return;
        if (!reply.ok) {
          Object.assign(this, { problem: reply.problem, announcement: "" });
          return;
        }
        const value = reply.value as ExchangeComparison;
        this.ids = Object.freeze([value.one.id, value.other.id]);
        this.found = comparisonTextsOf(value);
        this.announcement = "Compared.";
      });
    },

    /** Opens one of the two exchanges in the inspector. */
    open(index: number): void {
      const id = this.ids[index];
      if (id === undefined) return;
      this.$root.closest("dialog")?.close();
      selection.set({ exchange: id });
    },
  });
}
