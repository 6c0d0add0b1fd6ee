import type { Range } from "../../messages/list-messages.ts";
import { selectRank } from "../../stats/selection.ts";

/**
 * The requested range of the items, sorted by `keys` ascending. Sorts only this range; items with equal keys keep their
 * order. `keys`: one for each item, in the order of the items; each NaN is overwritten with Infinity.
 */
export function windowOf<Item>(items: ArrayLike<Item>, keys: Float64Array, { from, count }: Range): Item[] {
  const to = Math.min(items.length, from + count);
  if (from >= to) return [];
  for (let place = 0; place < keys.length; place += 1) {
    if (Number.isNaN(keys[place])) keys[place] = Number.POSITIVE_INFINITY;
  }
  const ranked = keys.slice();
  const first = selectRank(ranked, ranked.length, from);
  const last = selectRank(ranked, ranked.length, to - 1);
  const places: number[] = [];
  let before = 0;
  for (let place = 0; place < keys.length; place += 1) {
    const key = keys[place] as number;
    if (key < first) before += 1;
    else if (key <= last) places.push(place);
  }
  places.sort((left, right) => (keys[left] as number) - (keys[right] as number));
  return places.slice(from - before, to - before).map((place) => items[place] as Item);
}
