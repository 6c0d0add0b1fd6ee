import { countsText, overallText } from "../../../engine/insights/comparison-text.ts";
import type { ChangeList, CompareColumn } from "../../../engine/messages/compare-messages.ts";
import { endpointFilterOf } from "../../../engine/session/filter/filter.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list/list-frame.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import { sortAfter } from "../column-headers.ts";
import { openEndpointMenu } from "../context-menu.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { matchesOf } from "../list-now.ts";
import { RecordList } from "../record-list.ts";
import { view } from "../view.ts";
import { type CompareRow, compareHeadsOf, compareRowOf, compareWidthsOf } from "./compare-rows.ts";

const ROW_HEIGHT = 28;

const COMPARING = "Comparing…";

const NO_CHANGES = "No findings in either session, and no page that was loaded in both.";

/** The two sessions, the earlier at the left; the id `null` is the current session. */
export interface Pair {
  readonly left: Side;
  readonly right: Side;
}

export interface Side {
  readonly id: string | null;
  readonly name: string;
}

/** Compares two sessions, endpoint by endpoint. */
export function compareTable(deps: ViewDependencies, pair: Pair) {
  const { windows, selection, commands, announce, showMatches } = deps;
  let list: RecordList<"compare", CompareRow>;
  let counts: ValueSubscription<"comparison">;
  let unwatch = (): void => {};
  return view({
    heads: compareHeadsOf({ column: "verdict", descending: true }),
    frame: EMPTY_FRAME as ListFrame<CompareRow>,
    widths: compareWidthsOf([]),
    empty: false,
    /** Whether the right session is slower, in one sentence; "" if that cannot be told. */
    answer: COMPARING,
    /** "2 slower, 0 faster, 9 same, 2 can't tell"; "" until known. */
    summary: "",
    /** Page loads and findings that changed, of which one list is open, by its title. */
    lists: Object.freeze([]) as readonly ChangeList[],
    openList: "",
    /** Why there are no lists; "" if there are. */
    absence: "Comparing page loads and findings…",
    /** The chosen row; its requests can be opened in either session. */
    chosen: null as CompareRow | null,

    init(): void {
      list = new RecordList<"compare", CompareRow>({
        windows,
        name: "compare",
        rowHeight: ROW_HEIGHT,
        query: {
          view: "compare",
          left: pair.left.id,
          right: pair.right.id,
          filter: endpointFilterOf(selection.now.filter),
          sort: { column: "verdict", descending: true },
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
          this.widths = compareWidthsOf(
            frame.slots.flatMap(({ row }) => row ?? []),
            this.widths,
          );
        },
        moved: () => {},
        opened: (key) => {
          this.chosen = this.frame.slots.find(({ row }) => row?.key === key)?.row ?? null;
        },
      });
      list.attach(this.$refs);
      const count = (filter: string): void => {
        const query = { view: "comparison", left: pair.left.id, right: pair.right.id, filter } as const;
        counts = windows.value(query, () => {
          const { value, problem } = counts;
          this.summary = value === undefined || value === null ? "" : countsText(value.counts);
          if (value == null) this.answer = problem === null ? COMPARING : "";
          else this.answer = value.overall === null ? "" : overallText(value.overall);
        });
      };
      count(endpointFilterOf(selection.now.filter));
      void commands.send({ type: "compare-sessions", left: pair.left.id, right: pair.right.id }).then((reply) => {
        this.lists = reply.ok ? (reply.value as readonly ChangeList[]) : this.lists;
        this.openList = this.lists[0]?.title ?? "";
        this.absence = reply.ok && this.lists.length > 0 ? "" : NO_CHANGES;
        if (!reply.ok) this.absence = reply.problem;
      });
      unwatch = selection.watch(({ filter: whole }) => {
        const filter = endpointFilterOf(whole);
        if (filter === list.query.filter) return;
        list.restart({ filter });
        counts.close();
        count(filter);
      });
    },

    destroy(): void {
      unwatch();
      list.close();
      counts.close();
      showMatches(null);
    },

    sortBy(column: CompareColumn | null): void {
      if (column === null) return;
      const sort = sortAfter(list.query.sort, column, ["endpoint"]);
      list.restart({ sort });
      this.heads = compareHeadsOf(sort);
    },

    toggleList({ title }: ChangeList): void {
      this.openList = title === this.openList ? "" : title;
    },

    open({ row }: Slot<CompareRow>): void {
      if (row === null) return;
      list.activate(row.key);
      this.chosen = row;
    },

    async openRequests({ id }: Side): Promise<void> {
      if (this.chosen === null) return;
      const filter = `endpoint:"${this.chosen.key}"`;
      const reply = await commands.send(id === null ? { type: "show-current" } : { type: "open-session", session: id });
      if (reply.ok) selection.set({ view: "traffic", filter, exchange: null });
      else announce(reply.problem);
    },

    onKey(event: KeyboardEvent): void {
      list.onKey(event);
    },

    onMenu(event: MouseEvent): void {
      openEndpointMenu(deps, event, this.frame.slots);
    },
  });
}
