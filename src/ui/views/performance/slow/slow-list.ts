import type { ExchangeId } from "../../../../engine/model/units.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../../parts/list/list-frame.ts";
import { openExchangeMenu } from "../../context-menu.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { RecordList } from "../../record-list.ts";
import { view } from "../../view.ts";
import { type SlowRow, slowRowOf } from "./slow-rows.ts";
import type { SlowScope } from "./slow-scope.ts";

const ROW_HEIGHT = 50;

/** All slow requests, each as a sentence, the largest loss first. */
export function slowList(deps: ViewDependencies, scope: SlowScope) {
  const { windows, selection } = deps;
  let list: RecordList<"slow", SlowRow>;
  let unwatch: readonly (() => void)[] = [];

  const openTiming = (key: string | number): void =>
    selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" });

  return view({
    frame: EMPTY_FRAME as ListFrame<SlowRow>,
    empty: false,

    init(): void {
      list = new RecordList<"slow", SlowRow>({
        windows,
        name: "slow",
        rowHeight: ROW_HEIGHT,
        query: { view: "slow", ...scope.now, range: { from: 0, count: 40 } },
        keyOf: ({ id }) => id,
        rowOf: slowRowOf,
        arrived: ({ state, answered }) => {
          this.empty = answered && state.matched === 0;
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (key) => {
          if (selection.now.exchange !== null) openTiming(key);
        },
        opened: openTiming,
      });
      list.attach(this.$refs);
      list.activate(selection.now.exchange);
      unwatch = [
        scope.watch(() => list.restart(scope.now)),
        selection.watch(({ exchange }) => {
          if (exchange !== null) list.activate(exchange);
        }),
      ];
    },

    destroy(): void {
      for (const end of unwatch) end();
      list.close();
    },

    open({ row }: Slot<SlowRow>): void {
      if (row === null) return;
      list.activate(row.key);
      openTiming(row.key);
    },

    onKey(event: KeyboardEvent): void {
      list.onKey(event);
    },

    onMenu(event: MouseEvent): void {
      openExchangeMenu(deps, event, this.frame.slots, (exchange) => list.activate(exchange));
    },
  });
}
