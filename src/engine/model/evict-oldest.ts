/**
 * One iterator for each map, kept between evictions. A new iterator would first skip all deleted entries: 60 µs for
 * 100,000 of them.
 */
const walks = new WeakMap<ReadonlyMap<unknown, unknown>, Iterator<unknown>>();

/**
 * Evicts the oldest entry if the map has more than `cap` entries, and returns its key; `null` if it has not. Call it
 * after each addition.
 */
export function evictOldest<Key>(map: Map<Key, unknown>, cap: number): Key | null {
  if (map.size <= cap) return null;
  const walk = (walks.get(map) as Iterator<Key, undefined> | undefined) ?? map.keys();
  walks.set(map, walk);
  // The iterator has not ended: it has visited only entries that were then deleted.
  const oldest = walk.next();
  if (oldest.done === true) return null;
  map.delete(oldest.value);
  return oldest.value;
}
