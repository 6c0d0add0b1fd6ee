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
