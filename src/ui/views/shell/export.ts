import { reportTitleOf, sessionLabelOf } from "../../../engine/model/session-name.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { shownIdOf } from "../../format/session-name.ts";
import { saveFile } from "../../parts/save-file.ts";
import type { ExportCommand, ExportReport } from "../../state/downloads.ts";
import type { PerformanceTab, PickedRows, Selected } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { nameOfTab } from "./palette-destinations.ts";

/** A tab of Performance whose table can be exported. */
type Table = Exclude<PerformanceTab, "findings">;

/** What the dialog saves: exchanges (HAR or JSON), the report (HTML), or the rows of the shown table. */
type ExportFormat = "har" | "json" | "html" | "table-csv" | "table-md" | "table-json";

/** The table that the view shows; `null` if it shows none. */
export function shownTable({ view, performanceTab }: Pick<Selected, "view" | "performanceTab">): Table | null {
  return view === "performance" && performanceTab !== "findings" ? performanceTab : null;
}

/** The format that is chosen first: that of what the view shows. */
export function firstFormat(selected: Pick<Selected, "view" | "performanceTab">): ExportFormat {
  if (shownTable(selected) !== null) return "table-csv";
  return selected.view === "performance" ? "html" : "har";
}

/** `picked`: the rows to export; `null`: all that match `filter`. The report is always on the whole session. */
export function exportCommandOf(
  format: ExportFormat,
  redact: boolean,
  {
    table,
    picked,
    filter,
  }: { readonly table: Table | null; readonly picked: PickedRows | null; readonly filter: string },
): ExportCommand {
  const all = { type: "export", table: null, redact, filter, picked: null } as const;
  switch (format) {
    case "html":
      return { ...all, format, filter: "" };
    case "table-csv":
      return { ...all, format: "csv", table };
    case "table-md":
      return { ...all, format: "md", table };
    case "table-json":
      return { ...all, format: "json", table };
    case "har":
    case "json":
      return { ...all, format, filter: picked?.filter ?? filter, picked };
  }
}

/** What the choice of all exchanges is called. `count`: `null` while it is not known. */
export function shownTextOf(filter: string, count: number | null): string {
  if (count === 1) return `The one shown${filter === "" ? "" : `, which matches ${filter}`}`;
  const shown = count === null ? "All shown" : `All ${countText(count)} shown`;
  return filter === "" ? shown : `${shown}, which match ${filter}`;
}

/** What the choice of all exchanges that a filter leaves out, too, is called; "" without a filter. */
export function unfilteredTextOf(filter: string, count: number | null): string {
  if (filter === "") return "";
  return count === null ? "All without the filter" : `All ${countText(count)} without the filter`;
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
 * The dialog Export: the selected exchanges, all that match the filter, the shown table, or the report, as one file.
 * `onWish`: rows that are to be exported, for which the dialog opens.
 */
export function exportDialog(deps: ViewDependencies, onWish: (listener: (rows: PickedRows) => void) => void) {
  let stop = (): void => {};
  let wished: PickedRows | null = null;
  let picked: PickedRows | null = null;
  let totals: ValueSubscription<"picked"> | null = null;
  let figures: ValueSubscription<"figures"> | null = null;
  let unfiltered: ValueSubscription<"figures"> | null = null;
  let sessions: ValueSubscription<"sessions"> | null = null;
  let session: ValueSubscription<"shown"> | null = null;

  return view({
    format: "har" as ExportFormat,
    /** The name of the shown table; "" if there is none. */
    tableName: "",
    redact: true,
    running: false,
    progress: 0,
    progressText: "",
    problem: "",
    scope: "shown" as "selected" | "shown" | "all",
    shownText: shownTextOf("", null),
    /** The text of `selectedTextOf`. */
    selectedText: "",
    /** The text of `unfilteredTextOf`. */
    unfilteredText: "",
    /** The session's label and start; "" while they are not known. */
    sessionTitle: "",

    /** What is exported: exchanges, the rows of the shown table, or the report. */
    get subject(): "traffic" | "table" | "report" {
      if (this.format === "html") return "report";
      return this.format.startsWith("table-") ? "table" : "traffic";
    },

    init(): void {
      const dialog = this.$root.closest("dialog");
      dialog?.addEventListener("opening", () => {
        this.format = firstFormat(deps.selection.now);
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
      const table = wished === null ? shownTable(deps.selection.now) : null;
      this.tableName = table === null ? "" : nameOfTab(table);
      wished = null;
      this.selectedText = "";
      this.shownText = shownTextOf(filter, null);
      figures = deps.windows.value({ view: "figures", filter }, () => {
        this.shownText = shownTextOf(filter, figures?.value?.exchanges ?? null);
      });
      this.unfilteredText = unfilteredTextOf(filter, null);
      if (filter !== "")
        unfiltered = deps.windows.value({ view: "figures", filter: "" }, () => {
          this.unfilteredText = unfilteredTextOf(filter, unfiltered?.value?.exchanges ?? null);
        });
      const drawTitle = (): void => {
        const [known, shown] = [sessions?.value, session?.value];
        const id = known === undefined || shown === undefined ? null : shownIdOf(shown, known);
        const record = known?.sessions.find((each) => each.id === id);
        this.sessionTitle = record === undefined ? "" : reportTitleOf(sessionLabelOf(record), record.startedAt);
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
      for (const each of [figures, unfiltered, totals, sessions, session]) each?.close();
      [figures, unfiltered, totals, sessions, session] = [null, null, null, null, null];
    },

    start(): void {
      this.running = true;
      this.problem = "";
      this.progress = 0;
      this.progressText = this.subject === "report" ? "Looking for findings." : "Collecting the exchanges.";
      const isTraffic = this.subject === "traffic";
      const command = exportCommandOf(this.format, this.redact, {
        table: shownTable(deps.selection.now),
        picked: this.scope === "selected" ? picked : null,
        filter: isTraffic && this.scope === "all" ? "" : deps.selection.now.filter,
      });
      stop = deps.downloads.start(command, (report: ExportReport) => {
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
      });
    },

    cancel(): void {
      stop();
      if (!this.running) this.$root.closest("dialog")?.close();
      this.running = false;
    },
  });
}
