/**
 * One iterator for each map, kept between evictions. A new iterator would first skip all deleted entries: 60 µs for
 * 100,000 of them.
 */
const walks = new WeakMap<ReadonlyMap<unknown, unknown>, Iterator<unknown>>();

/** Evicts the oldest entry if the map has more than `cap` entries. Call it after each addition. */
export function evictOldest<Key>(map: Map<Key, unknown>, cap: number): void {
  if (map.size <= cap) return;
  const walk = (walks.get(map) as Iterator<Key, undefined> | undefined) ?? map.keys();
  walks.set(map, walk);
  // The iterator has not ended: it has visited only entries that were then deleted.
  const oldest = walk.next();
  if (oldest.done !== true) map.delete(oldest.value);
}
