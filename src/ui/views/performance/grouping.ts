import type { ValueSubscription } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type GroupingTexts, groupingTextsOf } from "./grouping-rows.ts";

interface GroupingDialog {
  texts: GroupingTexts | null;
  problem: string;
  init(): void;
  destroy(): void;
  apply(): Promise<void>;
  close(): void;
}

/** What grouping similar paths would do, shown before it is done. It asks only while it is open. */
export function groupingDialog(deps: ViewDependencies): View<GroupingDialog> {
  let grouping: ValueSubscription<"grouping">;
  return {
    texts: null,
    problem: "",

    init() {
      grouping = deps.windows.value({ view: "grouping" }, () => {
        this.texts = grouping.value === undefined ? null : groupingTextsOf(grouping.value);
        this.problem = grouping.problem ?? "";
      });
    },

    destroy() {
      grouping.close();
    },

    async apply() {
      const value = this.texts?.on !== true;
      const reply = await deps.commands.send({ type: "set-setting", key: "groupSimilarPaths", value });
      this.problem = reply.ok ? "" : reply.problem;
      if (!reply.ok) return;
      deps.selection.set({ endpoint: null });
      deps.announce(value ? "Similar paths are grouped." : "Every path stands by itself.");
      this.close();
    },

    close() {
      this.$root.closest("dialog")?.close();
    },
  };
}
