import type { PayloadColumn } from "../../../../engine/messages/payload-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";
import type { ValueSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered } from "../../list-now.ts";
import { view } from "../../mounted.ts";
import { endpointTable } from "../endpoint-table.ts";
import { oversizedText, type PayloadRow, payloadHeadersOf, payloadRowOf } from "./payload-rows.ts";

/** The table of body sizes by endpoint. */
export function payloadTable(deps: ViewDependencies) {
  const table = endpointTable<"payload", PayloadColumn, PayloadRow>(deps, {
    name: "payload",
    queryOf: (scope) => ({ view: "payload", ...scope }),
    sort: { column: "avgResponseSize", descending: true },
    headersOf: payloadHeadersOf,
    rowOf: payloadRowOf,
    keyOf: (endpoint) => endpoint,
    endpointOf: (key) => key as Endpoint,
  });
  let status: ValueSubscription<"status">;

  return view({
    ...table.members,
    empty: "" as "" | "nothing" | "filtered" | "unanswered",
    /** The definition of oversized, as text. */
    footer: "",

    init(): void {
      table.attach(this, (records) => {
        const { state, problem, answered } = records;
        const none = answered && state.matched === 0;
        this.empty = isUnanswered(records) ? "unanswered" : "";
        if (none) this.empty = state.total === 0 && problem === null ? "nothing" : "filtered";
      });
      status = deps.windows.value({ view: "status" }, () => {
        if (status.value !== undefined) this.footer = oversizedText(status.value.settings);
      });
    },

    destroy(): void {
      table.close();
      status.close();
    },

    showOversized({ oversizedFilter }: PayloadRow): void {
      deps.selection.set({ view: "traffic", filter: oversizedFilter, exchange: null });
    },
  });
}
