/**
 * The rows at the places `from` to `to` of the order by key, then by row, ascending; NaN keys last. Only that window is
 * sorted. `keys` lie beside `rows`; both arrays are rearranged.
 */
export function selectRows(keys: Float64Array, rows: Uint32Array, from: number, to: number): Uint32Array {
  for (let index = 0; index < keys.length; index += 1) {
    if (Number.isNaN(keys[index])) keys[index] = Number.POSITIVE_INFINITY;
  }
  const end = Math.min(to, rows.length);
  const begin = Math.min(from, end);
  if (begin === end) return new Uint32Array(0);
  if (begin > 0) partition(keys, rows, 0, rows.length - 1, begin);
  if (end < rows.length) partition(keys, rows, begin, rows.length - 1, end - 1);
  const places = Array.from({ length: end - begin }, (_, index) => begin + index);
  places.sort((a, b) => keyAt(keys, a) - keyAt(keys, b) || rowAt(rows, a) - rowAt(rows, b));
  return Uint32Array.from(places, (place) => rowAt(rows, place));
}

/**
 * The first `count` of `rows` (ascending) in that same order, for a `count` that is far smaller: they are kept in a heap, the last
 * on top, so that one look at each row is enough and nothing is made for it.
 */
export function leastRows(rows: Uint32Array, keyOf: (row: number) => number, count: number): Uint32Array {
  const keys = new Float64Array(count);
  const kept = new Uint32Array(count);
  let size = 0;
  for (let index = 0; index < rows.length && count > 0; index += 1) {
    const row = rows[index] as number;
    const found = keyOf(row);
    const key = Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
    if (size < count) {
      keys[size] = key;
      kept[size] = row;
      rise(keys, kept, size);
      size += 1;
    } else if (key < keyAt(keys, 0)) {
      keys[0] = key;
      kept[0] = row;
      sink(keys, kept, size);
    }
  }
  const places = Array.from({ length: size }, (_, place) => place);
  places.sort((a, b) => keyAt(keys, a) - keyAt(keys, b) || rowAt(kept, a) - rowAt(kept, b));
  return Uint32Array.from(places, (place) => rowAt(kept, place));
}

function rise(keys: Float64Array, rows: Uint32Array, from: number): void {
  for (let at = from, above = (at - 1) >> 1; at > 0 && isBehind(keys, rows, at, above); above = (at - 1) >> 1) {
    swap(keys, rows, at, above);
    at = above;
  }
}

function sink(keys: Float64Array, rows: Uint32Array, size: number): void {
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    if (left >= size) return;
    const below = left + 1 < size && isBehind(keys, rows, left + 1, left) ? left + 1 : left;
    if (!isBehind(keys, rows, below, at)) return;
    swap(keys, rows, at, below);
    at = below;
  }
}

function isBehind(keys: Float64Array, rows: Uint32Array, a: number, b: number): boolean {
  const [left, right] = [keyAt(keys, a), keyAt(keys, b)];
  return left > right || (left === right && rowAt(rows, a) > rowAt(rows, b));
}

/** Hoare's selection between `left` and `right`: afterwards nothing before `place` is greater, nothing behind is less. */
function partition(keys: Float64Array, rows: Uint32Array, left: number, right: number, place: number): void {
  let first = left;
  let last = right;
  while (first < last) {
    const middle = middleOf(keys, rows, first, last);
    const key = keyAt(keys, middle);
    const row = rowAt(rows, middle);
    let low = first - 1;
    let high = last + 1;
    for (;;) {
      do low += 1;
      while (keyAt(keys, low) < key || (keyAt(keys, low) === key && rowAt(rows, low) < row));
      do high -= 1;
      while (keyAt(keys, high) > key || (keyAt(keys, high) === key && rowAt(rows, high) > row));
      if (low >= high) break;
      swap(keys, rows, low, high);
    }
    if (place <= high) last = high;
    else first = high + 1;
  }
}

/** The middle one of first, middle and last: never the last place of more than one, or the loop above would not end. */
function middleOf(keys: Float64Array, rows: Uint32Array, first: number, last: number): number {
  const middle = (first + last) >>> 1;
  const less = (a: number, b: number): boolean =>
    keyAt(keys, a) < keyAt(keys, b) || (keyAt(keys, a) === keyAt(keys, b) && rowAt(rows, a) < rowAt(rows, b));
  const [small, large] = less(first, middle) ? [first, middle] : [middle, first];
  if (less(last, small)) return small;
  return less(large, last) ? large : last;
}

function swap(keys: Float64Array, rows: Uint32Array, a: number, b: number): void {
  const key = keyAt(keys, a);
  const row = rowAt(rows, a);
  keys[a] = keyAt(keys, b);
  rows[a] = rowAt(rows, b);
  keys[b] = key;
  rows[b] = row;
}

function keyAt(keys: Float64Array, index: number): number {
  return keys[index] as number;
}

function rowAt(rows: Uint32Array, index: number): number {
  return rows[index] as number;
}
