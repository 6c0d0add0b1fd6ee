import type { Category, Target } from "./target.ts";
import { CATEGORIES } from "./target.ts";

/** Where a word of the filter stands in a text: half-open, in UTF-16 units. */
export interface Highlight {
  readonly from: number;
  readonly to: number;
}

export interface Found {
  readonly target: Target;
  /** Merged and in order, ready to be marked. */
  readonly name: readonly Highlight[];
  readonly summary: readonly Highlight[];
  readonly support: readonly Highlight[];
}

export interface FoundGroup {
  readonly category: Category;
  readonly highlights: readonly Highlight[];
  readonly found: readonly Found[];
  /** Targets of the category, matching or not. */
  readonly total: number;
}

/**
 * The source list under a filter: every word of it must stand, in whatever case, somewhere in the target's name, category,
 * summary or support label. Categories keep their order; those without a match are left out. Empty filter: all targets.
 */
export function search(targets: readonly Target[], filter: string): readonly FoundGroup[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return CATEGORIES.map((category) => {
    const all = targets.filter((target) => target.category === category);
    const found = all.filter((target) => matches(target, words)).map((target) => foundOf(target, words));
    return Object.freeze({ category, highlights: highlightsOf(category, words), found, total: all.length });
  }).filter((group) => group.found.length > 0);
}

function matches({ name, category, summary, support }: Target, words: readonly string[]): boolean {
  // The separator keeps a word from matching across two fields.
  const text = [name, category, summary, support].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function foundOf(target: Target, words: readonly string[]): Found {
  return Object.freeze({
    target,
    name: highlightsOf(target.name, words),
    summary: highlightsOf(target.summary, words),
    support: highlightsOf(target.support, words),
  });
}

/** Every place of every word; places that touch or overlap become one. */
export function highlightsOf(text: string, words: readonly string[]): readonly Highlight[] {
  const lower = text.toLowerCase();
  const places: Highlight[] = [];
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
      places.push({ from: at, to: at + word.length });
  }
  places.sort((a, b) => a.from - b.from || a.to - b.to);
  const merged: Highlight[] = [];
  for (const place of places) {
    const last = merged.at(-1);
    if (last === undefined || place.from > last.to) merged.push(place);
    else if (place.to > last.to) merged[merged.length - 1] = { from: last.from, to: place.to };
  }
  return Object.freeze(merged);
}
