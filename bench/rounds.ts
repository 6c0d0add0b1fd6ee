import { median } from "./figures.ts";
import type { Field, Figures, Row } from "./part.ts";
import type { Ability, Subject } from "./subjects.ts";

/** Measures every subject that is able to, in turn, round after round, so that the machine's moods meet all alike. */
export async function interleaved(
  field: Field,
  ability: Ability,
  measure: (subject: Subject) => Promise<Figures>,
): Promise<readonly Row[]> {
  const able = field.subjects.filter(({ cannot }) => !cannot.includes(ability));
  const taken = new Map<string, Figures[]>();
  for (let round = 0; round < field.rounds; round += 1) {
    for (const subject of able) {
      const figures = await measured(subject, measure);
      if (figures !== null) taken.set(subject.name, [...(taken.get(subject.name) ?? []), figures]);
    }
  }
  return [...taken].map(([subject, rounds]) => ({ subject, figures: mediansOf(rounds) }));
}

/** Of one subject's row; NaN where it has none, and every comparison with that is false. */
export function figure(rows: readonly Row[], subject: string, name: string): number {
  return rows.find((row) => row.subject === subject)?.figures[name] ?? Number.NaN;
}

export function mediansOf(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((figures) => figures[name] ?? Number.NaN))]));
}

/** A peer that fails is a missing row; Weir that fails is a failed run. */
async function measured(subject: Subject, measure: (subject: Subject) => Promise<Figures>): Promise<Figures | null> {
  try {
    return await measure(subject);
  } catch (error) {
    if (subject.name === "Weir") throw error;
    process.stderr.write(`${subject.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}
