/** The first place from `begin` to before `end` at which it holds, where it holds at all behind that; `end` if it holds at none. */
export function firstPlace(begin: number, end: number, holds: (place: number) => boolean): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
