/** Random numbers in [0, 1) from a seed (mulberry32), the same for each run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Puts the values from `from` up to `to` (exclusive) into a random order, each order equally likely. */
export function shuffle<Value>(
  values: { [index: number]: Value },
  from: number,
  to: number,
  random: () => number,
): void {
  for (let last = to - 1; last > from; last -= 1) {
    const chosen = from + Math.floor(random() * (last - from + 1));
    const value = values[chosen] as Value;
    values[chosen] = values[last] as Value;
    values[last] = value;
  }
}
