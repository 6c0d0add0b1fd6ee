/** Adds the item to the group of the key. */
export function addTo<Key, One>(groups: Map<Key, One[]>, key: Key, item: One): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Items grouped by key, in order. Items with the key `null` are left out. */
export function groupedBy<One>(
  items: Iterable<One>,
  keyOf: (item: One) => string | null,
): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) addTo(groups, key, item);
  }
  return groups;
}
