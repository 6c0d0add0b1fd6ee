import type { Summary } from "../../../engine/messages/status-messages.ts";
import type { PathBranch, TreeNode } from "../../../engine/messages/traffic-messages.ts";
import { countText } from "../../format/count.ts";
import { quotedValue } from "../filter-term.ts";

/** A line of the host tree in the sidebar: a host, or a path below a host. */
export interface HostRow {
  readonly key: string;
  /** `null`: the row shows the number of places that are not listed. */
  readonly node: TreeNode | null;
  readonly label: string;
  /** The label, split where a line may end: after each dot. */
  readonly pieces: readonly string[];
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
  const below = (node: TreeNode, level: number): void => {
    const branch = open.has(keyOf(node)) ? known.get(keyOf(node)) : undefined;
    if (branch === undefined) return;
    for (const { path, exchanges, isLeaf } of branch.children) {
      const child = Object.freeze({ host: node.host, path });
      rows.push(rowOf(child, path.slice(node.path.length), exchanges, level, isLeaf ? null : open.has(keyOf(child))));
      below(child, level + 1);
    }
    if (branch.more > 0) rows.push(moreRow(keyOf(node), branch.more, level));
  };
  for (const { host, exchanges } of hosts) {
    const node = Object.freeze({ host, path: "" });
    rows.push(rowOf(node, host, exchanges, 1, open.has(host)));
    below(node, 2);
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

function keyOf({ host, path }: TreeNode): string {
  return host + path;
}

/** The filter that a place and everything below it match. */
export function filterUnder(node: TreeNode): string {
  return `under:${quotedValue(keyOf(node))}`;
}

/** The key of the row whose filter is set; "" if there is none. */
export function keyShownBy(filter: string): string {
  const [, quoted, plain] = /^under:(?:"([^"]+)"|([^\s"]+))$/.exec(filter.trim()) ?? [];
  return quoted ?? plain ?? "";
}

function rowOf(node: TreeNode, label: string, exchanges: number, level: number, isOpen: boolean | null): HostRow {
  return Object.freeze({
    key: keyOf(node),
    node,
    label,
    pieces: label.split(/(?<=\.)/),
    exchanges: countText(exchanges),
    level,
    expanded: isOpen === null ? null : (String(isOpen) as "true" | "false"),
    icon: isOpen === null ? "" : `#icon-${isOpen ? "unfolded" : "folded"}`,
    title: `Show only ${keyOf(node)}`,
    indent: indentOf(level),
  });
}

function moreRow(key: string, more: number, level: number): HostRow {
  const label = `${countText(more)} more`;
  const indent = indentOf(level);
  return Object.freeze({
    key: `${key} more`,
    node: null,
    label,
    exchanges: "",
    level,
    expanded: null,
    icon: "",
    title: "",
    indent,
    pieces: [label],
  });
}

function indentOf(level: number): HostRow["indent"] {
  return Object.freeze({ paddingLeft: `${(level - 1) * INDENT}px` });
}
