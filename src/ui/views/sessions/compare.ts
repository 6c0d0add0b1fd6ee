import type { CompareColumn } from "../../../engine/messages/compare-messages.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { matchesOf } from "../list-now.ts";
import type { View } from "../mounted.ts";
import { ShownList } from "../shown-list.ts";
import { type Head, sortAfter } from "../table-heads.ts";
import { type CompareRow, compareHeadsOf, compareRowOf } from "./compare-rows.ts";

const ROW_HEIGHT = 28;

/** The two sessions, the earlier one at the left; id `null` = the one being recorded. */
export interface Pair {
  readonly left: Side;
  readonly right: Side;
}

interface Side {
  readonly id: string | null;
  readonly name: string;
}

interface CompareTable {
  heads: readonly Head<CompareColumn>[];
  frame: ListFrame<CompareRow>;
  empty: boolean;
  init(): void;
  destroy(): void;
  sortBy(column: CompareColumn | null): void;
  open(slot: Slot<CompareRow>): void;
  onKey(event: KeyboardEvent): void;
}

/** Two sessions side by side, endpoint by endpoint. */
export function compareTable({ windows, selection, showMatches }: ViewDependencies, pair: Pair): View<CompareTable> {
  let list: ShownList<"compare", CompareRow>;
  let unwatch = (): void => {};
  return {
    heads: compareHeadsOf({ column: "p95", descending: true }),
    frame: EMPTY_FRAME,
    empty: false,

    init() {
      list = new ShownList<"compare", CompareRow>({
        windows,
        name: "compare",
        rowHeight: ROW_HEIGHT,
        headHeight: ROW_HEIGHT,
        query: {
          view: "compare",
          left: pair.left.id,
          right: pair.right.id,
          filter: selection.now.filter,
          sort: { column: "p95", descending: true },
          range: { from: 0, count: 60 },
        },
        keyOf: ({ endpoint }) => endpoint,
        rowOf: compareRowOf,
        arrived: ({ state, answered }) => {
          showMatches(matchesOf(list.records));
          this.empty = answered && state.matched === 0;
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: () => {},
        opened: () => {},
      });
      list.attach(this.$refs);
      unwatch = selection.watch(({ filter }) => {
        if (filter !== list.query.filter) list.restart({ filter });
      });
    },

    destroy() {
      unwatch();
      list.close();
      showMatches(null);
    },

    sortBy(column) {
      if (column === null) return;
      const sort = sortAfter(list.query.sort, column, ["endpoint"]);
      list.restart({ sort });
      this.heads = compareHeadsOf(sort);
    },

    open({ row }) {
      if (row !== null) list.activate(row.key);
    },

    onKey(event) {
      list.onKey(event);
    },
  };
}
