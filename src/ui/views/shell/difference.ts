import type { SetDifference } from "../../../engine/messages/difference-messages.ts";
import type { DifferenceWish, ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { type DifferenceTexts, differenceTextsOf } from "./difference-rows.ts";

/** The dialog "What is different here?": what a chosen set has that the others of its endpoints lack. */
export function differenceDialog(
  { commands, selection }: Pick<ViewDependencies, "commands" | "selection">,
  onWish: (listener: (wish: DifferenceWish) => void) => void,
) {
  /** The number of the latest question, so that a late answer to an earlier one is dropped. */
  let latest = 0;

  return view({
    name: "",
    found: null as DifferenceTexts | null,
    problem: "",
    /** The text that assistive technology reads. */
    announcement: "",

    init(): void {
      onWish((wish) => {
        latest += 1;
        const number = latest;
        Object.assign(this, { name: wish.name, found: null, problem: "", announcement: "Comparing." });
        this.$root.closest("dialog")?.showModal();
        void commands.send({ type: "what-differs", set: wish.set }).then((reply) => {
          if (number !== latest) return;
          if (!reply.ok) {
            Object.assign(this, { problem: reply.problem, announcement: "" });
            return;
          }
          this.found = differenceTextsOf(reply.value as SetDifference, wish.name);
          this.announcement = this.found.nothing === "" ? "Compared." : this.found.nothing;
        });
      });
    },

    showInTraffic(filter: string): void {
      this.$root.closest("dialog")?.close();
      selection.set({ view: "traffic", filter, exchange: null });
    },
  });
}
