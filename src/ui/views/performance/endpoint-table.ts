import type { Range, Sort } from "../../../engine/messages/list-messages.ts";
import type { RecordOf } from "../../../engine/messages/messages.ts";
import type { Endpoint } from "../../../engine/model/endpoint.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list/list-frame.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { ListSubscription, QueryOf } from "../../state/subscription-store.ts";
import { type ColumnHeader, sortAfter, sortIn, sortTextOf } from "../column-headers.ts";
import { openEndpointMenu } from "../context-menu.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { matchesOf } from "../list-now.ts";
import { RecordList } from "../record-list.ts";
import { view } from "../view.ts";

const ROW_HEIGHT = 28;
const FIRST_ROWS = 60;

type TableView = "latency" | "payload" | "trends";

interface TableScope<Column extends string> {
  readonly filter: string;
  readonly sort: Sort<Column>;
  readonly range: Range;
}

/** What distinguishes one table of endpoints from the others. */
interface EndpointTableOptions<View extends TableView, Column extends string, Row> {
  /** The list's name, unique in the page. */
  readonly name: string;
  /** The query for rows in the order `sort`. */
  queryOf(scope: TableScope<Column>): QueryOf<View> & { readonly view: View };
  /** The order until the user chooses another one. */
  readonly sort: Sort<Column>;
  headersOf(sort: Sort<Column>): readonly ColumnHeader<Column>[];
  rowOf(record: RecordOf[View]): Row;
  /** The key of an endpoint's record, and its inverse. */
  keyOf(endpoint: Endpoint): string;
  endpointOf(key: string): Endpoint;
}

interface MountedTable<Column extends string, Row> {
  headers: readonly ColumnHeader<Column>[];
  frame: ListFrame<Row>;
  problem: string;
  scope: string;
  readonly $refs: Readonly<Record<string, HTMLElement>>;
  $nextTick(run: () => void): void;
}

/**
 * A table with a row for each endpoint, which opens the endpoint's panel. `members`: of the table's view. `attach` is
 * called when the view is mounted, `close` when it is destroyed.
 */
export function endpointTable<View extends TableView, Column extends string, Row extends { readonly key: string }>(
  { windows, selection, showMatches, openMenu }: ViewDependencies,
  options: EndpointTableOptions<View, Column, Row>,
) {
  const { headersOf, keyOf, endpointOf } = options;
  let list: RecordList<View, Row>;
  let unwatch = (): void => {};
  const columns = headersOf(options.sort).flatMap(({ column }) => column ?? []);
  const sortNow = () => sortIn(selection.now.tableSort, columns, options.sort);
  const changeOf = (change: Partial<TableScope<Column>>) => change as Partial<QueryOf<View>>;
  const select = (key: string | number): void => selection.set({ endpoint: endpointOf(String(key)), exchange: null });

  const members = view({
    headers: headersOf(sortNow()),
    frame: EMPTY_FRAME as ListFrame<Row>,
    /** Why the filter was refused; "" if it was accepted. */
    problem: "",
    /** The text of `scopeText`. */
    scope: scopeText(selection.now.filter),

    sortBy(column: Column | null): void {
      if (column === null) return;
      selection.set({ tableSort: sortTextOf(sortAfter<Column>(sortNow(), column, ["endpoint" as Column])) });
    },

    open({ row }: Slot<Row>): void {
      if (row === null) return;
      list.activate(row.key);
      select(row.key);
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

  return {
    members,

    /** Fills the mounted view. `arrived`: called after each answer. */
    attach(
      mounted: MountedTable<Column, Row>,
      arrived: (records: ListSubscription<View>) => void,
    ): RecordList<View, Row> {
      let [filter, sort] = [selection.now.filter, sortNow()];
      list = new RecordList<View, Row>({
        windows,
        name: options.name,
        rowHeight: ROW_HEIGHT,
        query: options.queryOf({ filter, sort, range: { from: 0, count: FIRST_ROWS } }),
        keyOf: ({ endpoint }) => keyOf(endpoint),
        rowOf: options.rowOf,
        arrived: (records) => {
          showMatches(matchesOf(records));
          mounted.problem = records.problem ?? "";
          arrived(records);
        },
        draw: (frame) => {
          mounted.frame = frame;
        },
        moved: (key) => {
          if (selection.now.endpoint !== null) select(key);
        },
        opened: select,
      });
      list.attach(mounted.$refs);
      let shown = selection.now.endpoint;
      list.activate(shown === null ? null : keyOf(shown));
      unwatch = selection.watch(({ filter: nextFilter, endpoint }) => {
        mounted.scope = scopeText(nextFilter);
        const nextSort = sortNow();
        if (sortTextOf(nextSort) !== sortTextOf(sort)) {
          sort = nextSort;
          mounted.headers = headersOf(sort);
          list.restart(changeOf({ sort }));
        }
        if (endpoint !== null && endpoint !== shown) {
          const key = keyOf(endpoint);
          list.activate(key);
          // The panel opens below and may cover the row, so the row is scrolled into view.
          mounted.$nextTick(() => list.reveal(key));
        }
        shown = endpoint;
        if (nextFilter === filter) return;
        filter = nextFilter;
        list.restart(changeOf({ filter }));
      });
      return list;
    },

    close(): void {
      unwatch();
      list.close();
      showMatches(null);
    },
  };
}

/** Says that the filter limits the endpoints in a table, but not their figures; "" without a filter. */
export function scopeText(filter: string): string {
  return filter === "" ? "" : "Only endpoints with a matching exchange; their figures cover the whole session";
}
