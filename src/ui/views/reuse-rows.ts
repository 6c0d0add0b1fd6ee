/** Returns `before` if both are equal, so that nothing is redrawn and text that the user selected stays selected. */
export function reuseIfEqual<Value>(before: Value, now: Value): Value {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** `reuseIfEqual` for each row: an unchanged row stays the same object. */
export function reuseRows<Row extends { readonly key: string | number }>(
  before: readonly Row[],
  now: readonly Row[],
): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return Object.freeze(now.map((row) => reuseIfEqual(known.get(row.key) ?? row, row)));
}
