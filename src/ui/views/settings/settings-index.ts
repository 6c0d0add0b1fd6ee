import { wordsOf } from "../../../engine/model/words.ts";
import { countPhrase } from "../../format/count.ts";
import { view } from "../view.ts";

/** A heading that is at most this many px below the page's top edge counts as current. */
const NEAR = 32;

interface IndexEntry {
  readonly id: string;
  readonly name: string;
  readonly current: boolean;
}

/** The index of the settings' headings, and a box that filters the settings. Both read the rendered page. */
export function settingsIndex() {
  let scroller: HTMLElement;
  /**
   * The heading to which the user last jumped, and the scroll position after the jump. At this position, the heading is
   * current even if it is not at the top edge.
   */
  let jumped: { readonly to: string; readonly at: number } | null = null;

  return view({
    entries: Object.freeze([]) as readonly IndexEntry[],
    text: "",
    foundText: "",

    init(): void {
      const page = this.$root.parentElement?.querySelector<HTMLElement>(".settings-scroll");
      if (page === null || page === undefined) throw new Error("no settings to list");
      scroller = page;
      scroller.addEventListener("scroll", () => {
        this.entries = entriesOf(scroller, jumped?.at === scroller.scrollTop ? jumped.to : null);
      });
      this.entries = entriesOf(scroller, null);
    },

    find(text: string): void {
      this.text = text;
      const words = wordsOf(text);
      let found = 0;
      for (const section of sectionsOf(scroller)) found += narrow(section, words);
      this.foundText = words.length === 0 ? "" : foundTextOf(found);
      scroller.scrollTop = 0;
      this.entries = entriesOf(scroller, null);
    },

    clear(): void {
      this.find("");
      this.$refs["find"]?.focus();
    },

    onKey(event: KeyboardEvent): void {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (this.text === "") this.$refs["find"]?.blur();
      else this.find("");
    },

    goTo({ id }: IndexEntry): void {
      const heading = document.getElementById(id);
      if (heading === null) return;
      heading.closest("section")?.scrollIntoView({ block: "start" });
      heading.focus({ preventScroll: true });
      jumped = { to: id, at: scroller.scrollTop };
      this.entries = entriesOf(scroller, id);
    },
  });
}

function foundTextOf(found: number): string {
  return found === 0 ? "No setting matches." : countPhrase(found, "setting", "settings");
}

/**
 * The entries of the index, one of them current. `reached`: the heading of the last jump; `null`: the scroll position
 * determines the current heading.
 */
function entriesOf(scroller: HTMLElement, reached: string | null): readonly IndexEntry[] {
  const { top } = scroller.getBoundingClientRect();
  const headings = sectionsOf(scroller).flatMap((section) =>
    section.classList.contains("is-unmatched") ? [] : (section.querySelector("h2") ?? []),
  );
  const above = headings.filter((heading) => heading.getBoundingClientRect().top - top <= NEAR);
  const current = reached ?? (above.at(-1) ?? headings[0])?.id;
  return Object.freeze(
    headings.map(({ id, textContent }) => Object.freeze({ id, name: textContent, current: id === current })),
  );
}

function sectionsOf(scroller: HTMLElement): readonly HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>(".settings-section")];
}

/** Shows the matching parts of a section, and hides the others. Returns the number of matching settings. */
function narrow(section: HTMLElement, words: readonly string[]): number {
  const [heading, ...parts] = [...section.children].filter(({ tagName }) => tagName !== "TEMPLATE");
  const read = parts.map((part): SectionPart => ({ kind: kindOf(part), text: part.textContent }));
  const kept = foundParts(heading?.textContent ?? "", read, words);
  for (const [index, part] of parts.entries()) part.classList.toggle("is-unmatched", kept[index] !== true);
  const found = read.filter(({ kind }, index) => kind === "setting" && kept[index] === true).length;
  section.classList.toggle("is-unmatched", found === 0);
  return found;
}

function kindOf(part: Element): SectionPart["kind"] {
  if (part.tagName === "H3") return "subheading";
  return part.classList.contains("settings-lead") ? "lead" : "setting";
}

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
