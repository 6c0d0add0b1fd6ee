import { type Group, groupedBy } from "../grouped.ts";

/**
 * Groups items so that items with a common key are in one group, directly or through others. Groups and their items
 * keep the order.
 */
export function joinedBy<One>(items: readonly One[], keysOf: (item: One) => readonly string[]): readonly Group<One>[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    for (let at = key; at !== root; ) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  for (const item of items) {
    const [first = "", ...others] = keysOf(item);
    for (const key of others) {
      const [from, to] = [rootOf(key), rootOf(first)];
      if (from !== to) parents.set(from, to);
    }
  }
  return [...groupedBy(items, (item) => rootOf(keysOf(item)[0] ?? "")).values()];
}

/** Groups items that are alike, in order: each joins the first group to whose first item it is alike. */
export function joinedAlike<One>(
  items: readonly One[],
  isAlike: (one: One, other: One) => boolean,
): readonly Group<One>[] {
  const groups: [One, ...One[]][] = [];
  for (const item of items) {
    const group = groups.find(([first]) => isAlike(first, item));
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return groups;
}
