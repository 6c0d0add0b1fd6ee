import type { ExchangeId } from "../../../engine/model/units.ts";
import { countPhrase } from "../../format/count.ts";
import type { Selected } from "../../state/selection.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";

/** The line above Traffic and Timeline that names the finding whose exchanges are highlighted. */
export function highlight({ selection }: Pick<ViewDependencies, "selection">) {
  let unwatch = (): void => {};
  return view({
    /**
     * "N+1 requests, GET /stock: 20 exchanges are highlighted"; "" without such exchanges, and outside Traffic and
     * Timeline.
     */
    text: textOf(selection.now),

    init(): void {
      unwatch = selection.watch((selected) => {
        this.text = textOf(selected);
      });
    },

    destroy(): void {
      unwatch();
    },

    showNext(): void {
      const { finding, exchange } = selection.now;
      const next = nextAfter(exchange, [...(finding?.exchanges ?? [])]);
      if (next !== null) selection.set({ exchange: next });
    },

    showFinding(): void {
      selection.set({ view: "performance", performanceTab: "findings", exchange: null });
    },

    clear(): void {
      selection.set({ finding: null });
    },
  });
}

function textOf({ view, finding }: Selected): string {
  if (finding === null || finding.exchanges.size === 0 || (view !== "traffic" && view !== "timeline")) return "";
  return `${finding.title}: ${countPhrase(finding.exchanges.size, "exchange is", "exchanges are")} highlighted`;
}

/**
 * The exchange with the lowest id above `exchange`, else the exchange with the lowest id of all; `null` if there is
 * none.
 */
function nextAfter(exchange: ExchangeId | null, exchanges: readonly ExchangeId[]): ExchangeId | null {
  const inOrder = exchanges.toSorted((one, other) => one - other);
  return inOrder.find((id) => exchange === null || id > exchange) ?? inOrder[0] ?? null;
}
