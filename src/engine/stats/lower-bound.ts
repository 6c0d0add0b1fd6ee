/**
 * The first index from `begin` to before `end` at which `holds` is true; `end` if there is none. If `holds` is true at
 * an index, it must be true at all later ones.
 */
export function lowerBound(begin: number, end: number, holds: (index: number) => boolean): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
