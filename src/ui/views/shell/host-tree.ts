import type { TreeNode } from "../../../engine/messages/traffic-messages.ts";
import { countText } from "../../format/count.ts";
import { indexAfter } from "../../parts/list/list-keys.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import { positionAt, valueSubject } from "../context-menu.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { reuseRows } from "../reuse-rows.ts";
import { view } from "../view.ts";
import { absenceOf, filterUnder, type HostRow, hostRowsOf, keyShownBy } from "./host-rows.ts";

/** How many places can be open at most, as in engine/messages/decoded.ts. */
const MOST_OPEN = 50;

/** Rows by which Page Up and Page Down move. */
const PAGE = 10;

/** The tree of the session's hosts and paths in the sidebar; choosing a row sets the filter. */
export function hostTree({
  windows,
  selection,
  openMenu,
}: Pick<ViewDependencies, "windows" | "selection" | "openMenu">) {
  /** Keys of open places, in the order in which they were opened. */
  const open = new Set<string>();
  let summary: ValueSubscription<"summary">;
  let paths: ValueSubscription<"paths"> | null = null;

  function show(node: TreeNode | null): void {
    if (node !== null) selection.set({ view: "traffic", filter: filterUnder(node), exchange: null });
  }

  /** Subscribes to the children of the open places among the rows. */
  function ask(rows: readonly HostRow[], draw: () => void): void {
    const openNodes = rows.flatMap(({ node, expanded }) => (expanded === "true" && node !== null ? [node] : []));
    if (openNodes.length === 0) {
      paths?.close();
      paths = null;
      return;
    }
    const query = { view: "paths", open: openNodes.slice(0, MOST_OPEN) } as const;
    if (paths === null) paths = windows.value(query, draw);
    else paths.update(query);
  }

  return view({
    rows: Object.freeze([]) as readonly HostRow[],
    count: "",
    /** Why there are no rows; empty if they are present or awaited. */
    absence: "",
    /** Key of the row that the Tab key reaches. */
    current: "",
    /** Key of the row whose filter is set; empty if there is none. */
    shown: keyShownBy(selection.now.filter),

    init(): void {
      summary = windows.value({ view: "summary" }, () => this.draw());
      selection.watch(({ filter }) => {
        this.shown = keyShownBy(filter);
      });
    },

    draw(): void {
      const { value } = summary;
      this.absence = absenceOf(summary);
      if (value === undefined) return;
      this.count = countText(value.hostCount);
      this.rows = reuseRows(this.rows, hostRowsOf(value, open, paths?.value ?? []));
      if (!this.rows.some(({ key }) => key === this.current)) this.current = this.rows[0]?.key ?? "";
      ask(this.rows, () => this.draw());
    },

    fold({ key, expanded }: HostRow): void {
      if (expanded === null) return;
      if (!open.delete(key)) open.add(key);
      const [oldest] = open;
      if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
      this.draw();
    },

    onClick(event: MouseEvent): void {
      const target = event.target as Element;
      const row = rowAt(this.rows, target);
      if (row === undefined) return;
      this.current = row.key;
      if (target.closest(".nav-fold") !== null && row.expanded !== null) this.fold(row);
      else show(row.node);
    },

    onMenu(event: MouseEvent): void {
      event.preventDefault();
      const node = rowAt(this.rows, event.target as Element)?.node ?? null;
      if (node === null) return;
      const value = { term: filterUnder(node), text: null, line: null };
      openMenu({ ...valueSubject(value), host: node.host, ...positionAt(event) });
    },

    onKey(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = this.rows.findIndex(({ key }) => key === this.current);
      const row = this.rows[at];
      const to = indexAfter(event.key, { active: at, first: 0, page: PAGE, count: this.rows.length });
      if (row === undefined) return;
      if (to !== null) this.goTo(this.rows[Math.min(Math.max(to, 0), this.rows.length - 1)]);
      else if (event.key === "Enter" || event.key === " ") show(row.node);
      else if (event.key === "ArrowRight" && row.expanded === "true") this.goTo(this.rows[at + 1]);
      else if (event.key === "ArrowLeft" && row.expanded !== "true")
        this.goTo(this.rows.slice(0, at).findLast(({ level }) => level < row.level));
      else if (event.key === "ArrowRight" || event.key === "ArrowLeft") this.fold(row);
      else return;
      event.preventDefault();
    },

    goTo(row: HostRow | undefined): void {
      if (row === undefined) return;
      this.current = row.key;
      this.$root.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`)?.focus();
    },
  });
}

function rowAt(rows: readonly HostRow[], element: Element): HostRow | undefined {
  const item = element.closest<HTMLElement>("[role=treeitem]");
  return rows.find(({ key }) => key === item?.dataset["key"]);
}
