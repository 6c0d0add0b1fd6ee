import { endpointFilterOf } from "../../../engine/session/filter/filter.ts";
import { countText } from "../../format/count.ts";
import { debounce } from "../../parts/debounce.ts";
import { placeAfter } from "../../parts/menu-keys.ts";
import { focusList } from "../../parts/view-focus.ts";
import { showsEndpoints } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { Matches, ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type FilterHint, hintsFor, keyToComplete, withHint } from "./filter-hints.ts";
import { type FilterChip, filterOf, termsOf, termsWhileTyping, wordAtEnd } from "./filter-terms.ts";

interface HintRow extends FilterHint {
  readonly id: string;
  readonly active: boolean;
}

interface ChipRow extends FilterChip {
  /** The visible list cannot apply it. */
  readonly ignored: boolean;
  readonly title: string;
}

interface FilterBox {
  terms: ReturnType<typeof termsOf>;
  /** The visible list shows endpoints. */
  ofEndpoints: boolean;
  readonly chips: readonly ChipRow[];
  matchesText: string;
  /** The match counts for assistive technology: updated per filter, not by traffic. */
  matchesAnnouncement: string;
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
  /** Scrolls to the last chips if there are more than fit. */
  showLastChip(count: number): void;
  /** Scrolls to other chips. */
  leaveLastChip(by?: number): void;
  removeChip(index: number): void;
  clear(): void;
}

/** The filter box of every list: chips, the text behind them, and suggestions. */
export function filterBox(
  deps: ViewDependencies,
  onMatches: (listener: (matches: Matches | null) => void) => void,
): View<FilterBox> {
  const { selection } = deps;
  const ending: (() => void)[] = [];
  /** The subscription to the values that occur, open while a value is being typed. */
  let occurring: ValueSubscription<"occurring"> | null = null;
  let strip: HTMLElement | undefined;
  let chips = 0;
  let staysAtEnd = true;

  /**
   * Shows the suggestions for the draft, and again once the occurring values have arrived; hides them if there are
   * none.
   */
  function offer(box: Pick<FilterBox, "terms" | "hints" | "activeHint">, isOpen: boolean): void {
    const show = (): void => {
      box.hints = isOpen ? rowsOf(hintsFor(box.terms.draft, occurring?.value ?? null), -1) : Object.freeze([]);
    };
    if (!isOpen || keyToComplete(box.terms.draft) === null) {
      occurring?.close();
      occurring = null;
    } else
      occurring ??= deps.windows.value({ view: "occurring" }, () => {
        if (box.activeHint === null) show();
      });
    box.activeHint = null;
    show();
  }

  return {
    terms: termsOf(selection.now.filter),
    ofEndpoints: showsEndpoints(selection.now),
    matchesText: "",
    matchesAnnouncement: "",
    problem: "",
    hints: Object.freeze([]),
    activeHint: null,

    get chips() {
      return this.terms.chips.map((chip) => chipRowOf(chip, this.ofEndpoints));
    },

    init() {
      strip = this.$refs["chips"];
      // The match counts beside the chips and the typed text change the available width.
      const room = new ResizeObserver(() => {
        if (staysAtEnd) strip?.scrollTo(strip.scrollWidth, 0);
      });
      if (strip !== undefined) room.observe(strip);
      onMatches((matches) => {
        this.problem = matches?.problem ?? "";
        const shown = matches !== null && filterOf(this.terms) !== "" && matches.problem === null;
        this.matchesText = shown ? `${countText(matches.matched)} of ${countText(matches.total)}` : "";
      });
      const announcing = debounce(() => {
        this.matchesAnnouncement = this.matchesText === "" ? "" : `${this.matchesText} match`;
      });
      let announcedFilter = selection.now.filter;
      ending.push(
        () => occurring?.close(),
        () => room.disconnect(),
        announcing.cancel,
        selection.watch(({ filter, view, performanceTab }) => {
          this.ofEndpoints = showsEndpoints({ view, performanceTab });
          if (filter !== filterOf(this.terms)) this.terms = termsOf(filter);
          if (filter !== announcedFilter) announcing.call();
          announcedFilter = filter;
        }),
      );
    },

    destroy() {
      for (const end of ending.splice(0)) end();
    },

    type(draft) {
      this.terms = termsWhileTyping(this.terms.chips, draft);
      selection.set({ filter: filterOf(this.terms) });
      offer(this, wordAtEnd(this.terms.draft) !== "");
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
        if (!open) offer(this, true);
        const rows = this.hints;
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
        // At the box's start, Backspace turns the last chip back into text.
        event.preventDefault();
        this.terms = { chips: this.terms.chips.slice(0, -1), draft: last.key + last.value + this.terms.draft };
        selection.set({ filter: filterOf(this.terms) });
      }
    },

    pick(hint) {
      const draft = withHint(this.terms.draft, hint);
      this.terms = termsWhileTyping(this.terms.chips, draft);
      selection.set({ filter: filterOf(this.terms) });
      offer(this, !draft.endsWith(" "));
      this.$refs["filter"]?.focus();
    },

    help() {
      if (this.hints.length > 0) this.closeHints();
      else this.hints = rowsOf(hintsFor("", null), -1);
      this.$refs["filter"]?.focus();
    },

    closeHints() {
      offer(this, false);
    },

    /**
     * The box changes its layout on focus: a button that took the focus would move away from the pointer and miss the
     * click.
     */
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

function chipRowOf(chip: FilterChip, ofEndpoints: boolean): ChipRow {
  const text = chip.key + chip.value;
  const ignored = ofEndpoints && endpointFilterOf(text) === "";
  const title = ignored ? `${text} does not apply to endpoints, whose figures are of the whole session` : text;
  return Object.freeze({ ...chip, ignored, title });
}

function rowsOf(hints: readonly FilterHint[], active: number): readonly HintRow[] {
  return Object.freeze(
    hints.map(({ word, note }, at) => Object.freeze({ word, note, id: `filter-hint-${at}`, active: at === active })),
  );
}
