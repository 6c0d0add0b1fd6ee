/** A part of a section: a heading, an introductory text, or a setting. */
export interface SectionPart {
  readonly kind: "subheading" | "lead" | "setting";
  readonly text: string;
}

/**
 * Whether each part of a section matches the words. A setting matches if each word occurs in its own text, in the
 * section's name, or in the heading and introduction before it. A heading or introduction matches if one of its
 * settings matches.
 */
export function foundParts(name: string, parts: readonly SectionPart[], words: readonly string[]): readonly boolean[] {
  const kept = parts.map(() => false);
  let leading: number[] = [];
  let context = name;
  for (const [index, { kind, text }] of parts.entries()) {
    if (kind === "subheading") {
      leading = [];
      context = name;
    }
    if (kind === "setting") {
      if (!hasAll(`${context} ${text}`, words)) continue;
      for (const at of [...leading, index]) kept[at] = true;
    } else {
      leading.push(index);
      context += ` ${text}`;
    }
  }
  return kept;
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
