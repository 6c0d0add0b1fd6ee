import type { OccurringKey } from "../../../engine/messages/traffic-messages.ts";
import { endpointFilterOf, filterOf as engineFilterOf } from "../../../engine/session/filter/filter.ts";
import { debounce } from "../../parts/debounce.ts";
import { menuIndexAfter } from "../../parts/menu-keys.ts";
import { focusList } from "../../parts/view-focus.ts";
import { COMPARE, type Selected } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { Matches, ViewDependencies } from "../dependencies.ts";
import { matchesTextOf } from "../list-now.ts";
import { view } from "../view.ts";
import { type FilterHint, hintsFor, keyToComplete, recentHints, withHint, withRecent } from "./filter-hints.ts";
import {
  type FilterChip,
  filterOf,
  finishedDraft,
  isApplied,
  termsOf,
  termsWhileTyping,
  wordAtEnd,
} from "./filter-terms.ts";

export interface HintRow extends FilterHint {
  readonly id: string;
  readonly active: boolean;
}

export interface ChipRow extends FilterChip {
  /** Whether the visible list cannot apply the term. */
  readonly ignored: boolean;
  readonly title: string;
}

/** Milliseconds after which the box says that a list is still being searched. */
const LONG_MS = 300;
const LOOKING = "Looking…";

interface Offered {
  readonly terms: ReturnType<typeof termsOf>;
  hints: readonly HintRow[];
  activeHint: string | null;
}

