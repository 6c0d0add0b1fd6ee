import { saveFile } from "../../parts/save-file.ts";
import type { ExportReport } from "../../state/downloads.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../mounted.ts";

/** The dialog Export: the exchanges that match the filter, as one file. */
export function exportDialog(deps: ViewDependencies) {
  let stop = (): void => {};
  return view({
    format: "har" as "har" | "json",
    redact: true,
    running: false,
    progress: 0,
    progressText: "",
    problem: "",
    filter: deps.selection.now.filter,

    get scope() {
      return this.filter === "" ? "All exchanges of this session." : `The exchanges that match ${this.filter}.`;
    },

    init(): void {
      deps.selection.watch(({ filter }) => {
        this.filter = filter;
      });
    },

    start(): void {
      this.running = true;
      this.problem = "";
      this.progress = 0;
      this.progressText = "Collecting the exchanges.";
      stop = deps.downloads.start(
        { type: "export", format: this.format, table: null, redact: this.redact, filter: this.filter },
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
          saveFile(report.file, report.fileName);
          deps.announce(`Saved as ${report.fileName}.`);
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
