/**
 * The first place from `begin` to before `end` at which `holds` is true, for a monotone `holds`; `end` if there is
 * none.
 */
export function lowerBound(begin: number, end: number, holds: (place: number) => boolean): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
