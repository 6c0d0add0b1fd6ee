import type { Steps } from "../../model/steps.ts";

/** Items per slice; a slice takes a few milliseconds. */
const SLICE = 1_000;

/** The items for which `isChosen` is true, in order. Time-sliced. */
export function* chosenFrom<One>(items: readonly One[], isChosen: (item: One) => boolean): Steps<readonly One[]> {
  const chosen: One[] = [];
  const pace = new Pace();
  for (const item of items) {
    if (pace.isDue(1)) yield;
    if (isChosen(item)) chosen.push(item);
  }
  return chosen;
}

/** Items grouped by key, in order. Items with the key `null` are left out. Time-sliced. */
export function* groupedFrom<One>(
  items: readonly One[],
  keyOf: (item: One) => string | null,
): Steps<ReadonlyMap<string, readonly One[]>> {
  const groups = new Map<string, One[]>();
  const pace = new Pace();
  for (const item of items) {
    if (pace.isDue(1)) yield;
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Counts items and says when a slice ends, for loops over lists of any length. */
export class Pace {
  #done = 0;

  /** Counts `count` more items. Returns whether to yield before them. */
  isDue(count: number): boolean {
    this.#done += count;
    if (this.#done < SLICE) return false;
    this.#done = 0;
    return true;
  }
}
