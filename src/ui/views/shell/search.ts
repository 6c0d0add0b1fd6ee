import { moveAmong } from "../../parts/menu-keys.ts";
import type { Searches } from "../../state/searches.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { termsOf } from "./filter-terms.ts";
import { foundText, type SearchRow, withHits } from "./search-rows.ts";

const NOTHING_FOUND = {
  rows: Object.freeze([]) as readonly SearchRow[],
  progress: 0,
  problem: "",
  /** The number of hits so far, as text. */
  found: "",
  /** The number of hits for assistive technology, once the search has ended. */
  announcement: "",
};

/**
 * The drawer that searches the headers and bodies of all exchanges, the newest first
 * (docs/specification.md, Traffic view).
 */
export function searchDrawer({ selection }: Pick<ViewDependencies, "selection">, searches: Searches) {
  let stop = (): void => {};

  return view({
    text: "",
    running: false,
    opened: selection.now.exchange,
    ...NOTHING_FOUND,

    init(): void {
      const drawer = this.$root.closest("section");
      // Starts with the plain text of the filter. If the drawer has this text already, the hits stay.
      drawer?.addEventListener("opening", () => {
        const draft = termsOf(selection.now.filter).draft.trim();
        if (draft !== "" && draft !== this.text) Object.assign(this, NOTHING_FOUND, { text: draft });
        this.$nextTick(() => this.$root.querySelector("input")?.select());
      });
      drawer?.addEventListener("closing", () => this.cancel());
      let about = selection.now.session;
      selection.watch(({ session, exchange }) => {
        this.opened = exchange;
        if (session === about) return;
        about = session;
        // The hits belong to the previous session.
        this.cancel();
        Object.assign(this, NOTHING_FOUND);
      });
    },

    onKey(event: KeyboardEvent): void {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.start();
    },

    start(): void {
      this.cancel();
      Object.assign(this, NOTHING_FOUND);
      if (this.text === "") {
        this.problem = "Enter the text to search for.";
        return;
      }
      let found = 0;
      this.running = true;
      stop = searches.start(this.text, (report) => {
        if (report.kind === "failed") {
          this.running = false;
          this.problem = report.problem;
          return;
        }
        found += report.hits.length;
        this.rows = withHits(this.rows, report.hits);
        this.progress = report.progress;
        this.running = !report.done;
        this.found = foundText(found, report);
        if (report.done) this.announcement = this.found;
      });
    },

    cancel(): void {
      stop();
      this.running = false;
    },

    /** Moves the focus among the hits. */
    onListKey(event: KeyboardEvent): void {
      moveAmong(event, [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")]);
    },

    open({ key, tab, match }: SearchRow): void {
      // Clears the selection first, so that the list scrolls to the exchange even if it was selected already.
      selection.set({ exchange: null });
      selection.set({ view: "traffic", filter: "", exchange: key, inspectorTab: tab, searched: match });
    },
  });
}
