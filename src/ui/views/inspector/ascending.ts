/** Index of the first of `count` ascending numbers that is not below `least`; `count` if all are. */
export function firstFrom(count: number, numberAt: (index: number) => number, least: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
