import { addTo, type Group } from "../grouped.ts";

/**
 * Groups items so that items with a common key are in one group, directly or through others. Groups and their items
 * keep the order.
 */
export function joinedBy<One>(items: readonly One[], keysOf: (item: One) => readonly string[]): readonly One[][] {
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
  const keyed = items.map((item) => ({ item, keys: keysOf(item) }));
  for (const { keys } of keyed)
    for (const key of keys.slice(1)) {
      const [from, to] = [rootOf(key), rootOf(keys[0] ?? key)];
      if (from !== to) parents.set(from, to);
    }
  const groups = new Map<string, One[]>();
  for (const { item, keys } of keyed) addTo(groups, rootOf(keys[0] ?? ""), item);
  return [...groups.values()];
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
