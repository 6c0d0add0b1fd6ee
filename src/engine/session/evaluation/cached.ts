/** One value, made again only once something that it was made from is another one. */
export class Cached<Value> {
  #known: { readonly from: readonly unknown[]; readonly value: Value } | null = null;

  /** The value. `from`: all that `make` reads and that may change; compared one by one (`===`). */
  of(from: readonly unknown[], make: () => Value): Value {
    const known = this.#known;
    if (known !== null && from.every((one, index) => one === known.from[index])) return known.value;
    const value = make();
    this.#known = { from, value };
    return value;
  }
}

/** The value of `key`, made once and kept as long as the key exists. */
export function cachedFor<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make();
  known.set(key, value);
  return value;
}
