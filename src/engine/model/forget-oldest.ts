/** Keeps a map that grows by one at a time at `cap`. */
export function forgetOldest<Key>(map: Map<Key, unknown>, cap: number): void {
  if (map.size <= cap) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
