import { patternOf } from "../../../engine/insights/path-templates.ts";
import { partsOf } from "../../../engine/model/endpoint.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../mounted.ts";
import { type GroupingTexts, groupingTextsOf } from "./grouping-rows.ts";

/** The dialog Grouping: what is grouped, and the user's rules. Subscribed only while the dialog is open. */
export function groupingDialog(deps: ViewDependencies) {
  let grouping: ValueSubscription<"grouping">;
  let status: ValueSubscription<"status">;
  const set = async (key: string, value: boolean | readonly string[]): Promise<string> => {
    const reply = await deps.commands.send({ type: "set-setting", key, value });
    if (reply.ok) deps.selection.set({ endpoint: null });
    return reply.ok ? "" : reply.problem;
  };
  return view({
    texts: null as GroupingTexts | null,
    /** The user's rules, in the order in which they apply. */
    rules: Object.freeze([]) as readonly string[],
    rule: "",
    problem: "",

    init(): void {
      const { endpoint } = deps.selection.now;
      const chosen = endpoint === null ? null : partsOf(endpoint);
      if (chosen !== null) this.rule = patternOf(chosen.origin, chosen.path);
      grouping = deps.windows.value({ view: "grouping" }, () => {
        this.texts = grouping.value === undefined ? null : groupingTextsOf(grouping.value);
        this.problem = grouping.problem ?? "";
      });
      status = deps.windows.value({ view: "status" }, () => {
        this.rules = status.value?.settings.pathRules ?? [];
      });
    },

    destroy(): void {
      grouping.close();
      status.close();
    },

    async toggle(): Promise<void> {
      const value = this.texts?.on !== true;
      this.problem = await set("groupSimilarPaths", value);
      if (this.problem === "")
        deps.announce(value ? "Similar paths are grouped." : "Every path is an endpoint of its own.");
    },

    async addRule(rule: string): Promise<void> {
      const added = rule.trim();
      this.problem = await set("pathRules", [added, ...this.rules.filter((one) => one !== added)]);
      if (this.problem !== "") return;
      this.rule = "";
      deps.announce(`Rule added: ${added}`);
    },

    async removeRule(rule: string): Promise<void> {
      this.problem = await set(
        "pathRules",
        this.rules.filter((one) => one !== rule),
      );
      if (this.problem === "") deps.announce(`Rule removed: ${rule}`);
    },

    close(): void {
      this.$root.closest("dialog")?.close();
    },
  });
}
