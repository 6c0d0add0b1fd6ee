import type { PayloadColumn } from "../../../../engine/messages/payload-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../../parts/list/list-frame.ts";
import { focusList } from "../../../parts/view-focus.ts";
import type { ValueSubscription } from "../../../state/subscription-store.ts";
import { sortAfter, sortIn, sortTextOf } from "../../column-headers.ts";
import { openEndpointMenu } from "../../context-menu.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered, matchesOf } from "../../list-now.ts";
import { view } from "../../mounted.ts";
import { RecordList } from "../../record-list.ts";
import { scopeText } from "../scope-text.ts";
import { oversizedText, type PayloadRow, payloadHeadersOf, payloadRowOf } from "./payload-rows.ts";

const ROW_HEIGHT = 28;

const BY_RESPONSE = { column: "avgResponseSize", descending: true } as const;

/** The table of body sizes by endpoint. */
export function payloadTable({ windows, selection, showMatches, openMenu }: ViewDependencies) {
  let list: RecordList<"payload", PayloadRow>;
  let status: ValueSubscription<"status">;
  let unwatch = (): void => {};
  const select = (key: string | number): void => selection.set({ endpoint: key as Endpoint, exchange: null });

  const sortNow = () => sortIn(selection.now.tableSort, payloadHeadersOf(BY_RESPONSE), BY_RESPONSE);

  return view({
    headers: payloadHeadersOf(sortNow()),
    frame: EMPTY_FRAME as ListFrame<PayloadRow>,
    empty: "" as "" | "nothing" | "filtered" | "unanswered",
    /** Why the filter was refused; "" if it was accepted. */
    problem: "",
    /** The definition of oversized, as text. */
    footer: "",
    /** The text of `scopeText`. */
    scope: scopeText(selection.now.filter),

    init(): void {
      list = new RecordList<"payload", PayloadRow>({
        windows,
        name: "payload",
        rowHeight: ROW_HEIGHT,
        headHeight: ROW_HEIGHT,
        query: {
          view: "payload",
          filter: selection.now.filter,
          sort: sortNow(),
          range: { from: 0, count: 60 },
        },
        keyOf: ({ endpoint }) => endpoint,
        rowOf: payloadRowOf,
        arrived: ({ state, problem, answered }) => {
          showMatches(matchesOf(list.records));
          this.problem = problem ?? "";
          const none = answered && state.matched === 0;
          this.empty = isUnanswered(list.records) ? "unanswered" : "";
          if (none) this.empty = state.total === 0 && problem === null ? "nothing" : "filtered";
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (key) => {
          if (selection.now.endpoint !== null) select(key);
        },
        opened: select,
      });
      status = windows.value({ view: "status" }, () => {
        if (status.value !== undefined) this.footer = oversizedText(status.value.settings);
      });
      list.attach(this.$refs);
      list.activate(selection.now.endpoint);
      unwatch = selection.watch(({ filter, endpoint }) => {
        this.scope = scopeText(filter);
        const sort = sortNow();
        if (sortTextOf(sort) !== sortTextOf(list.query.sort)) {
          list.restart({ sort });
          this.headers = payloadHeadersOf(sort);
        }
        if (endpoint !== null) list.activate(endpoint);
        if (filter !== list.query.filter) list.restart({ filter });
      });
    },

    destroy(): void {
      unwatch();
      list.close();
      status.close();
      showMatches(null);
    },

    sortBy(column: PayloadColumn | null): void {
      if (column === null) return;
      selection.set({ tableSort: sortTextOf(sortAfter(list.query.sort, column, ["endpoint"])) });
    },

    open({ row }: Slot<PayloadRow>): void {
      if (row !== null) select(row.key);
    },

    showOversized({ oversizedFilter }: PayloadRow): void {
      selection.set({ view: "traffic", filter: oversizedFilter, exchange: null });
    },

    clearFilter(): void {
      selection.set({ filter: "" });
      focusList();
    },

    onKey(event: KeyboardEvent): void {
      list.onKey(event);
    },

    onMenu(event: MouseEvent): void {
      openEndpointMenu({ openMenu }, event, this.frame.slots);
    },
  });
}
