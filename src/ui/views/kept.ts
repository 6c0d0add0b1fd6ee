/** `before` where both say the same, so that nothing is drawn anew: a text that a person is selecting stays selected. */
export function kept<Value>(before: Value, now: Value): Value {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** Of rows each by itself: one that says what it said before is the same object. */
export function keptEach<Row extends { readonly key: string | number }>(
  before: readonly Row[],
  now: readonly Row[],
): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return Object.freeze(now.map((row) => kept(known.get(row.key) ?? row, row)));
}
