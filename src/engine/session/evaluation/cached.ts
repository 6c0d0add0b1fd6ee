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
