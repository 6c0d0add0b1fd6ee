type Key = string | number;

/** A row by its key, and where it was when it was last seen. */
export interface Place {
  readonly key: Key;
  readonly index: number;
}

/** Rows of a list from one to another, both included; `null` is the list's end at that side. */
export interface Stretch {
  readonly from: Place | null;
  readonly to: Place | null;
}

/**
 * The rows that are picked, as stretches: a million of them are as little to hold as two, and rows that come in between are
 * picked with the others.
 */
export type Picked = readonly Stretch[];

export const NOTHING_PICKED: Picked = Object.freeze([]);

export const ALL_PICKED: Picked = Object.freeze([Object.freeze({ from: null, to: null })]);

export function isPicked(picked: Picked, index: number): boolean {
  return picked.some(({ from, to }) => (from === null || from.index <= index) && (to === null || index <= to.index));
}

/** All from one row to another, whichever stands first. */
export function pickedBetween(one: Place, other: Place): Picked {
  const [from, to] = one.index <= other.index ? [one, other] : [other, one];
  return Object.freeze([Object.freeze({ from, to })]);
}

/** With that row where it was not picked, else without it. `before` and `after` stand next to it; `null`: none does. */
export function toggled(picked: Picked, place: Place, before: Place | null, after: Place | null): Picked {
  if (!isPicked(picked, place.index)) return Object.freeze([...picked, ...pickedBetween(place, place)]);
  return Object.freeze(
    picked.flatMap((stretch) => (isPicked([stretch], place.index) ? parted(stretch, place, before, after) : [stretch])),
  );
}

/** What is left of a stretch at both sides of one of its rows. */
function parted({ from, to }: Stretch, { index }: Place, before: Place | null, after: Place | null): Stretch[] {
  const parts: Stretch[] = [];
  if (before !== null && (from === null || from.index < index)) parts.push({ from, to: before });
  if (after !== null && (to === null || to.index > index)) parts.push({ from: after, to });
  return parts.map((part) => Object.freeze(part));
}

/** After the list has changed: its ends are where their rows are now, as far as that is known. */
export function relocated(picked: Picked, indexOf: (key: Key) => number | null): Picked {
  const moved = (place: Place | null): Place | null => {
    const index = place === null ? null : indexOf(place.key);
    return place === null || index === null || index === place.index ? place : Object.freeze({ ...place, index });
  };
  const now = picked.map((stretch) => {
    const [from, to] = [moved(stretch.from), moved(stretch.to)];
    return from === stretch.from && to === stretch.to ? stretch : Object.freeze({ from, to });
  });
  return now.every((stretch, at) => stretch === picked[at]) ? picked : Object.freeze(now);
}
