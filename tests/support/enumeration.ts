/** All ways to choose `count` indexes below `total`. */
export function* subsetsOf(total: number, count: number, from = 0): Generator<readonly number[], void, undefined> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= total - count; first += 1)
    for (const rest of subsetsOf(total, count - 1, first + 1)) yield [first, ...rest];
}

/** All orders of the indexes below `total`. */
export function* ordersOf(total: number): Generator<readonly number[], void, undefined> {
  if (total === 0) {
    yield [];
    return;
  }
  for (const rest of ordersOf(total - 1))
    for (let at = 0; at <= rest.length; at += 1) yield [...rest.slice(0, at), total - 1, ...rest.slice(at)];
}
