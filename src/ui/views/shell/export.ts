import { reportTitleOf, sessionLabelOf } from "../../../engine/model/session-name.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { shownIdOf } from "../../format/session-name.ts";
import { saveFile } from "../../parts/save-file.ts";
import type { ExportReport } from "../../state/downloads.ts";
import type { PickedRows, Selected } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../mounted.ts";

/** What the choice of all exchanges is called. `count`: `null` while it is not known. */
export function shownTextOf(filter: string, count: number | null): string {
  if (count === 1) return `The one shown${filter === "" ? "" : `, which matches ${filter}`}`;
  const shown = count === null ? "All shown" : `All ${countText(count)} shown`;
  return filter === "" ? shown : `${shown}, which match ${filter}`;
}

/** What the choice of the selected exchanges is called; empty if none is selected. */
export function selectedTextOf(count: number): string {
  return count === 0 ? "" : countPhrase(count, "selected request", "selected requests");
}

/** The selected rows, else the exchange in the inspector, else the active row, which looks selected, too. */
export function exportedRows({ picked, exchange, active }: Pick<Selected, "picked" | "exchange" | "active">) {
  const one = exchange ?? active;
  return picked !== null || one === null ? picked : rowsOf(one);
}

/** The row of one exchange. */
export function rowsOf(one: ExchangeId): PickedRows {
  return { filter: "", sort: { column: "startTime", descending: false }, stretches: [{ from: one, to: one }] };
}

/** Saves the report of the whole shown session, without secrets, and announces what it does. */
export function saveReport({ downloads, announce }: Pick<ViewDependencies, "downloads" | "announce">): void {
  announce("Making the report.");
  downloads.start({ type: "export", format: "html", table: null, redact: true, filter: "" }, (report) => {
    if (report.kind === "failed") announce(report.problem);
    else if (report.kind === "done") announce(saveFile(report.file, report.fileName));
  });
}

/**
 * The dialog Export: the selected exchanges, all that match the filter, or the report, as one file. `onWish`: rows that
 * are to be exported, for which the dialog opens.
 */
export function exportDialog(deps: ViewDependencies, onWish: (listener: (rows: PickedRows) => void) => void) {
  let stop = (): void => {};
  let wished: PickedRows | null = null;
  let picked: PickedRows | null = null;
  let totals: ValueSubscription<"picked"> | null = null;
  let figures: ValueSubscription<"figures"> | null = null;
  let sessions: ValueSubscription<"sessions"> | null = null;
  let session: ValueSubscription<"shown"> | null = null;

  return view({
    format: "har" as "har" | "json" | "html",
    redact: true,
    running: false,
    progress: 0,
    progressText: "",
    problem: "",
    scope: "shown" as "selected" | "shown",
    shownText: shownTextOf("", null),
    /** The text of `selectedTextOf`. */
    selectedText: "",
    /** The title of the report; "" while it is not known. */
    reportTitle: "",

    init(): void {
      const dialog = this.$root.closest("dialog");
      dialog?.addEventListener("opening", (event) => {
        this.format = event instanceof CustomEvent && event.detail === "html" ? "html" : "har";
      });
      onWish((rows) => {
        wished = rows;
        this.format = "har";
        dialog?.showModal();
      });
      new MutationObserver(() => (dialog?.open ? this.open() : this.close())).observe(dialog as Node, {
        attributeFilter: ["open"],
      });
    },

    open(): void {
      const { filter, picked: several } = deps.selection.now;
      picked = wished ?? exportedRows(deps.selection.now);
      // A single row is often selected by chance.
      this.scope = wished === null && several === null ? "shown" : "selected";
      wished = null;
      this.selectedText = "";
      this.shownText = shownTextOf(filter, null);
      figures = deps.windows.value({ view: "figures", filter }, () => {
        this.shownText = shownTextOf(filter, figures?.value?.exchanges ?? null);
      });
      const drawTitle = (): void => {
        const [known, shown] = [sessions?.value, session?.value];
        const id = known === undefined || shown === undefined ? null : shownIdOf(shown, known);
        const record = known?.sessions.find((each) => each.id === id);
        this.reportTitle = record === undefined ? "" : reportTitleOf(sessionLabelOf(record), record.startedAt);
      };
      sessions = deps.windows.value({ view: "sessions" }, drawTitle);
      session = deps.windows.value({ view: "shown" }, drawTitle);
      if (picked === null) return;
      totals = deps.windows.value({ view: "picked", ...picked }, () => {
        const count = totals?.value?.count ?? 0;
        this.selectedText = selectedTextOf(count);
        if (count === 0) this.scope = "shown";
      });
    },

    close(): void {
      for (const each of [figures, totals, sessions, session]) each?.close();
      [figures, totals, sessions, session] = [null, null, null, null];
    },

    start(): void {
      this.running = true;
      this.problem = "";
      this.progress = 0;
      this.progressText = this.format === "html" ? "Looking for findings." : "Collecting the exchanges.";
      const { format, redact } = this;
      const isReport = format === "html";
      const chosen = this.scope === "selected" && !isReport ? picked : null;
      const filter = isReport ? "" : (chosen?.filter ?? deps.selection.now.filter);
      stop = deps.downloads.start(
        { type: "export", format, table: null, redact, filter, picked: chosen },
        (report: ExportReport) => {
          if (report.kind === "running") {
            this.progress = report.progress;
            this.progressText = `${Math.floor(report.progress * 100)} % collected.`;
            return;
          }
          this.running = false;
          if (report.kind === "failed") {
            this.problem = report.problem;
            return;
          }
          deps.announce(saveFile(report.file, report.fileName));
          this.$root.closest("dialog")?.close();
        },
      );
    },

    cancel(): void {
      stop();
      if (!this.running) this.$root.closest("dialog")?.close();
      this.running = false;
    },
  });
}
