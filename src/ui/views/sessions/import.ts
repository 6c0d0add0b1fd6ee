import type { ImportProgress } from "../../../engine/messages/session-messages.ts";
import { countPhrase } from "../../format/count.ts";
import { type ImportReport, uploadHar } from "../../state/har-upload.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";

/** Imports a HAR file as a session, to view or as a baseline. */
export function importDialog(deps: ViewDependencies) {
  let file: File | null = null;
  let cancel = (): void => {};

  return view({
    as: "opened" as "opened" | "completed",
    /** The name of the chosen file; "" before one is chosen. */
    fileName: "",
    running: false,
    progress: 0,
    progressText: "",
    problem: "",

    choose(input: HTMLInputElement): void {
      file = input.files?.[0] ?? null;
      this.fileName = file?.name ?? "";
      this.problem = "";
    },

    start(): void {
      if (file === null) return;
      Object.assign(this, { running: true, progress: 0, progressText: "Reading the file.", problem: "" });
      cancel = uploadHar(deps.commands, file, this.as, (report: ImportReport) => {
        if (report.kind === "running") {
          this.progress = report.progress;
          this.progressText = `${Math.floor(report.progress * 100)} % read, ${countPhrase(report.exchanges, "exchange", "exchanges")}.`;
          return;
        }
        this.running = false;
        if (report.kind === "failed") {
          this.problem = report.problem;
          return;
        }
        deps.announce(importedText(report.result));
        this.$root.closest("dialog")?.close();
        if (this.as === "opened") deps.selection.set({ view: "traffic", filter: "", exchange: null });
      });
    },

    cancel(): void {
      cancel();
      if (!this.running) this.$root.closest("dialog")?.close();
      this.running = false;
    },

    /** Cancels a running import, because Escape closes the dialog without a call of `cancel`. */
    destroy(): void {
      cancel();
    },
  });
}

/** The most omitted entries that the message names. */
const MOST_NAMED = 10;

/** "Imported 396 exchanges; 1 entry was left out. Entry 2: it is not an object: null." */
function importedText({ exchanges, leftOut, leftOutCount }: ImportProgress): string {
  const imported = `Imported ${countPhrase(exchanges, "exchange", "exchanges")}`;
  if (leftOutCount === 0) return `${imported}.`;
  const named = leftOut.slice(0, MOST_NAMED).map(({ entry, reason }) => `Entry ${entry}: ${reason}.`);
  const more = leftOutCount - named.length;
  if (more > 0) named.push(`${countPhrase(more, "more entry was", "more entries were")} left out.`);
  return `${imported}; ${countPhrase(leftOutCount, "entry was", "entries were")} left out. ${named.join(" ")}`;
}
