import { median } from "./figures.ts";
import type { Field, Figures, Row } from "./part.ts";
import type { Ability, Subject } from "./subject.ts";
import { atMost, type Verdict } from "./verdict.ts";

/** Measures every subject with that ability. */
export async function interleaved(
  field: Field,
  ability: Ability,
  measure: (subject: Subject) => Promise<Figures>,
): Promise<readonly Row[]> {
  const able = field.subjects.filter(({ cannot }) => !cannot.includes(ability));
  return inTurns(field.rounds, able, measure);
}

/** Measures each in turn, round after round, so that fluctuations of the machine affect all alike. */
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

/** A figure of one subject's row; NaN where it has none, so that comparisons with it are not judged. */
export function figure(rows: readonly Row[], subject: string, name: string): number {
  return rows.find((row) => row.subject === subject)?.figures[name] ?? Number.NaN;
}

/**
 * Weir's figure as a multiple of nginx's of the same run, at most `most` (docs/specification.md, Speed limits): a limit
 * that does not depend on the machine.
 */
export function besideNginx(rows: readonly Row[], name: string, most: number): Verdict {
  const ratio = figure(rows, "Weir", name) / figure(rows, "nginx", name);
  return atMost(`${name} ≤ ${most}x that of nginx`, most, ratio, `${ratio.toFixed(1)}x`);
}

export function mediansOf(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((figures) => figures[name] ?? Number.NaN))]));
}

/** Measures one item. A peer that fails has no row; a failure of Weir fails the run. */
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
