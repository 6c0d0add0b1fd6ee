import { patternOf } from "../../../engine/insights/path-rules.ts";
import { partsOf } from "../../../engine/model/endpoint.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type GroupingTexts, groupingTextsOf } from "./grouping-rows.ts";

interface GroupingDialog {
  texts: GroupingTexts | null;
  /** The user's rules, in their order. */
  rules: readonly string[];
  /** The rule being written. */
  rule: string;
  problem: string;
  init(): void;
  destroy(): void;
  toggle(): Promise<void>;
  addRule(rule: string): Promise<void>;
  removeRule(rule: string): Promise<void>;
  close(): void;
}

/** What is grouped, and the user's own rules. It queries only while open. */
export function groupingDialog(deps: ViewDependencies): View<GroupingDialog> {
  let grouping: ValueSubscription<"grouping">;
  let status: ValueSubscription<"status">;
  const set = async (key: string, value: boolean | readonly string[]): Promise<string> => {
    const reply = await deps.commands.send({ type: "set-setting", key, value });
    if (reply.ok) deps.selection.set({ endpoint: null });
    return reply.ok ? "" : reply.problem;
  };
  return {
    texts: null,
    rules: Object.freeze([]),
    rule: "",
    problem: "",

    init() {
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

    destroy() {
      grouping.close();
      status.close();
    },

    async toggle() {
      const value = this.texts?.on !== true;
      this.problem = await set("groupSimilarPaths", value);
      if (this.problem === "")
        deps.announce(value ? "Similar paths are grouped." : "Every path is an endpoint of its own.");
    },

    async addRule(rule) {
      const added = rule.trim();
      this.problem = await set("pathRules", [added, ...this.rules.filter((one) => one !== added)]);
      if (this.problem !== "") return;
      this.rule = "";
      deps.announce(`Rule added: ${added}`);
    },

    async removeRule(rule) {
      this.problem = await set(
        "pathRules",
        this.rules.filter((one) => one !== rule),
      );
      if (this.problem === "") deps.announce(`Rule removed: ${rule}`);
    },

    close() {
      this.$root.closest("dialog")?.close();
    },
  };
}
