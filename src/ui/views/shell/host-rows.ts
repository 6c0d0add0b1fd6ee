import type { Summary } from "../../../engine/messages/status-messages.ts";
import type { PathBranch, TreePlace } from "../../../engine/messages/traffic-messages.ts";
import { countText } from "../../format/count.ts";
import { quotedValue } from "../filter-term.ts";

/** A line of the host tree in the sidebar: a host, or a path below a host. */
export interface HostRow {
  readonly key: string;
  /** `null`: the row shows the number of places that are not listed. */
  readonly place: TreePlace | null;
  readonly label: string;
  readonly exchanges: string;
  /** For aria-level. */
  readonly level: number;
  /** For aria-expanded; `null` if there are no children. */
  readonly expanded: "true" | "false" | null;
  readonly icon: string;
  readonly title: string;
  /** For :style. */
  readonly indent: { readonly paddingLeft: string };
}

/** Pixels of indentation per level. */
const INDENT = 12;

/** The rows of the tree, from the top. `open`: keys of open places; `branches`: the known children of places. */
export function hostRowsOf(
  { hosts, hostCount }: Pick<Summary, "hosts" | "hostCount">,
  open: ReadonlySet<string>,
  branches: readonly PathBranch[],
): readonly HostRow[] {
  const known = new Map(branches.map((branch) => [keyOf(branch), branch]));
  const rows: HostRow[] = [];
  const below = (place: TreePlace, level: number): void => {
    const branch = open.has(keyOf(place)) ? known.get(keyOf(place)) : undefined;
    if (branch === undefined) return;
    for (const { path, exchanges, isLeaf } of branch.children) {
      const child = Object.freeze({ host: place.host, path });
      rows.push(rowOf(child, path.slice(place.path.length), exchanges, level, isLeaf ? null : open.has(keyOf(child))));
      below(child, level + 1);
    }
    if (branch.more > 0) rows.push(moreRow(keyOf(place), branch.more, level));
  };
  for (const { host, exchanges } of hosts) {
    const place = Object.freeze({ host, path: "" });
    rows.push(rowOf(place, host, exchanges, 1, open.has(host)));
    below(place, 2);
  }
  if (hostCount > hosts.length) rows.push(moreRow("", hostCount - hosts.length, 1));
  return Object.freeze(rows);
}

/** Why there are no hosts; "" if there are hosts, or the answer is awaited. */
export function absenceOf({
  value,
  problem,
}: {
  readonly value: Pick<Summary, "hosts" | "sessionEnd" | "ofHiddenHosts"> | undefined;
  readonly problem: string | null;
}): string {
  if (value === undefined) return problem === null ? "" : "Weir does not respond";
  if (value.hosts.length > 0) return "";
  if (value.ofHiddenHosts > 0) return "All are hidden";
  return value.sessionEnd === null ? "None until the first request" : "None in this session";
}

function keyOf({ host, path }: TreePlace): string {
  return host + path;
}

/** The rows; unchanged rows stay the same objects, so that they are not redrawn. */
export function keptRows(rows: readonly HostRow[], before: readonly HostRow[]): readonly HostRow[] {
  const known = new Map(before.map((row) => [row.key, row]));
  const same = (row: HostRow, old: HostRow | undefined): old is HostRow =>
    old?.exchanges === row.exchanges && old.expanded === row.expanded && old.label === row.label;
  return Object.freeze(
    rows.map((row) => {
      const old = known.get(row.key);
      return same(row, old) ? old : row;
    }),
  );
}

/** The filter that a place and everything below it match. */
export function filterUnder(place: TreePlace): string {
  return `under:${quotedValue(keyOf(place))}`;
}

/** The key of the row whose filter is set; "" if there is none. */
export function keyShownBy(filter: string): string {
  const [, quoted, plain] = /^under:(?:"([^"]+)"|([^\s"]+))$/.exec(filter.trim()) ?? [];
  return quoted ?? plain ?? "";
}

function rowOf(place: TreePlace, label: string, exchanges: number, level: number, isOpen: boolean | null): HostRow {
  return Object.freeze({
    key: keyOf(place),
    place,
    label,
    exchanges: countText(exchanges),
    level,
    expanded: isOpen === null ? null : (String(isOpen) as "true" | "false"),
    icon: isOpen === null ? "" : `#icon-${isOpen ? "unfolded" : "folded"}`,
    title: `Show only ${keyOf(place)}`,
    indent: indentOf(level),
  });
}

function moreRow(key: string, more: number, level: number): HostRow {
  const label = `${countText(more)} more`;
  const indent = indentOf(level);
  return Object.freeze({
    ...{ key: `${key} more`, place: null, label, exchanges: "", level, expanded: null, icon: "", title: "", indent },
  });
}

function indentOf(level: number): HostRow["indent"] {
  return Object.freeze({ paddingLeft: `${(level - 1) * INDENT}px` });
}