/** The filter box for all lists: chips, the text after them, and suggestions. */
export function filterBox(deps: ViewDependencies, onMatches: (listener: (matches: Matches | null) => void) => void) {
  const { selection } = deps;
  const ending: (() => void)[] = [];
  /** The subscription of values to suggest; exists while a value is being typed. */
  let occurring: { readonly key: OccurringKey; readonly values: ValueSubscription<"occurring"> } | null = null;
  let recent: readonly string[] = [];
  const status = deps.windows.value({ view: "status" }, () => {
    recent = status.value?.settings.recentFilters ?? recent;
  });
  const keepRecent = (filters: readonly string[]): void => {
    if (filters === recent) return;
    recent = filters;
    void deps.commands.send({ type: "set-setting", key: "recentFilters", value: filters });
  };
  /** The timer of `LONG_MS`; runs while the visible list awaits an answer. */
  let looking: ReturnType<typeof setTimeout> | undefined;
  let hasList = false;
  let strip: HTMLElement | undefined;
  let chips = 0;
  let staysAtEnd = true;
  /** Shows the suggestions for the draft, and updates them when values arrive. Hides them if `isOpen` is false. */
  function offer(box: Offered, isOpen: boolean): void {
    const show = (): void => {
      box.hints = isOpen ? rowsOf(hintsFor(box.terms.draft, occurring?.values.value ?? null), -1) : Object.freeze([]);
    };
    const key = isOpen ? keyToComplete(box.terms.draft) : null;
    if (key !== occurring?.key) {
      occurring?.values.close();
      occurring = null;
    }
    if (key !== null)
      occurring ??= {
        key,
        values: deps.windows.value({ view: "occurring", key }, () => {
          if (box.activeHint === null) show();
        }),
      };
    box.activeHint = null;
    show();
  }

  return view({
    terms: termsOf(selection.now.filter),
    /** Whether the view compares two sessions; a comparison has only endpoints. */
    ofEndpoints: isComparing(selection.now),
    /** Why the view applies no filter, as a sentence without its full stop; "" if it applies one. */
    unused: unusedText(selection.now),
    matchesText: "",
    /** How many rows match, for assistive technology; updated for a new filter, not for traffic. */
    matchesAnnouncement: "",
    problem: "",
    /** The suggestions; empty if their list is closed. */
    hints: Object.freeze([]) as readonly HintRow[],
    activeHint: null as string | null,
    /** Whether Ctrl+A has selected all chips and the text. */
    allSelected: false,

    /** How many rows match, and whether a part of the typed text is not applied yet; "" without a filter. */
    get noteText(): string {
      if (this.unused !== "") return this.terms.chips.length > 0 ? this.unused : "";
      const isWhole = this.problem !== "" || isApplied(this.terms);
      return [this.matchesText, isWhole ? "" : "Enter to apply"].filter((part) => part !== "").join(" · ");
    },

    get chips(): readonly ChipRow[] {
      return this.terms.chips.map((chip) => chipRowOf(chip, this.ofEndpoints, this.unused));
    },

    init(): void {
      strip = this.$refs["chips"];
      // The width of the strip changes with the count of matches beside it and with the typed text.
      const room = new ResizeObserver(() => {
        if (staysAtEnd) strip?.scrollTo(strip.scrollWidth, 0);
      });
      if (strip !== undefined) room.observe(strip);
      onMatches((matches) => {
        clearTimeout(looking);
        hasList = matches !== null;
        this.problem = matches?.problem ?? problemOf(selection.now.filter);
        const shown = matches !== null && filterOf(this.terms) !== "" && matches.problem === null;
        this.matchesText = shown ? matchesTextOf(matches) : "";
      });
      const announcing = debounce(() => {
        const isLooking = this.matchesText === LOOKING;
        this.matchesAnnouncement =
          this.matchesText === "" || isLooking ? this.matchesText : `${this.matchesText} match`;
      });
      let announcedFilter = selection.now.filter;
      ending.push(
        () => occurring?.values.close(),
        () => status.close(),
        () => room.disconnect(),
        announcing.cancel,
        () => clearTimeout(looking),
        selection.watch((now) => {
          const { filter } = now;
          this.ofEndpoints = isComparing(now);
          this.unused = unusedText(now);
          if (filter !== filterOf(this.terms, true) && filter !== filterOf(this.terms)) this.terms = termsOf(filter);
          if (filter === announcedFilter) return;
          this.problem = problemOf(filter);
          announcedFilter = filter;
          announcing.call();
          clearTimeout(looking);
          // A comparison sends no query for terms that it cannot apply, so no answer would replace "Looking…".
          if (!hasList || this.ofEndpoints) return;
          looking = setTimeout(() => {
            this.matchesText = LOOKING;
          }, LONG_MS);
        }),
      );
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
    },

    type(draft: string): void {
      this.terms = termsWhileTyping(this.allSelected ? Object.freeze([]) : this.terms.chips, draft);
      this.allSelected = false;
      selection.set({ filter: filterOf(this.terms, true) });
      offer(this, wordAtEnd(this.terms.draft) !== "");
    },

    onKey(event: KeyboardEvent): void {
      const box = event.target as HTMLInputElement;
      const open = this.hints.length > 0;
      const at = this.hints.findIndex(({ active }) => active);
      const picked = this.hints[at];
      if (this.onAllKey(event)) return;
      if (event.key === "Delete" && picked?.recent === true) {
        event.preventDefault();
        this.forget(picked);
      } else if ((event.key === "Enter" || event.key === "Tab") && picked !== undefined) {
        event.preventDefault();
        this.pick(picked);
      } else if (event.key === "Enter") {
        this.finish();
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (!open && !this.offerRecent()) offer(this, true);
        const rows = this.hints;
        const next = menuIndexAfter(event.key, at, rows.length) ?? -1;
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
        // At the start of the box, Backspace turns the last chip back into text.
        event.preventDefault();
        this.terms = { chips: this.terms.chips.slice(0, -1), draft: last.key + last.value + this.terms.draft };
        selection.set({ filter: filterOf(this.terms) });
      }
    },

    /** Handles Ctrl+A or Cmd+A, and the keys that act on all that it selected. Returns true if the key was handled. */
    onAllKey(event: KeyboardEvent): boolean {
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key.toLowerCase() === "a") {
        this.allSelected = this.terms.chips.length > 0;
        return true;
      }
      if (!this.allSelected || isCommand || event.key === "Shift") return this.allSelected;
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        this.clear();
        return true;
      }
      // A letter replaces all that is selected (`type`).
      if (event.key.length > 1) this.allSelected = false;
      return this.allSelected;
    },

    /** Copies the chips with the text, if all of them are selected; `cuts`: and removes them. */
    copyAll(event: ClipboardEvent, cuts: boolean): void {
      if (!this.allSelected) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", filterOf(this.terms));
      if (cuts) this.clear();
    },

    /** Offers the recent filters in an empty box. Returns false if there are none. */
    offerRecent(): boolean {
      if (this.terms.draft !== "" || this.terms.chips.length > 0) return false;
      this.hints = rowsOf(recentHints(recent, ""), -1);
      return this.hints.length > 0;
    },

    forget({ word }: FilterHint): void {
      keepRecent(recent.filter((each) => each !== word));
      this.offerRecent();
      this.activeHint = null;
    },

    /** Applies the draft, and makes chips of its terms. A filter that is not valid stays text. */
    finish(): void {
      const finished = termsWhileTyping(this.terms.chips, `${this.terms.draft} `);
      const { chips, draft } = problemOf(filterOf(finished)) === "" ? finished : this.terms;
      this.terms = { chips, draft: finishedDraft(draft.trim()) };
      const filter = filterOf(this.terms);
      if (filter !== selection.now.filter) selection.set({ filter });
      if (this.problem === "") keepRecent(withRecent(recent, filter));
      this.closeHints();
    },

    pick(hint: FilterHint): void {
      if (hint.recent === true) {
        selection.set({ filter: hint.word });
        keepRecent(withRecent(recent, hint.word));
        return this.closeHints();
      }
      const draft = withHint(this.terms.draft, hint);
      this.terms = termsWhileTyping(this.terms.chips, draft);
      selection.set({ filter: filterOf(this.terms, true) });
      offer(this, !draft.endsWith(" "));
      this.$refs["filter"]?.focus();
    },

    help(): void {
      if (this.hints.length > 0) this.closeHints();
      else this.hints = rowsOf(hintsFor("", null), -1);
      this.$refs["filter"]?.focus();
    },

    /** Called when the focus leaves the box. Completes the last word, and closes the suggestions. */
    leave({ currentTarget, relatedTarget }: FocusEvent): void {
      if (relatedTarget instanceof Node && (currentTarget as Element).contains(relatedTarget)) return;
      // While another window has the focus, the word stays as typed: the user may come back and continue it.
      if (document.hasFocus()) this.finish();
      this.allSelected = false;
      this.closeHints();
    },

    closeHints(): void {
      offer(this, false);
    },

    /**
     * Keeps the focus in the box when a button in it is pressed. Without the focus the layout changes, so the button
     * would move away from the pointer and miss the click.
     */
    keepFocus(event: MouseEvent): void {
      if ((event.target as Element).closest("button") !== null) event.preventDefault();
    },

    /** Called with the number of chips. If chips were added, scrolls to the last one. */
    showLastChip(count: number): void {
      const isMore = count > chips;
      chips = count;
      if (!isMore) return;
      staysAtEnd = true;
      this.$nextTick(() => strip?.scrollTo(strip.scrollWidth, 0));
    },

    /** Scrolls the chips by `by` px, and no longer keeps the last chip in view. */
    leaveLastChip(by = 0): void {
      staysAtEnd = false;
      strip?.scrollBy(by, 0);
    },

    /** Delete or Backspace on a chip removes it. */
    onChipKey(event: KeyboardEvent, index: number): void {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      this.removeChip(index);
      this.$refs["filter"]?.focus();
    },

    removeChip(index: number): void {
      const chips = this.terms.chips.filter((_, at) => at !== index);
      selection.set({ filter: filterOf({ chips, draft: this.terms.draft }) });
    },

    clear(): void {
      this.allSelected = false;
      selection.set({ filter: "" });
      this.closeHints();
    },
  });
}

/** Why the filter cannot be read; "" if it can. */
function problemOf(filter: string): string {
  const parsed = engineFilterOf(filter);
  return parsed.ok ? "" : parsed.problem;
}

function isComparing({ view, opened }: Selected): boolean {
  return view === "sessions" && opened?.startsWith(COMPARE) === true;
}

function unusedText(now: Selected): string {
  if (now.view === "settings") return "Settings are not filtered";
  return now.view === "sessions" && !isComparing(now) ? "Sessions are not filtered" : "";
}

function chipRowOf(chip: FilterChip, ofEndpoints: boolean, unused: string): ChipRow {
  const text = chip.key + chip.value;
  const ignored = unused !== "" || (ofEndpoints && endpointFilterOf(text) === "");
  const reason = unused === "" ? "a comparison lists endpoints, not exchanges" : unused.toLowerCase();
  const title = ignored ? `${text} does not apply here: ${reason}` : text;
  return Object.freeze({ ...chip, ignored, title });
}

function rowsOf(hints: readonly FilterHint[], active: number): readonly HintRow[] {
  return Object.freeze(
    hints.map((hint, at) => Object.freeze({ ...hint, id: `filter-hint-${at}`, active: at === active })),
  );
}
