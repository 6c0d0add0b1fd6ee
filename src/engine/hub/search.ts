import { wordsOf } from "../model/words.ts";
import { nearest } from "./slip.ts";
import type { Category, Target } from "./target.ts";
import { CATEGORIES } from "./target.ts";
import { isToldBy } from "./troubles.ts";

/** Our choice: letters at the end of a filter that are compared with the troubles' texts; a trace ends with what went wrong. */
const MOST_PASTED = 8_000;

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
 *
 * Where that finds nothing, a word may also be the beginning of what a target is otherwise called; else the filter may be an
 * error that a target's troubles tell of; and where nothing of that is found, a word that stands nowhere is taken for the one
 * that it is a slip of the keyboard away from.
 */
export function search(targets: readonly Target[], filter: string): readonly FoundGroup[] {
  const words = wordsOf(filter);
  const found = searched(targets, words, isShown);
  if (found.length > 0) return found;
  const called = searched(targets, words, isCalled);
  if (called.length > 0) return called;
  const told = toldBy(targets, filter.slice(-MOST_PASTED));
  return told.length > 0 ? told : searched(targets, meantBy(words, targets), isCalled);
}

type Match = (target: Target, word: string) => boolean;

function searched(targets: readonly Target[], words: readonly string[], match: Match): readonly FoundGroup[] {
  return grouped(targets, words, (target) => words.every((word) => match(target, word)));
}

/** Nothing of it is marked: its words say nothing of a target. */
function toldBy(targets: readonly Target[], pasted: string): readonly FoundGroup[] {
  return grouped(targets, [], ({ troubles }) => troubles.some((trouble) => isToldBy(trouble, pasted)));
}

function grouped(
  targets: readonly Target[],
  words: readonly string[],
  isFound: (target: Target) => boolean,
): readonly FoundGroup[] {
  return CATEGORIES.map((category) => {
    const all = targets.filter((target) => target.category === category);
    const found = all.filter(isFound);
    return Object.freeze({
      category,
      highlights: highlightsOf(category, words),
      found: found.map((target) => foundOf(target, words)),
      total: all.length,
    });
  }).filter((group) => group.found.length > 0);
}

/** The separator keeps a word from matching across two fields. */
function isShown({ name, category, summary, support }: Target, word: string): boolean {
  return [name, category, summary, support].join("\n").toLowerCase().includes(word);
}

function isCalled(target: Target, word: string): boolean {
  return isShown(target, word) || otherNames(target).some((name) => name.startsWith(word));
}

function otherNames({ slug, also }: Target): readonly string[] {
  return wordsOf([slug, ...also].join(" "));
}

function meantBy(words: readonly string[], targets: readonly Target[]): readonly string[] {
  const shown = targets.flatMap(({ name, category, summary }) => `${name} ${category} ${summary}`.match(/\w+/g) ?? []);
  const known = [...wordsOf(shown.join(" ")), ...targets.flatMap(otherNames)];
  return words.map((word) =>
    targets.some((target) => isCalled(target, word)) ? word : (nearest(word, known) ?? word),
  );
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
