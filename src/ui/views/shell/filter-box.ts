import { countText } from "../../format/count.ts";
import { placeAfter } from "../../parts/menu-keys.ts";
import { onceSettled } from "../../parts/settled.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { Matches, ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type FilterHint, hintsFor, withHint } from "./filter-hints.ts";
import { filterOf, termsOf, termsWhileTyping, wordAtEnd } from "./filter-terms.ts";

interface HintRow extends FilterHint {
  readonly id: string;
  readonly active: boolean;
}

interface FilterBox {
  terms: ReturnType<typeof termsOf>;
  matchesText: string;
  /** The same as it is read out: once for each filter, not whenever traffic changes it. */
  spokenMatches: string;
  problem: string;
  /** Empty: the list is closed. */
  hints: readonly HintRow[];
  activeHint: string | null;
  init(): void;
  destroy(): void;
  type(draft: string): void;
  onKey(event: KeyboardEvent): void;
  pick(hint: FilterHint): void;
  help(): void;
  closeHints(): void;
  keepFocus(event: MouseEvent): void;
  /** Of more chips than there is room for the last ones are in sight. */
  showLastChip(count: number): void;
  /** Somebody looks at others. */
  leaveLastChip(by?: number): void;
  removeChip(index: number): void;
  clear(): void;
}

/** The box that every list follows: chips, the text behind them, and a list of what may stand there. */
export function filterBox(
  deps: ViewDependencies,
  onMatches: (listener: (matches: Matches | null) => void) => void,
): View<FilterBox> {
  const { selection } = deps;
  const ending: (() => void)[] = [];
  let hosts: readonly string[] = [];
  let strip: HTMLElement | undefined;
  let chips = 0;
  let staysAtEnd = true;

  return {
    terms: termsOf(selection.now.filter),
    matchesText: "",
    spokenMatches: "",
    problem: "",
    hints: Object.freeze([]),
    activeHint: null,

    init() {
      strip = this.$refs["chips"];
      // What matches is told beside them, and typing takes room.
      const room = new ResizeObserver(() => {
        if (staysAtEnd) strip?.scrollTo(strip.scrollWidth, 0);
      });
      if (strip !== undefined) room.observe(strip);
      const summary = deps.windows.value({ view: "summary" }, () => {
        hosts = (summary.value?.hosts ?? []).map(({ host }) => host);
      });
      onMatches((matches) => {
        this.problem = matches?.problem ?? "";
        const shown = matches !== null && filterOf(this.terms) !== "" && matches.problem === null;
        this.matchesText = shown ? `${countText(matches.matched)} of ${countText(matches.total)}` : "";
      });
      const speaking = onceSettled(() => {
        this.spokenMatches = this.matchesText === "" ? "" : `${this.matchesText} match`;
      });
      let spoken = selection.now.filter;
      ending.push(
        () => summary.close(),
        () => room.disconnect(),
        speaking.end,
        selection.watch(({ filter }) => {
          if (filter !== filterOf(this.terms)) this.terms = termsOf(filter);
          if (filter !== spoken) speaking.again();
          spoken = filter;
        }),
      );
    },

    destroy() {
      for (const end of ending.splice(0)) end();
    },

    type(draft) {
      this.terms = termsWhileTyping(this.terms.chips, draft);
      selection.set({ filter: filterOf(this.terms) });
      this.hints = wordAtEnd(this.terms.draft) === "" ? [] : rowsOf(hintsFor(this.terms.draft, hosts), -1);
      this.activeHint = null;
    },

    onKey(event) {
      const box = event.target as HTMLInputElement;
      const open = this.hints.length > 0;
      const at = this.hints.findIndex(({ active }) => active);
      const picked = this.hints[at];
      if ((event.key === "Enter" || event.key === "Tab") && picked !== undefined) {
        event.preventDefault();
        this.pick(picked);
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        const rows = open ? this.hints : hintsFor(this.terms.draft, hosts);
        const next = placeAfter(event.key, at, rows.length) ?? -1;
        this.hints = rowsOf(rows, next);
        this.activeHint = this.hints[next]?.id ?? null;
        this.$nextTick(() => this.$root.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }));
      } else if (event.key === "Escape") {
        event.preventDefault();
        if (open) this.closeHints();
        else {
          box.blur();
          focusList();
        }
      } else if (event.key === "Backspace" && box.selectionEnd === 0) {
        const last = this.terms.chips.at(-1);
        if (last === undefined) return;
        // At the box's start it takes the last chip back into the text.
        event.preventDefault();
        this.terms = { chips: this.terms.chips.slice(0, -1), draft: last.key + last.value + this.terms.draft };
        selection.set({ filter: filterOf(this.terms) });
      }
    },

    pick(hint) {
      const draft = withHint(this.terms.draft, hint);
      this.terms = termsWhileTyping(this.terms.chips, draft);
      selection.set({ filter: filterOf(this.terms) });
      this.hints = rowsOf(draft.endsWith(" ") ? [] : hintsFor(draft, hosts), -1);
      this.activeHint = null;
      this.$refs["filter"]?.focus();
    },

    help() {
      this.hints = this.hints.length > 0 ? [] : rowsOf(hintsFor("", hosts), -1);
      this.$refs["filter"]?.focus();
    },

    closeHints() {
      this.hints = Object.freeze([]);
      this.activeHint = null;
    },

    /** The box looks different with the focus in it: a button that took it would move from under the pointer, and never be clicked. */
    keepFocus(event) {
      if ((event.target as Element).closest("button") !== null) event.preventDefault();
    },

    showLastChip(count) {
      const isMore = count > chips;
      chips = count;
      if (!isMore) return;
      staysAtEnd = true;
      this.$nextTick(() => strip?.scrollTo(strip.scrollWidth, 0));
    },

    leaveLastChip(by = 0) {
      staysAtEnd = false;
      strip?.scrollBy(by, 0);
    },

    removeChip(index) {
      const chips = this.terms.chips.filter((_, at) => at !== index);
      selection.set({ filter: filterOf({ chips, draft: this.terms.draft }) });
    },

    clear() {
      selection.set({ filter: "" });
      this.closeHints();
    },
  };
}

function rowsOf(hints: readonly FilterHint[], active: number): readonly HintRow[] {
  return Object.freeze(
    hints.map(({ word, note }, at) => Object.freeze({ word, note, id: `filter-hint-${at}`, active: at === active })),
  );
}
