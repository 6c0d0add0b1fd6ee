/** A binary heap: `pop` takes the item that comes first in the given order. O(log n). */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #before: (left: Item, right: Item) => boolean;

  constructor(before: (left: Item, right: Item) => boolean) {
    this.#before = before;
  }

  get top(): Item | null {
    return this.#items[0] ?? null;
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as Item;
      if (!this.#before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Item | null {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined) return null;
    if (items.length > 0) this.#sink(last);
    return top;
  }

  /** Replaces the top with `item` and sifts it down. */
  #sink(item: Item): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1] as Item, items[child] as Item)) child += 1;
      const below = items[child] as Item;
      if (!this.#before(below, item)) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
