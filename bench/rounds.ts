import { median } from "./figures.ts";
import type { Field, Figures, Row } from "./part.ts";
import type { Ability, Subject } from "./subject.ts";
import { atMost, type Verdict } from "./verdict.ts";

/** Measures all subjects that have the ability. */
export async function interleaved(
  field: Field,
  ability: Ability,
  measure: (subject: Subject) => Promise<Figures>,
): Promise<readonly Row[]> {
  const able = field.subjects.filter(({ cannot }) => !cannot.includes(ability));
  return inTurns(field.rounds, able, measure);
}

/**
 * Measures the items one after the other, round after round, so that changes in the computer's speed affect all items
 * equally.
 */
export async function inTurns<Item extends { readonly name: string }>(
  rounds: number,
  items: readonly Item[],
  measure: (item: Item) => Promise<Figures>,
): Promise<readonly Row[]> {
  const taken = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const item of items) {
      const figures = await measured(item, measure);
      if (figures !== null) taken.set(item.name, [...(taken.get(item.name) ?? []), figures]);
    }
  }
  return [...taken].map(([subject, all]) => ({ subject, figures: mediansOf(all) }));
}

/** A figure in the row of a subject; NaN if there is none. A verdict on NaN is not judged. */
export function figure(rows: readonly Row[], subject: string, name: string): number {
  return rows.find((row) => row.subject === subject)?.figures[name] ?? Number.NaN;
}

/**
 * Judges Weir's figure divided by nginx's figure in the same run. The limit is `most`, which does not depend on the
 * computer (docs/specification.md, Speed limits).
 */
export function besideNginx(rows: readonly Row[], name: string, most: number): Verdict {
  const ratio = figure(rows, "Weir", name) / figure(rows, "nginx", name);
  return atMost(`${name} ≤ ${most}x that of nginx`, most, ratio, `${ratio.toFixed(1)}x`);
}

export function mediansOf(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((figures) => figures[name] ?? Number.NaN))]));
}

/** Measures an item. A peer that fails has no row; if Weir fails, the run fails. */
async function measured<Item extends { readonly name: string }>(
  item: Item,
  measure: (item: Item) => Promise<Figures>,
): Promise<Figures | null> {
  try {
    return await measure(item);
  } catch (error) {
    if (item.name.startsWith("Weir")) throw new Error(`${item.name}: ${String(error)}`, { cause: error });
    process.stderr.write(`${item.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}
