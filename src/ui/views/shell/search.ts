import type { Searches } from "../../state/searches.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../mounted.ts";
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
 * The dialog that searches the headers and bodies of all exchanges, the newest first
 * (docs/specification.md, Traffic view).
 */
export function searchDialog({ selection }: Pick<ViewDependencies, "selection">, searches: Searches) {
  let stop = (): void => {};

  return view({
    text: "",
    running: false,
    ...NOTHING_FOUND,

    init(): void {
      const dialog = this.$root.closest("dialog");
      // Starts with the plain text of the filter. If the dialog has this text already, the hits stay.
      dialog?.addEventListener("opening", () => {
        const { draft } = termsOf(selection.now.filter);
        if (draft === "" || draft === this.text) return;
        Object.assign(this, NOTHING_FOUND, { text: draft });
      });
      dialog?.addEventListener("close", () => this.cancel());
      let about = selection.now.session;
      selection.watch(({ session }) => {
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

    open({ key, tab }: SearchRow): void {
      this.$root.closest("dialog")?.close();
      // Clears the selection first, so that the list scrolls to the exchange even if it was selected already.
      selection.set({ exchange: null });
      selection.set({ view: "traffic", filter: "", exchange: key, inspectorTab: tab });
    },
  });
}
