import type { ImportProgress } from "../../../engine/messages/session-messages.ts";
import { countPhrase } from "../../format/count.ts";
import { type HarImport, type ImportReport, importHar } from "../../state/har-import.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";

interface ImportDialog {
  as: "opened" | "completed";
  fileName: string;
  running: boolean;
  progress: number;
  progressText: string;
  problem: string;
  choose(input: HTMLInputElement): void;
  start(): void;
  cancel(): void;
  destroy(): void;
}

/** A HAR file as a session: to look at, or for trends to compare with. */
export function importDialog(deps: ViewDependencies): View<ImportDialog> {
  let file: File | null = null;
  let running: HarImport | null = null;

  return {
    as: "opened",
    fileName: "",
    running: false,
    progress: 0,
    progressText: "",
    problem: "",

    choose(input) {
      file = input.files?.[0] ?? null;
      this.fileName = file?.name ?? "";
      this.problem = "";
    },

    start() {
      if (file === null) {
        this.problem = "Choose a HAR file first.";
        return;
      }
      Object.assign(this, { running: true, progress: 0, progressText: "Reading the file.", problem: "" });
      running = importHar(deps.commands, file, this.as, (report: ImportReport) => {
        if (report.kind === "running") {
          this.progress = report.progress;
          this.progressText = `${Math.floor(report.progress * 100)} % read, ${countPhrase(report.exchanges, "exchange", "exchanges")}.`;
          return;
        }
        this.running = false;
        running = null;
        if (report.kind === "failed") {
          this.problem = report.problem;
          return;
        }
        deps.announce(importedText(report.result));
        this.$root.closest("dialog")?.close();
        if (this.as === "opened") deps.selection.set({ view: "traffic", filter: "", exchange: null });
      });
    },

    cancel() {
      running?.cancel();
      running = null;
      if (!this.running) this.$root.closest("dialog")?.close();
      this.running = false;
    },

    /** Escape, too, closes the dialog. */
    destroy() {
      running?.cancel();
    },
  };
}

/** "Imported 396 exchanges; 2 entries were left out: …". */
function importedText({ exchanges, leftOut, problem }: ImportProgress): string {
  const imported = `Imported ${countPhrase(exchanges, "exchange", "exchanges")}`;
  if (leftOut === 0) return `${imported}.`;
  return `${imported}; ${countPhrase(leftOut, "entry was", "entries were")} left out${problem === null ? "." : `: ${problem}`}`;
}
